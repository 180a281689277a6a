"""Taking whole routes at once: nobody holds what he cannot use yet, so nobody can wait for each other."""

from __future__ import annotations

from collections import defaultdict
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Needs: TypeAlias = "Sequence[tuple[int, int]]"
"""Resources, and how many lots of each."""
ARRIVED: Final = -1
"""Instead of a resource: those who have not stood at any yet."""


class RouteReservation:
    """Who waits for whole routes, first come first served among those that can go.

    Nobody is served at once, but all at the end of an instant (`serve`), when everything has been left that is left
    then: of those that can go, whoever came first goes first.

    Whoever cannot go stands at one resource that has no room for him. Until that one has room he cannot go, so he is
    looked at again only then.

    Parameters
    ----------
    capacities
        Of every resource, in lots.
    """

    def __init__(self, capacities: Sequence[int]) -> None:
        self._room = list(capacities)
        self._needs: dict[int, Needs] = {}
        self._standing: dict[int, list[tuple[int, int]]] = defaultdict(list)
        """By resource: who stands at it, as when he came and his number; a heap."""
        self._arrived: list[tuple[int, int]] = []
        self._left: dict[int, None] = {}
        self._count = 0

    def ask(self, number: int, needs: Needs) -> None:
        """Let somebody come who waits for all that he needs."""
        self._needs[number] = needs
        self._arrived.append((self._count, number))
        self._count += 1

    def leave(self, needs: Needs) -> None:
        """Give back what somebody had."""
        for resource, lots in needs:
            self._room[resource] += lots
            self._left[resource] = None

    def serve(self, go: Callable[[int], None], stand: Callable[[int, int], None]) -> None:
        """Let all go that can, in the order in which they came.

        Parameters
        ----------
        go
            Called with everybody who has now got what he needs.
        stand
            Called with everybody who cannot go, and the resource that he stands at now.
        """
        queues = {resource: self._standing[resource] for resource in self._left if resource in self._standing}
        queues[ARRIVED], self._arrived, self._left = self._arrived, [], {}
        heads = [(queue[0], resource) for resource, queue in queues.items() if queue]
        heapify(heads)
        moved = []
        while heads:
            one, resource = heappop(heads)
            if resource != ARRIVED and not self._room[resource]:
                continue  # nor can anybody who stands behind him go
            queue = queues[resource]
            heappop(queue)
            if queue:
                heappush(heads, (queue[0], resource))
            full = self._full(one[1])
            if full is None:
                self._take(one[1])
                go(one[1])
            else:
                moved.append((full, one))
                stand(one[1], full)
        for full, one in moved:
            heappush(self._standing[full], one)

    def _full(self, number: int) -> int | None:
        """Return the first resource that has no room for somebody."""
        room = self._room
        return next((resource for resource, lots in self._needs[number] if room[resource] < lots), None)

    def _take(self, number: int) -> None:
        for resource, lots in self._needs.pop(number):
            self._room[resource] -= lots
