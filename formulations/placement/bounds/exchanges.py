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

from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.cuts import candidates, lowered
from formulations.placement.bounds.families import Families, Inequality, separated
from formulations.placement.bounds.programme import Programme, Proposal
from formulations.placement.bounds.result import LowerBound

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    programme = Programme(prices, first, second, graph.sites, graph.leaves)
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


def proven(programme: Programme, proposal: Proposal) -> int:
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
    return -(-(taken - below + _weighed(cuts, programme.added)) // unit)


def _weighed(cuts: Sequence[int], added: Sequence[Inequality]) -> int:
    return sum(multiplier * one.least for multiplier, one in zip(cuts, added, strict=True))


def _rounded(multipliers: Array, unit: int) -> Array:
    """Return whole numbers of 1 / unit."""
    whole = [round(float(x) * unit) for x in multipliers.ravel()]
    return np.array(whole, dtype=object).reshape(multipliers.shape)


def _tables(programme: Programme, exchanged: Array) -> Array:
    """Return a symmetric table of pairs of sites for every level."""
    tables: Array = np.zeros((len(exchanged), programme.sites, programme.sites))
    tables[:, programme.first, programme.second] = exchanged
    return tables + tables.swapaxes(1, 2)
