"""joint-enumeration: over level weights, the only thing that strategies see of a placement.

Small arrays: list all placements up to the symmetries of the partition tree, keep the vectors of level weights that
no other vector is at most as large as (`embeddings`), and ask joint-dp for the best strategies of each. P never
falls when a weight grows, so that one of the vectors kept attains the joint optimum.

Larger ones: the same search over a polyhedron around all weight vectors, refined until it is exact where it
matters (`outer` has the proof). joint-dp gives the strategies, placement-cp-sat the sites.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.joint.common import Pairs, conclude, unsuited
from formulations.joint.polyhedron import MAX_LEVELS
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from formulations.joint.oracles import Strategies
    from hypar_opt.costgraph.placement import JointGraph

LISTED = 500_000
"""Placements, up to symmetry, that are listed one by one: 8 leaves on 12 sites have 415,800."""


@dataclass(frozen=True)
class JointEnumeration:
    """Weight vectors one by one, or an outer approximation of them."""

    name: ClassVar[str] = "joint-enumeration"
    summary: ClassVar[str] = "exact: best strategies for every level weights that a placement can have"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        needs_words=True,
        warm_start=True,
        encoding="level-weights",
        packages=("ortools",),
        decides="both",
        rank=100,
        default_for={"joint": 1},
        vouches_for={"joint": 1},
    )

    def accepts(self, graph: JointGraph, run: Run) -> str | None:
        """Accept what joint-dp takes, on arrays that are small or that placement-cp-sat takes."""
        from formulations.joint.oracles import refused

        reason = unsuited(graph) or refused(graph, run)
        if reason is not None or is_small(graph):
            return reason
        if graph.levels > MAX_LEVELS:
            return f"its polyhedron would have {graph.levels} dimensions, its limit is {MAX_LEVELS}; try alternating"
        from formulations.placement.cp_sat import FORMULATION

        reason = FORMULATION.accepts(graph.placing((1,) * graph.levels), run)
        return None if reason is None else f"placement-cp-sat, which it asks, declines: {reason}; try alternating"

    def solve(self, graph: JointGraph, run: Run) -> Solution:
        """List or approximate."""
        from formulations.joint.oracles import NoStrategies, Strategies, offer_identity

        best, strategies = Incumbent.of(Pairs(graph), run), Strategies(graph, run.limits)
        try:
            offer_identity(best, strategies)
            return (listed if is_small(graph) else approximated)(best, strategies)
        except NoStrategies:
            return Solution(Status.INFEASIBLE, native_status="no allowed strategies")
        except Stopped:
            return conclude(best, None, "stopped")


def is_small(graph: JointGraph) -> bool:
    """Return whether all placements can be listed."""
    from formulations.joint import embeddings

    return embeddings.count(graph.placement) <= LISTED


def listed(best: Incumbent, strategies: Strategies) -> Solution:
    """Ask for the best strategies of every vector that is not dominated."""
    from formulations.joint import embeddings

    placement = strategies.graph.placement
    best.run.phase("listing the placements")
    found = embeddings.least_weights(placement)
    best.run.phase(f"best strategies for {len(found)} weight vectors")
    facts = {"placements": embeddings.count(placement), "weight_vectors": len(found)}
    try:
        for weights, placed in found.items():
            best.offer((*strategies.best(weights).choices, *placed))
    except Stopped:
        return conclude(best, None, "stopped", facts=facts)
    return conclude(best, best.value, "all weight vectors seen", facts=facts)


def approximated(best: Incumbent, strategies: Strategies) -> Solution:
    """Raise a bound over a polyhedron until a pair meets it."""
    from formulations.joint.alternating import alternated
    from formulations.joint.oracles import Placements, quick_bound
    from formulations.joint.outer import Outer, first_volumes
    from formulations.placement.cp_sat import FORMULATION

    graph, run = strategies.graph, best.run
    run.phase("refining the polyhedron of level weights")
    placements = Placements(graph, run.limits, FORMULATION.remembering())
    outer = Outer(strategies, placements, quick_bound(graph, run), best)
    try:
        alternated(best, strategies, strategies.best((1,) * graph.levels))
        volumes = first_volumes(graph, strategies)
    except Stopped:
        return conclude(best, None, "stopped")
    ended = outer.search(volumes)
    facts = {"cuts": len(outer.cuts), "placements_searched": placements.asked, "weights_asked": strategies.asked}
    return conclude(best, outer.bound, ended, facts=facts)


FORMULATION = JointEnumeration()
