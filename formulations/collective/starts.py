"""The best schedule of a gathering that constructions find: what searches begin with."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from formulations.collective.growing import grown
from formulations.collective.matching import matched
from formulations.collective.ring import gathered, ring_of
from formulations.collective.shifted import declined, shifted
from formulations.collective.shifted_paths import not_shifted, paths
from formulations.collective.timing import as_soon_as_possible, until
from hypar_opt.costgraph.collective import Move
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.formulation.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

Route = tuple[int, ...]


def best_start(graph: CollectiveGraph, ways: Sequence[Route], run: Run) -> list[Move] | None:
    """Return the best of all constructions that take the graph, or the first that meets the bound; None where stopped.

    Parameters
    ----------
    ways
        All from accelerator to accelerator.
    """
    least, best = lower_bound(graph).value, None
    for construct in _constructions(graph, ways, run):
        try:
            moves = construct()
        except Stopped:
            break
        found = as_soon_as_possible(graph, moves) if graph.goal == "time" else moves
        if best is None or until(found) < until(best):
            best = found
        if until(best) <= least:
            break
    return best


def _constructions(graph: CollectiveGraph, ways: Sequence[Route], run: Run) -> Iterator[Callable[[], list[Move]]]:
    if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
        if not_shifted(graph) is None:
            yield lambda: paths(graph)
        yield lambda: one_by_one(graph, ways)
        return
    if declined(graph) is None:
        yield lambda: shifted(graph, run)
    yield lambda: matched(graph, run)
    yield lambda: grown(graph, run)
    if graph.switches:  # where everyone has one link, a ring through switches meets the bound
        around = ring_of(graph, run)
        if not isinstance(around, str):
            yield lambda: gathered(graph, around)


def one_by_one(graph: CollectiveGraph, ways: Sequence[Route]) -> list[Move]:
    """Return the sends of all chunks by ways of the fewest sends, in steps in which a link carries one chunk."""
    import networkx as nx

    array: nx.DiGraph[int] = nx.DiGraph()
    short: dict[tuple[int, int], Route] = {}
    for route in sorted(ways, key=len, reverse=True):
        short[route[0], route[-1]] = route
        array.add_edge(route[0], route[-1])
    hops = {source: nx.single_source_shortest_path(array, source) for source in range(graph.accelerators)}
    sends = [
        Move(place, place + 1, chunk, short[pair])
        for chunk, demand in enumerate(graph.demands)
        for target in demand.targets
        if target not in demand.sources
        for place, pair in enumerate(pairwise(hops[demand.sources[0]][target]))
    ]
    in_steps = replace(graph, links=tuple(replace(link, latency=0, transfer=1) for link in graph.links))
    return as_soon_as_possible(in_steps, sends)
