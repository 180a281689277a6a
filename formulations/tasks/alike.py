"""Tasks that are alike in everything, of which it does not matter which is which."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from hypar_opt.costgraph.tasks import TimedGraph


def alike(graph: TimedGraph) -> Iterator[tuple[int, int]]:
    """Yield pairs of tasks of which the first may be said to begin no later than the second.

    Two that take the same, wait for the same, are waited for by the same and keep the same can change places in any
    schedule. Those of groups are left out, and whatever others keep something until the end of.
    """
    before: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    behind: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for wait in graph.waits:
        before[wait.second].append((wait.first, wait.lag, wait.distance))
        behind[wait.first].append((wait.second, wait.lag, wait.distance))
    kept: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for one in graph.kept:
        kept[one.first].append((one.memory, one.amount, -1 if one.last == one.first else one.last))
    ends = {one.last for one in graph.kept if one.last != one.first}
    classes: dict[Hashable, list[int]] = defaultdict(list)
    for place, task in enumerate(graph.tasks):
        if task.group is None and place not in ends:
            sets = tuple(tuple(sorted(one[place])) for one in (before, behind, kept))
            classes[task._replace(takes=tuple(sorted(task.takes))), sets].append(place)
    for places in classes.values():
        yield from pairwise(places)
