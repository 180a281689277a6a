"""Ways between accelerators: through switches alone, and from one accelerator to the next where there is no such way.

Of several ways through switches that are as short, the number of where one goes to says which: it counts through the
switches as through digits, so that those to different accelerators share few links.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hypar_opt.costgraph.collective import CollectiveGraph

Route: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Ways:
    """The shortest ways of an array.

    Parameters
    ----------
    graph
        Whose.
    """

    graph: CollectiveGraph
    _next: dict[int, dict[int, Route]] = field(default_factory=dict)
    _before: dict[tuple[int, frozenset[int] | None], dict[int, int]] = field(default_factory=dict)

    def neighbours(self, start: int) -> Mapping[int, Route]:
        """Return the shortest way to every accelerator that can be reached through switches alone."""
        if start not in self._next:
            self._next[start] = _through_switches(self.graph, start)
        return self._next[start]

    def path(self, start: int, target: int, within: frozenset[int] | None = None) -> list[Route]:
        """Return the sends by which a chunk gets from one accelerator to another by fewest others; none if it cannot.

        Parameters
        ----------
        within
            Accelerators that may pass it on; without it all.
        """
        key = start, within
        if key not in self._before:
            self._before[key] = self._reached(start, within)
        before = self._before[key]
        found: list[Route] = []
        node = target
        while node != start:
            if node not in before:
                return []
            found.append(self.neighbours(before[node])[node])
            node = before[node]
        return found[::-1]

    def _reached(self, start: int, within: Collection[int] | None) -> dict[int, int]:
        """Return by accelerator from which one it is reached first."""
        before: dict[int, int] = {}
        waiting = deque([start])
        while waiting:
            node = waiting.popleft()
            for other in self.neighbours(node):
                if other != start and other not in before and (within is None or other in within):
                    before[other] = node
                    waiting.append(other)
        return before


def _through_switches(graph: CollectiveGraph, start: int) -> dict[int, Route]:
    """Return the shortest ways from an accelerator through switches to others, ascending."""
    far = {start: 0}
    before: dict[int, list[int]] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for other in graph.after[node]:
            if other not in far:
                far[other] = far[node] + 1
                if other >= graph.accelerators:
                    waiting.append(other)
            if far[other] == far[node] + 1:
                before.setdefault(other, []).append(node)
    return {node: _backwards(before, start, node) for node in sorted(before) if node < graph.accelerators}


def _backwards(before: Mapping[int, list[int]], start: int, target: int) -> Route:
    route, digits = [target], target
    while route[-1] != start:
        choice = before[route[-1]]
        route.append(choice[digits % len(choice)])
        digits //= len(choice)
    return tuple(route[::-1])
