"""Strategies for the sites, sites for the strategies, and so on until nothing improves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.placement.start import best_start
from hypar_opt.formulation.run import Run, Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from formulations.joint.common import Incumbent
    from formulations.joint.strategies import Strategies, Strategy
    from hypar_opt.costgraph.placement import PlacementGraph

    Placer = Callable[[PlacementGraph, Run], Sequence[int] | None]


def quick_sites(graph: PlacementGraph, run: Run) -> Sequence[int]:
    """Return sites that are found in a short time, no worse than the run's start."""
    return best_start(graph, run)[0]


def alternated(
    best: Incumbent,
    strategies: Strategies,
    first: Strategy,
    sites: Placer = quick_sites,
    placed: Sequence[int] | None = None,
) -> int:
    """Offer pairs until neither side improves on the other, and return how often sites were looked for.

    Every step keeps one side and gives the other a choice that is no worse for it: what the pair costs
    never rises, and it ends when it stays.

    Parameters
    ----------
    first
        Strategies to begin with.
    sites
        Asked for the sites of some volumes, with those of the step before as its start.
    placed
        Sites to begin with.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    graph, plan = best.graph, first
    value: int | None = None
    rounds = 0
    while True:
        rounds += 1
        start = None if placed is None else tuple(placed)
        placed = sites(graph.placing(plan.volumes), Run("placement", best.run.limits, start))
        if placed is None:
            raise Stopped
        best.offer(plan.choices, placed)
        plan = strategies.best(graph.placement.weights(placed))
        best.offer(plan.choices, placed)
        reached = int(plan.value)
        if value is not None and reached >= value:
            return rounds
        value = reached
