"""From a placement and a bound to a solution, and what the heuristics for placements share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.placement.bounds import LowerBound, lower_bound
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run

MOST_SITES = 1 << 12
"""Sites up to which a bound is worked out, and tables of all pairs of sites are kept."""


def bound_of(graph: PlacementGraph, run: Run) -> LowerBound | None:
    """Return what no placement can beat, and tell the run; None where sites are too many."""
    if graph.sites > MOST_SITES:
        return None
    run.phase("working out a lower bound")
    bound = lower_bound(graph, run)
    run.bound(bound.value)
    return bound


def concluded(
    graph: PlacementGraph,
    placed: Sequence[int],
    bound: LowerBound | None,
    native: str,
    statistics: Mapping[str, int | float | str] | None = None,
) -> Solution:
    """Return a solution: OPTIMAL where the placement meets the bound, and then by which argument."""
    choices, facts = tuple(int(site) for site in placed), dict(statistics or {})
    if bound is None:
        note = f"no bound: {graph.sites:,} sites, and it is worked out up to {MOST_SITES:,}"
        return Solution(Status.FEASIBLE, choices, None, native, note, facts)
    facts["bound_by"] = bound.text
    if graph.value(choices) == bound.value:
        return Solution(Status.OPTIMAL, choices, bound.value, f"{native}; meets the bound: {bound.text}", "", facts)
    return Solution(Status.FEASIBLE, choices, bound.value, native, "", facts)


def gray(graph: PlacementGraph) -> tuple[int, ...]:
    """Return the placement whose sites in order hold the leaves of the reflected Gray code.

    Neighbouring sites then hold leaves that are partners at some level.
    """
    placed = [0] * graph.leaves
    for site in range(graph.leaves):
        placed[site ^ site >> 1] = site
    return tuple(placed)


def too_many_sites(graph: PlacementGraph) -> str | None:
    """Return why not, with the alternative, or None."""
    if graph.sites <= MOST_SITES:
        return None
    return f"{graph.sites:,} sites, and it takes up to {MOST_SITES:,}; try identity"
