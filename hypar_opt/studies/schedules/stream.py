"""What a microbatch takes in the long run where no device ever waits for a batch to end."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from hypar_opt.studies.schedules.stages import Batch


def seconds_a_microbatch(batch: Batch) -> Fraction:
    """Return how far apart microbatches end in the mean of an endless stream: one forward, one backward.

    It is the greatest ratio of a circle's seconds to the microbatches that it goes on, over all circles of operations
    of which each waits for the one before. Two batches do not tell it: while a pipeline of long lags is still filling,
    they end closer to each other than later ones.
    """
    waits = _waits(batch)
    found = max((one.forward + one.backward for one in batch.stages), default=Fraction(0))
    while (circle := _slower(waits, found)) is not None:
        steps = [waits.edges[edge] for edge in pairwise(circle)]
        found = Fraction(sum(one["seconds"] for one in steps), sum(one["ahead"] for one in steps))
    return found


def _waits(batch: Batch) -> nx.DiGraph[object]:
    """Return what waits for what, how long, and for which microbatch of it: so many before its own.

    Stage s of S has S - s microbatches in flight.
    """
    graph: nx.DiGraph[object] = nx.DiGraph()
    stages = batch.stages
    for stage, one in enumerate(stages):
        forward, backward, flight = ("forward", stage), ("backward", stage), len(stages) - stage
        graph.add_edge(forward, backward, seconds=one.forward, ahead=1 - flight)
        graph.add_edge(backward, forward, seconds=one.backward, ahead=flight)
        for other in batch.reads[stage]:
            maker = stages[other]
            graph.add_edge(("forward", other), forward, seconds=maker.forward + maker.lag, ahead=0)
            graph.add_edge(backward, ("backward", other), seconds=one.backward + maker.lag, ahead=0)
        for what, other in one.beyond:
            first = stages[other]
            seconds = first.forward + first.lag if what == "forward" else first.backward + one.lag
            graph.add_edge((what, other), backward, seconds=seconds, ahead=0)
    return graph


def _slower(waits: nx.DiGraph[object], than: Fraction) -> list[object] | None:
    """Return a circle with more seconds a microbatch than some; None where there is none."""
    weighed: nx.DiGraph[object] = nx.DiGraph()
    weighed.add_weighted_edges_from(
        (a, b, than * one["ahead"] - one["seconds"]) for a, b, one in waits.edges(data=True)
    )
    weighed.add_weighted_edges_from([("begin", one, 0) for one in waits])
    if not nx.negative_edge_cycle(weighed):
        return None
    found: list[object] = nx.find_negative_cycle(weighed, "begin")
    return found
