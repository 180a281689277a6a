"""What a bound leaves over: values and pairs that some assignment within reach of it may have.

Under messages and prices with the bound B (`hypar_opt.costgraph.duals`) an assignment x that fits costs at least

    B + sum over variables i of excess_i(x_i) + sum over edges e = (i, j) of excess_e(x_i, x_j),

excess being a priced cost less the least of its variable or edge. So none below B + reach has a pair with

    excess_i(a) + excess_e(a, b) + excess_j(b) >= reach,

or a value with

    excess_i(a) + sum over edges e = (i, j) of min over b of [excess_e(a, b) + excess_j(b)] >= reach.

(Reduced-cost fixing, on a star of the graph where one column alone would say less.) What is left is a core; its best
assignment is the best of all if it costs no more than B + reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph.memory import least_of
from hypar_opt.costgraph.tables import FORBIDDEN, Tables
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph.duals import EdgeIndex, Priced
    from hypar_opt.costgraph.unary import Array

FAR: Final = 2**61
"""No excess is told from a larger one; two of them fit 64 bits."""


@dataclass(frozen=True, eq=False)
class Excess:
    """By how much values and pairs lift the bound, in units of 2^-scale.

    Parameters
    ----------
    values
        Of every value, with its star.
    pairs
        Of every pair, with its two values; FAR where it is forbidden.
    """

    values: Array
    pairs: Array

    @staticmethod
    def of(priced: Priced, index: EdgeIndex) -> Excess:
        """Return it for prices."""
        tables = priced.tables
        own = _above_least(priced.unary, tables.unary < FORBIDDEN, tables.starts)
        pairs = _above_least(priced.edges, tables.edges < FORBIDDEN, tables.edge_starts)
        # what is capped is still sound, and sums fit
        most = FAR // (1 + int(np.diff(tables.incident[1]).max(initial=0)))
        stars = np.minimum(own, most)
        ends = [own[index.values(side)] for side in (0, 1)]
        for side in (0, 1):
            least = np.minimum(index.least(side, _sum(pairs, ends[1 - side])), most)
            np.add.at(stars, index.places[side], least)
        return Excess(stars, _sum(_sum(pairs, ends[0]), ends[1]))

    def core(self, tables: Tables, index: EdgeIndex, reach: int | None) -> Tables:
        """Return tables that forbid what costs `reach` above the bound, or more; None: only what is forbidden."""
        most = 2 * FAR if reach is None else min(reach, 2 * FAR)
        unary = np.where(self.values < most, tables.unary, FORBIDDEN)
        edges = np.where(self.pairs < most, tables.edges, FORBIDDEN)
        return consistent(tables.replace(unary=unary, edges=edges), index)


def consistent(tables: Tables, index: EdgeIndex, over: Callable[[], bool] = never) -> Tables:
    """Forbid values without a partner on some edge, and pairs with a forbidden value, until there are none.

    Parameters
    ----------
    over
        Asked before every look at all edges, of which a long path takes as many as it has: whether to be content with
        what is forbidden by then.
    """
    unary, edges = tables.unary.copy(), tables.edges.copy()
    while not over():
        for side in (0, 1):
            edges[unary[index.values(side)] >= FORBIDDEN] = FORBIDDEN
        before = np.count_nonzero(unary < FORBIDDEN)
        for side in (0, 1):
            unary[index.places[side][index.least(side, edges) >= FORBIDDEN]] = FORBIDDEN
        if np.count_nonzero(unary < FORBIDDEN) == before:
            break
    return tables.replace(unary=unary, edges=edges)


def possible(tables: Tables) -> bool:
    """Return whether every variable has an allowed value."""
    return bool((least_of(tables.unary, tables.starts) < FORBIDDEN).all())


def size(tables: Tables) -> int:
    """Return how many values and pairs of values are allowed."""
    return int(np.count_nonzero(tables.unary < FORBIDDEN) + np.count_nonzero(tables.edges < FORBIDDEN))


def _above_least(values: Array, allowed: Array, starts: Array) -> Array:
    """Return by how much every number is above the least of its part."""
    least = np.repeat(least_of(values, starts), np.diff(starts))
    found: Array = np.where(allowed, np.minimum(values - least, FAR), FAR)
    return found


def _sum(one: Array, other: Array) -> Array:
    """Return a sum of numbers from 0 to FAR, at most FAR."""
    found: Array = np.minimum(one + other, FAR)
    return found
