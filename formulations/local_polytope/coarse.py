"""A core's costs in small numbers, as relaxations: what HiGHS is given, and what its bound then says.

Messages move costs from pairs to values and back without changing what any assignment costs; under those of the best
bound, in whole units, the least of every variable and edge add up to nearly all of it. So only what is above the least
is handed over, and of that no more than the best plan has. Where even this is too wide it is rounded down to multiples
of a size (`formulations.flow_model.refinement` says why).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from formulations.flow_model.finish import GAP, INTEGRALITY
from hypar_opt.costgraph import FORBIDDEN, Array, Duals, Priced, Tables

MOST = 2**35
"""The largest cost that HiGHS is told: many assignments may cost the same, so that less than 1 has to be left open."""
ABSOLUTE, RELATIVE = 1e-3, 1e-11
"""By how much its bound may be too high: of `MOST`, with the gap that is asked for, less than 1 in all."""
NOTE = (
    f"proven in floating point, in whole costs above the least of up to {MOST:,}: gap below {GAP}, values integral "
    f"within {INTEGRALITY:g}, bound trusted to {RELATIVE:g} of it"
)


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
    size: int

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
        above, priced = above_least(core, duals)
        unary, edges = above.unary, above.edges
        most = _most(unary, core.starts) + _most(edges, core.edge_starts)
        if value is not None:
            most = min(most, max(0, math.ceil(value - priced.bound)))
        size = max(1, -(-most // MOST))
        tables = core.replace(unary=_rounded(unary, size, most), edges=_rounded(edges, size, most), constant=0)
        return Coarse(tables, priced.bound, size)

    def lower(self, bound: float | None) -> int:
        """Return what an assignment costs at least, for HiGHS's bound of these tables."""
        found = 0.0 if bound is None or not math.isfinite(bound) else bound
        safe = max(0, math.ceil(found - ABSOLUTE - RELATIVE * found))
        return math.ceil(self.base + self.size * safe)


def above_least(core: Tables, duals: Duals) -> tuple[Tables, Priced]:
    """Return what messages in whole units leave of costs above the least of every variable and edge, and its bound."""
    priced = Priced(core, _whole(duals))
    unary = _above(priced.unary, core.unary < FORBIDDEN, core.starts)
    edges = _above(priced.edges, core.edges < FORBIDDEN, core.edge_starts)
    return core.replace(unary=unary, edges=edges, constant=0), priced


def _whole(duals: Duals) -> Duals:
    """Return the messages in whole units: any are sound, and sums of whole numbers need no rounding."""
    first, second = (one >> duals.scale for one in (duals.first, duals.second))
    return Duals(0, first, second, np.zeros_like(duals.prices))


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


def _rounded(values: Array, size: int, most: int) -> Array:
    """Return the multiples of a size; what is beyond `most` is so by itself, and need not be told how far."""
    found: Array = np.where(values < FORBIDDEN, np.minimum(values // size, most // size + 1), FORBIDDEN)
    return found
