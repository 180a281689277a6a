"""A core's costs in small numbers, as relaxations: what HiGHS is given, and what its bound then says.

Messages move costs from pairs to values and back without changing what any assignment costs; under those of the best
bound the least of every variable and edge add up to nearly all of it. So only what is above the least is handed over,
rounded down to multiples of a size such that what the best plan has above the bound is small
(`formulations.polytope.refinement` says why).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from formulations.polytope.rounding import MOST, safe_bound
from hypar_opt.costgraph import FORBIDDEN, Duals, Priced

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables


@dataclass(frozen=True, eq=False)
class Coarse:
    """A relaxation of tables in small numbers.

    Parameters
    ----------
    tables
        Of the same values and memory.
    base
        What every assignment costs at least.
    size
        Of a unit of the tables' costs.
    """

    tables: Tables
    base: Fraction
    size: Fraction

    @staticmethod
    def of(core: Tables, duals: Duals, value: int | None) -> Coarse:
        """Return the relaxation of a core.

        Parameters
        ----------
        duals
            Whose messages are used; the prices of memory would change what an assignment costs.
        value
            Of the best plan, beyond which nothing need be told apart; None without one.
        """
        priced = Priced(core, Duals(duals.scale, duals.first, duals.second, np.zeros_like(duals.prices)))
        unary = _above(priced.unary, core.unary < FORBIDDEN, core.starts)
        edges = _above(priced.edges, core.edges < FORBIDDEN, core.edge_starts)
        scale = 1 << duals.scale
        most = _most(unary, core.starts) + _most(edges, core.edge_starts)
        if value is not None:
            most = min(most, max(0, math.ceil((value - priced.bound) * scale)))
        size = max(1, -(-most // MOST))
        tables = core.replace(unary=_rounded(unary, size), edges=_rounded(edges, size), constant=0)
        return Coarse(tables, priced.bound, Fraction(size, scale))

    def lower(self, bound: float | None) -> int:
        """Return what an assignment costs at least, for HiGHS's bound of these tables."""
        safe = None if bound is None else safe_bound(bound)
        return math.ceil(self.base + self.size * (safe or 0))


def _above(values: Array, allowed: Array, starts: Array) -> Array:
    """Return by how much every number is above the least of its part; FORBIDDEN where it is not allowed."""
    if len(starts) < 2:
        return values
    least = np.repeat(np.minimum.reduceat(values, starts[:-1]), np.diff(starts))
    found: Array = np.where(allowed, np.minimum(values - least, FORBIDDEN - 1), FORBIDDEN)
    return found


def _most(values: Array, starts: Array) -> int:
    """Return the sum over parts of their largest allowed number; exact, however large."""
    if len(starts) < 2:
        return 0
    return sum(np.maximum.reduceat(np.where(values < FORBIDDEN, values, 0), starts[:-1]).tolist())


def _rounded(values: Array, size: int) -> Array:
    found: Array = np.where(values < FORBIDDEN, np.minimum(values // size, MOST + 1), FORBIDDEN)
    return found
