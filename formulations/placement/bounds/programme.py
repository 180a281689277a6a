"""The linear programme of `exchanges`, in floating point: it proposes multipliers and what to cut off next."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from formulations.placement.bounds.families import separated

if TYPE_CHECKING:
    from formulations.placement.bounds.families import Inequality
    from hypar_opt.costgraph import Array


@dataclass(frozen=True, eq=False)
class Proposal:
    """What the solver makes of it.

    Parameters
    ----------
    exchanged
        By level and pair of sites, shape (levels, pairs).
    partners
        Multipliers of every site's having one partner a level, shape (levels, sites).
    cuts
        Multipliers of the inequalities, shape (inequalities,).
    """

    exchanged: Array
    partners: Array
    cuts: Array


@dataclass(eq=False)
class Programme:
    """Columns: x by level and pair, then for every site whether it is taken.

    Parameters
    ----------
    prices
        By level and pair of sites, shape (levels, pairs).
    first, second
        The pairs.
    sites, leaves
        How many there are.
    added
        Inequalities.
    """

    prices: Array
    first: Array
    second: Array
    sites: int
    leaves: int
    added: list[Inequality] = field(default_factory=list)

    def solved(self, seconds: float | None) -> Proposal | None:
        """Solve, or return None if the solver did not."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array, vstack

        levels, pairs = self.prices.shape
        scale = float(self.prices.max()) or 1.0
        rows = [csr_array(np.concatenate([self._row(one), np.zeros(self.sites)])[None, :]) for one in self.added]
        result = linprog(
            np.concatenate([self.prices.ravel() / scale, np.zeros(self.sites)]),
            A_ub=vstack([self._once, *rows]),
            b_ub=np.concatenate([np.ones(pairs), [-float(one.least) for one in self.added]]),
            A_eq=self._degrees,
            b_eq=np.concatenate([np.zeros(levels * self.sites), [float(self.leaves)]]),
            bounds=[(0, None)] * (levels * pairs) + [(0, 1)] * self.sites,
            method="highs",
            options={} if seconds is None else {"time_limit": max(seconds, 0.01)},
        )
        if result.status != 0:
            return None
        return Proposal(
            result.x[: levels * pairs].reshape(levels, pairs),
            result.eqlin.marginals[:-1].reshape(levels, self.sites) * scale,
            -result.ineqlin.marginals[pairs:] * scale,
        )

    def _row(self, one: Inequality) -> Array:
        row: Array = -np.concatenate(list(separated(one, self.first, self.second))).astype(float)
        return row

    @cached_property
    def _once(self) -> Any:
        """Two sites are partners at one level at most."""
        from scipy.sparse import csr_array, eye_array, hstack

        levels, pairs = self.prices.shape
        return hstack([*[eye_array(pairs)] * levels, csr_array((pairs, self.sites))]).tocsr()

    @cached_property
    def _degrees(self) -> Any:
        """A taken site has one partner a level, and 2^H are taken."""
        from scipy.sparse import block_diag, csr_array, eye_array, hstack, vstack

        levels, pairs = self.prices.shape
        ends = np.concatenate([self.first, self.second])
        incidence = csr_array((np.ones(2 * pairs), (ends, np.tile(np.arange(pairs), 2))), shape=(self.sites, pairs))
        taken = vstack([-eye_array(self.sites)] * levels)
        count = np.concatenate([np.zeros(levels * pairs), np.ones(self.sites)])
        return vstack([hstack([block_diag([incidence] * levels), taken]), csr_array(count[None, :])]).tocsr()
