"""alternating: best strategies for the sites, good sites for the strategies, from several beginnings.

The gap that it states is to the least P over the polyhedron of weights that quick bounds of placements leave
(`outer`, without any search for sites): a proven lower bound of the joint optimum, whatever the sites.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from formulations.joint.common import Pairs, conclude, unsuited
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from formulations.joint.oracles import Strategies, Strategy
    from hypar_opt.costgraph.placement import JointGraph, PlacementGraph

    Placer = Callable[[PlacementGraph, Run], Sequence[int] | None]

FEW, MANY = 6, 30
"""Cuts of the polyhedron, in many dimensions and in few: in many its vertices are soon too many."""
RESTARTS, STEPS, STEPS_A_LEAF = 2, 4000, 100
"""Of the local search that ends it."""
SEARCHED, SEARCHED_FOR_TIME = 256, 64
"""Sites up to which there is one; a move costs more where the busiest link counts."""


@dataclass(frozen=True)
class Alternating:
    """Alternation from several strategies, with a bound."""

    name: ClassVar[str] = "alternating"
    summary: ClassVar[str] = "strategies and sites in turn, with a proven gap; for large arrays"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False,
        needs_words=True,
        warm_start=True,
        packages=("scipy",),
        decides="both",
        rank=120,
        default_for={"joint": 2},
    )

    def accepts(self, graph: JointGraph, run: Run) -> str | None:
        """Accept what joint-dp and local-search take."""
        from formulations.joint.oracles import refused
        from formulations.placement.local_search import FORMULATION as LOCAL_SEARCH

        reason = unsuited(graph) or refused(graph, run)
        if reason is not None:
            return reason
        reason = LOCAL_SEARCH.accepts(graph.placing((1,) * graph.levels), run)
        return None if reason is None else f"local-search, which it asks, declines: {reason}"

    def solve(self, graph: JointGraph, run: Run) -> Solution:
        """Alternate from every beginning, then bound."""
        from formulations.joint.oracles import NoStrategies, Strategies, offer_identity, quick_bound
        from formulations.joint.outer import Outer
        from formulations.joint.polyhedron import MAX_LEVELS

        best, strategies = Incumbent.of(Pairs(graph), run), Strategies(graph, run.limits)
        rounds, ended = 0, "nothing improves"
        try:
            offer_identity(best, strategies)
            for number, first in enumerate(beginnings(best, strategies), start=1):
                run.phase(f"alternating, beginning {number}")
                rounds += alternated(best, strategies, first)
            if graph.placement.sites <= (SEARCHED if graph.placement.usage is None else SEARCHED_FOR_TIME):
                run.phase("searching from the best")
                rounds += alternated(best, strategies, *best_so_far(best, strategies), polished)
        except Stopped:
            ended = "stopped"
        except NoStrategies:
            return Solution(Status.INFEASIBLE, native_status="no allowed strategies")
        run.phase("bounding")
        outer = Outer(strategies, None, quick_bound(graph, run), best, FEW if graph.levels > MAX_LEVELS else MANY)
        volumes = [(1,) * graph.levels]
        if best.choices is not None:
            volumes.append(graph.volumes(Pairs(graph).split(best.choices)[0]))
        bounded = outer.search(volumes)
        facts = {"rounds": rounds, "cuts": len(outer.cuts), "weights_asked": strategies.asked}
        return conclude(best, outer.bound, ended, bounded, facts)


def beginnings(best: Incumbent, strategies: Strategies) -> Iterator[Strategy]:
    """Yield strategies to begin with, each once: for equal weights, the identity's, growing, falling and the best's."""
    levels, placement = strategies.graph.levels, strategies.graph.placement
    seen = set()
    for weights in (
        (1,) * levels,
        placement.weights(range(placement.leaves)),
        tuple(placement.partition.groups(h) for h in range(levels)),
        tuple(placement.leaves // placement.partition.groups(h) for h in range(levels)),
    ):
        first = strategies.best(weights)
        if first.volumes not in seen:
            seen.add(first.volumes)
            yield first
    if best.choices is not None:
        yield strategies.best(placement.weights(Pairs(strategies.graph).split(best.choices)[1]))


def best_so_far(best: Incumbent, strategies: Strategies) -> tuple[Strategy, tuple[int, ...]]:
    """Return the strategies and the sites of the best pair.

    Raises
    ------
    Stopped
        If there is none.
    """
    from formulations.joint.oracles import Strategy

    if best.choices is None or best.value is None:
        raise Stopped
    plan, placed = Pairs(strategies.graph).split(best.choices)
    return Strategy(Fraction(best.value), plan, strategies.graph.volumes(plan)), placed


def quick_sites(graph: PlacementGraph, run: Run) -> Sequence[int]:
    """Return sites that are found in a short time, no worse than the run's start."""
    from formulations.placement.improve import best_start

    return best_start(graph, run)


def alternated(
    best: Incumbent,
    strategies: Strategies,
    first: Strategy,
    placed: Sequence[int] | None = None,
    sites: Placer = quick_sites,
) -> int:
    """Offer pairs until neither side improves on the other, and return how often sites were looked for.

    Every step keeps one side and gives the other a choice that is no worse for it: what the pair costs
    never rises, and it ends when it stays.

    Parameters
    ----------
    first, placed
        Strategies to begin with, and sites, or None.
    sites
        Asked for the sites of some volumes, with those of the step before as its start.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    graph, plan = strategies.graph, first
    value: int | None = None
    rounds = 0
    while True:
        rounds += 1
        start = None if placed is None else tuple(placed)
        placed = sites(graph.placing(plan.volumes), Run("placement", best.run.limits, start))
        if placed is None:
            raise Stopped
        best.offer((*plan.choices, *placed))
        plan = strategies.best(graph.placement.weights(placed))
        best.offer((*plan.choices, *placed))
        if value is not None and plan.value >= value:
            return rounds
        value = int(plan.value)


def polished(graph: PlacementGraph, run: Run) -> Sequence[int] | None:
    """Return the sites of a local search whose length goes with the number of leaves."""
    from formulations.placement.local_search import LocalSearch

    return LocalSearch(RESTARTS, min(STEPS, STEPS_A_LEAF * graph.leaves)).solve(graph, run).choices


FORMULATION = Alternating()
