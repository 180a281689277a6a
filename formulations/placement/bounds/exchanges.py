"""A linear programme over which pairs of sites exchange at which level, and what its multipliers prove.

x[h, uv] says whether sites u and v exchange at level h. Of every placement

* every site that is taken has one partner at every level;
* two sites are partners at one level at most;
* for any weights a of the levels and any set S of sites, the pairs that S separates weigh together at least e_a(|S|),
  the least boundary of as many leaves in the hypercube weighted by a.

Take multipliers y[h, u] of any sign for the first, and lambda >= 0 for the third. A pair's reduced cost at a level is
`volumes[h] x pair_costs[u, v] - y[h, u] - y[h, v] - sum of lambda a_h over the S that separate u and v`. With z[uv]
for how far the least of them over levels lies below 0, no placement costs less than

`(sum of y over levels and sites taken) - (sum of z over pairs) + (sum of lambda e_a(|S|))`,

the first sum over the 2^H sites where it is least. That holds for any multipliers: what a solver proposes in floating
point is rounded, and all else is worked out from it exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from formulations.placement.bounds.cuts import candidates, lowered
from formulations.placement.bounds.families import Families, Inequality, separated
from formulations.placement.bounds.result import LowerBound

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run

MOST_SITES = 64
"""Beyond, the linear programme is too large."""
FEW_SITES = 16
ROUNDS = {True: 30, False: 4}
"""Of adding inequalities, by whether sites are few: of many, a round takes seconds."""
DENOMINATOR = 1 << 24
"""Of the multipliers, divided by the largest price."""
TEXT = "multipliers of a linear programme over which sites exchange at which level, with cuts for choices of levels"


def exchanges(graph: PlacementGraph, run: Run, enough: int | None = None) -> LowerBound | None:
    """Return the bound on what adds up over pairs; None where sites are too many.

    Parameters
    ----------
    enough
        A bound that ends the search for a better one.
    """
    costs, unit = lowered(graph.pair_costs)
    if graph.sites > MOST_SITES or not graph.levels or not costs.max() or not max(graph.volumes):
        return None
    first, second = np.triu_indices(graph.sites, 1)
    prices = np.array(graph.volumes, dtype=object)[:, None] * costs[first, second].astype(object)[None, :]
    programme = ExchangeProgramme(prices, first, second, graph.sites, graph.leaves)
    families = Families(graph, candidates(costs))
    best = 0
    for _ in range(ROUNDS[graph.sites <= FEW_SITES]):
        proposal = None if run.limits.over else programme.solved(run.limits.remaining_s())
        if proposal is None:
            break
        best = max(best, proven(programme, proposal))
        fresh = families.violated(_tables(programme, proposal.exchanged))
        if not fresh or (enough is not None and best * unit >= enough):
            break
        programme.added += fresh
    return LowerBound(best * unit, TEXT)


def proven(programme: ExchangeProgramme, proposal: Proposal) -> int:
    """Return what multipliers prove, whatever they are."""
    size = max(1, int(programme.prices.max()))
    unit = max(1, DENOMINATOR // size) if size < DENOMINATOR else 1
    partners = _rounded(proposal.partners, unit)
    cuts = [max(0, int(x)) for x in _rounded(proposal.cuts, unit)]
    reduced = programme.prices * unit - partners[:, programme.first] - partners[:, programme.second]
    for multiplier, one in zip(cuts, programme.added, strict=True):
        if multiplier:
            for h, apart in enumerate(separated(one, programme.first, programme.second)):
                reduced[h] -= multiplier * apart.astype(object)
    below = sum(-int(least) for least in reduced.min(axis=0) if least < 0)
    taken = sum(sorted(int(x) for x in partners.sum(axis=0))[: programme.leaves])
    weighed = sum(multiplier * one.least for multiplier, one in zip(cuts, programme.added, strict=True))
    return -(-(taken - below + weighed) // unit)


def _rounded(multipliers: Array, unit: int) -> Array:
    """Return whole numbers of 1 / unit."""
    whole = [round(float(x) * unit) for x in multipliers.ravel()]
    return np.array(whole, dtype=object).reshape(multipliers.shape)


def _tables(programme: ExchangeProgramme, exchanged: Array) -> Array:
    """Return a symmetric table of pairs of sites for every level."""
    tables: Array = np.zeros((len(exchanged), programme.sites, programme.sites))
    tables[:, programme.first, programme.second] = exchanged
    return tables + tables.swapaxes(1, 2)


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
class ExchangeProgramme:
    """The linear programme in floating point: it proposes multipliers and what to cut off next.

    Columns: x by level and pair, then for every site whether it is taken.

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
