"""The phases of a training step that tables have columns for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators import PHASES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.evaluation.operators import Phase


def shown_phases(found: Iterable[str]) -> tuple[Phase, ...]:
    """Return all phases in order, that which runs blocks once more only if it is among those that something is in."""
    there = frozenset(found)
    return tuple(phase for phase in PHASES if phase != "recompute" or phase in there)
