"""Rules by which gradients are sent: every module here says in `RULES` what it adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.util.lazy import records_of

if TYPE_CHECKING:
    from hypar_opt.studies.transfers.rules.rule import TransferRule

__all__ = ["transfer_rules"]


def transfer_rules() -> dict[str, TransferRule]:
    """Return all rules by their names."""
    found: list[TransferRule] = records_of(__name__, __path__, "RULES")
    return {one.name: one for one in found}
