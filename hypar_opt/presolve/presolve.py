"""All reductions, one after the other, until none changes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.presolve.reduction import Reduction

if TYPE_CHECKING:
    from hypar_opt.costgraph import Tables


def presolve(tables: Tables) -> Reduction:
    """Reduce tables.

    Raises
    ------
    NoPlan
        If they allow nothing.
    """
    return Reduction(tables, tables)
