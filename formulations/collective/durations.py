"""How long chunks take routes, in whole steps or in what divides all times."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from hypar_opt.costgraph.collective.replay import least_duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph

Route = tuple[int, ...]


def durations(graph: CollectiveGraph, ways: Sequence[Route]) -> dict[Route, int]:
    """Return in how many steps a chunk takes each route: one, or in time what that takes, in `step_of`."""
    unit = step_of(graph)
    return {route: least_duration(graph, route) // unit if graph.goal == "time" else 1 for route in ways}


def step_of(graph: CollectiveGraph) -> int:
    """Return what a step is: in time what divides all latencies and transfers."""
    if graph.goal != "time":
        return 1
    return gcd(*(number for link in graph.links for number in (link.latency, link.transfer)))
