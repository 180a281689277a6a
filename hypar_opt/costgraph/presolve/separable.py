"""Edges that cost what their values cost apart: cost(a, b) = u(a) + v(b). They become costs of the values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Duals, Tables
from hypar_opt.costgraph.duals import places
from hypar_opt.costgraph.presolve.reduction import Step
from hypar_opt.costgraph.presolve.sums import blocks, ranges, side_starts

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array


@dataclass(frozen=True, eq=False)
class Separable(Step):
    """Edges folded into their variables.

    Parameters
    ----------
    dropped
        By edge, whether it is folded.
    first, second
        By edge and value, what each end takes of the cost; 0 for edges that stay.
    """

    dropped: Array
    first: Array
    second: Array

    @property
    def name(self) -> str:
        """What it takes away."""
        return "separable edges"

    @property
    def removed(self) -> int:
        """Number of those edges."""
        return int(self.dropped.sum())

    def lift(self, duals: Duals) -> Duals:
        """Let the edges give what they are made of."""
        sides = []
        for side, (terms, given) in enumerate(((self.first, duals.first), (self.second, duals.second))):
            messages = terms << duals.scale
            messages[np.repeat(~self.dropped, self.before.edge_sizes[:, side])] = given
            sides.append(messages)
        return replace(duals, first=sides[0], second=sides[1])


def fold_separable(tables: Tables) -> tuple[Tables, Separable] | None:
    """Fold every edge that can be, those of all costs forbidden excepted."""
    terms = [np.zeros(len(places(tables, side)), dtype=np.int64) for side in (0, 1)]
    dropped = np.zeros(len(tables.ends), dtype=bool)
    starts = [side_starts(tables, side) for side in (0, 1)]
    for group, costs in blocks(tables):
        rows, columns = costs[:, :, 0], costs[:, 0, :] - costs[:, 0, :1]
        same = (costs == rows[:, :, None] + columns[:, None, :]).all(axis=(1, 2))
        same &= (costs < FORBIDDEN).all(axis=(1, 2))
        dropped[group] = same
        for side, parts in enumerate((rows, columns)):
            where = starts[side][group[same]][:, None] + np.arange(parts.shape[1])
            terms[side][where] = parts[same]
    if not dropped.any():
        return None
    unary = tables.unary.copy()
    for side in (0, 1):
        np.add.at(unary, places(tables, side), terms[side])
    unary[tables.unary >= FORBIDDEN] = FORBIDDEN
    after = without_edges(tables.replace(unary=unary), dropped)
    return after, Separable(tables, dropped, terms[0], terms[1])


def without_edges(tables: Tables, dropped: Array) -> Tables:
    """Return tables without some edges."""
    lengths = np.diff(tables.edge_starts)[~dropped]
    edges = tables.edges[ranges(tables.edge_starts[:-1][~dropped], lengths)]
    return tables.replace(ends=tables.ends[~dropped], edges=edges)
