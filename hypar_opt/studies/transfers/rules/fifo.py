"""Gradients as they become ready."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.studies.transfers.rules.rule import TransferRule

if TYPE_CHECKING:
    from hypar_opt.studies.transfers.link import LinkState
    from hypar_opt.studies.transfers.messages import GradientPart


def _first_ready(state: LinkState) -> list[GradientPart]:
    """Return the last layer's: its gradient is ready first."""
    return [state.ready[-1]]


RULES: Final = (TransferRule("fifo", "as they become ready, each by itself", "what frameworks do", _first_ready, 10),)
