"""What stages take at least, and at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.pipeline.down_sets.lattice import least_times

if TYPE_CHECKING:
    from hypar_opt.costgraph.pipeline import StageGraph


def upper_bound(graph: StageGraph) -> int:
    """Return what no stage takes more than, whatever it has."""
    return max(sum(map(int, option.times)) + sum(map(int, option.transfers)) for option in graph.options)


def lower_bound(graph: StageGraph) -> int:
    """Return what no plan costs less than: all groups where they take least, evenly."""
    times = [int(one) for one in least_times(graph)]
    effort = sum(int(one) for one in least_times(graph, of_devices=True))
    longest = max(-(-effort // graph.devices), max(times, default=0))
    return graph.sum_weight * sum(times) + graph.max_weight * longest
