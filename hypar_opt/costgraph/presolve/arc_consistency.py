"""Values that nothing allows: forbidden themselves, or with every value of a neighbour (arc consistency)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN
from hypar_opt.costgraph.presolve.reduction import NoValue
from hypar_opt.costgraph.presolve.sums import blocks, side_places
from hypar_opt.costgraph.presolve.value_removal import Narrowing

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables


def drop_forbidden(tables: Tables) -> tuple[Tables, Narrowing] | None:
    """Take away the values that are forbidden themselves."""
    return _without(tables, tables.unary >= FORBIDDEN, "forbidden")


def drop_unsupported(tables: Tables) -> tuple[Tables, Narrowing] | None:
    """Take away the values that an edge forbids with everything; once, others may lose their support by it."""
    lost = np.zeros(len(tables.unary), dtype=bool)
    for group, costs in blocks(tables):
        banned = costs >= FORBIDDEN
        for side in (0, 1):
            lost[side_places(tables, group, side)[banned.all(axis=2 - side)]] = True
    return _without(tables, lost, "forbidden")


def _without(tables: Tables, lost: Array, name: str) -> tuple[Tables, Narrowing] | None:
    if not lost.any():
        return None
    left = np.add.reduceat((~lost).astype(np.int64), tables.starts[:-1])
    if not left.all():
        raise NoValue(int(np.flatnonzero(left == 0)[0]), "every value of it is forbidden")
    step = Narrowing(tables, np.where(lost, -1, np.arange(len(lost))), name)
    return step.after, step
