"""alternating: best strategies for the sites, good sites for the strategies, from several beginnings.

The gap that it states is to the least P over the polyhedron of weights that quick bounds of placements leave
(`outer`, without any search for sites): a proven lower bound of the joint optimum, whatever the sites.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formulations.joint.common import Incumbent
    from formulations.joint.strategies import Strategies, Strategy
    from hypar_opt.costgraph.placement import JointGraph, PlacementGraph

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
        from formulations.joint.common import unsuited
        from formulations.joint.strategies import refused
        from formulations.placement.local_search import FORMULATION as LOCAL_SEARCH

        reason = unsuited(graph) or refused(graph, run)
        if reason is not None:
            return reason
        reason = LOCAL_SEARCH.accepts(graph.placing((1,) * graph.levels), run)
        return None if reason is None else f"local-search, which it asks, declines: {reason}"

    def solve(self, graph: JointGraph, run: Run) -> Solution:
        """Alternate from every beginning, then bound."""
        from formulations.joint.alternation import alternated
        from formulations.joint.common import Incumbent, conclude
        from formulations.joint.enumeration import MAX_LEVELS
        from formulations.joint.outer import Outer, quick_bound
        from formulations.joint.strategies import NoPlan, Strategies

        best, strategies = Incumbent.of(graph, run), Strategies(graph, run.limits)
        rounds, ended = 0, "nothing improves"
        try:
            for number, first in enumerate(beginnings(best, strategies), start=1):
                run.phase(f"alternating, beginning {number}")
                rounds += alternated(best, strategies, first)
            if graph.placement.sites <= (SEARCHED if graph.placement.usage is None else SEARCHED_FOR_TIME):
                run.phase("searching from the best")
                rounds += alternated(best, strategies, best_so_far(best), polished, best.placed)
        except Stopped:
            ended = "stopped"
        except NoPlan:
            return Solution(Status.INFEASIBLE, native_status="no allowed strategies")
        run.phase("bounding")
        outer = Outer(strategies, None, quick_bound(graph, run), best, FEW if graph.levels > MAX_LEVELS else MANY)
        bounded = outer.search(volumes_of(best, strategies))
        facts = {"rounds": rounds, "cuts": len(outer.cuts), "weights_asked": strategies.asked}
        return conclude(best, outer.bound, ended, bounded, facts)


def beginnings(best: Incumbent, strategies: Strategies) -> Iterator[Strategy]:
    """Yield strategies to begin with, each once: for equal weights, the identity's, growing, falling and the best's."""
    levels, placement = best.graph.levels, best.graph.placement
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
    if best.placed is not None:
        yield strategies.best(placement.weights(best.placed))


def best_so_far(best: Incumbent) -> Strategy:
    """Return the strategies of the best pair.

    Raises
    ------
    Stopped
        If there is none.
    """
    from formulations.joint.strategies import Strategy

    if best.choices is None or best.value is None:
        raise Stopped
    return Strategy(Fraction(best.value), best.choices, best.graph.volumes(best.choices))


def volumes_of(best: Incumbent, strategies: Strategies) -> list[tuple[int, ...]]:
    """Return volumes to bound with first: all levels alike, and those of the best pair."""
    equal = (1,) * best.graph.levels
    return [equal] if best.choices is None else [equal, best.graph.volumes(best.choices)]


def polished(graph: PlacementGraph, run: Run) -> Sequence[int] | None:
    """Return the sites of a local search whose length goes with the number of leaves."""
    from formulations.placement.local_search import LocalSearch

    return LocalSearch(RESTARTS, min(STEPS, STEPS_A_LEAF * graph.leaves)).solve(graph, run).choices


FORMULATION = Alternating()
