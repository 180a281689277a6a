"""Into which of so many steps sends are put, where rounds are to be few."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.costgraph.collective import CollectiveGraph, Move


def in_given_steps(graph: CollectiveGraph, moves: Iterable[Move], steps: int) -> list[Move] | None:
    """Return the sends of a gathering in so many steps, where rounds are to be few; None where a tree is too deep.

    One after the other each is put into the step in which it adds least to what the busiest link carries, behind the
    one by which its chunk arrives, and early enough for all behind it.

    Parameters
    ----------
    moves
        In synchronous steps, each chunk's to every accelerator once at most.
    """
    ordered = sorted(moves)
    behind: dict[tuple[int, int], int] = {}
    for one in reversed(ordered):
        key = one.chunk, one.route[0]
        behind[key] = max(behind.get(key, 0), 1 + behind.get((one.chunk, one.route[-1]), 0))
    arrived: dict[tuple[int, int], int] = {}
    load: Counter[tuple[int, tuple[int, int]]] = Counter()
    rounds = [0] * steps
    found = []
    for one in ordered:
        hops = list(pairwise(one.route))
        earliest = arrived.get((one.chunk, one.route[0]), 0)
        latest = steps - behind.get((one.chunk, one.route[-1]), 0)
        if earliest >= latest:
            return None
        needed = {
            step: max(-(-(load[step, hop] + 1) // graph.link_of[hop].messages) for hop in hops)
            for step in range(earliest, latest)
        }
        _, step = min((max(0, count - rounds[step]), step) for step, count in needed.items())
        rounds[step] = max(rounds[step], needed[step])
        load.update((step, hop) for hop in hops)
        arrived[one.chunk, one.route[-1]] = step + 1
        found.append(one._replace(begin=step, end=step + 1))
    return found
