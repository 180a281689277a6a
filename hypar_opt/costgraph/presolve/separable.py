"""Edges that cost what their values cost apart: cost(a, b) = u(a) + v(b). They become costs of the values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Duals, Tables
from hypar_opt.costgraph.duals import places
from hypar_opt.costgraph.presolve.reduction import ReductionStep
from hypar_opt.costgraph.presolve.sums import blocks, side_starts


@dataclass(frozen=True, eq=False)
class Separable(ReductionStep):
    """Edges folded into their variables.

    Parameters
    ----------
    terms
        What the first and what the second end takes of the cost, by edge and value; 0 for edges that stay.
    """

    terms: tuple[Array, Array]

    def lift(self, duals: Duals) -> Duals:
        """Let the edges give what they are made of."""
        messages = [terms << duals.scale for terms in self.terms]
        for side, given in enumerate(duals.messages):
            messages[side][np.repeat(~self.gone, self.before.edge_sizes[:, side])] = given
        return replace(duals, first=messages[0], second=messages[1])


def fold_separable(tables: Tables) -> tuple[Tables, Separable] | None:
    """Fold every edge that can be, those of all costs forbidden excepted."""
    starts = [side_starts(tables, side) for side in (0, 1)]
    terms = tuple(np.zeros(int(some[-1]), dtype=np.int64) for some in starts)
    dropped = np.zeros(len(tables.ends), dtype=bool)
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
    edges = tables.edges[np.repeat(~dropped, np.diff(tables.edge_starts))]
    after = tables.replace(unary=unary, ends=tables.ends[~dropped], edges=edges)
    return after, Separable(tables, "separable edges", dropped, (terms[0], terms[1]))
