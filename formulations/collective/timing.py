"""From the order of sends to when each is, where links have times of their own."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypar_opt.costgraph.collective import Move
from hypar_opt.costgraph.collective.replay import least_duration

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.costgraph.collective import CollectiveGraph


def as_soon_as_possible(graph: CollectiveGraph, moves: Iterable[Move]) -> list[Move]:
    """Return the same sends in the same order, each as soon as its chunk is there and all links of its route are free.

    Parameters
    ----------
    moves
        In synchronous steps. What arrives at an accelerator in earlier steps is waited for.
    """
    there: dict[tuple[int, int], int] = {}
    free: dict[tuple[int, int], int] = {}
    found: list[Move] = []
    waiting: list[Move] = []

    def arrived() -> None:
        for one in waiting:
            key = one.chunk, one.route[-1]
            there[key] = max(there.get(key, 0), one.end)
        waiting.clear()

    step = 0
    for one in sorted(moves):
        if one.begin != step:
            arrived()
            step = one.begin
        hops = list(pairwise(one.route))
        begin = max([there.get((one.chunk, one.route[0]), 0), *(free.get(hop, 0) for hop in hops)])
        end = begin + least_duration(graph, one.route)
        free.update(dict.fromkeys(hops, end))
        found.append(one._replace(begin=begin, end=end))
        waiting.append(found[-1])
    return found
