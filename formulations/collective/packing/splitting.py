"""Switches removed: links into and out of them joined two by two, and nothing lost by it.

Two links x > w > y give so much of what they carry to one from x to y as every target can do without: so that the
maximum flow to each stays what it has to be. Where as much leaves a node as enters it all of it can be given away so
(Bang-Jensen, Frank, Jackson, 1995; as ForestColl does, Zhao et al., 2024). A link of what is left is a way through
switches, or several, each with its part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from formulations.collective.packing.flow import MOST, CapacityNetwork

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.formulation.run import Run

Routes: TypeAlias = "dict[tuple[int, int], list[tuple[tuple[int, ...], int]]]"
"""By (from, to), ways with how much each carries."""


class Splitter:
    """A network from which nodes are removed.

    Parameters
    ----------
    capacities
        By (from, to).
    begins
        By node, how much begins there; all of it has to be able to get to every target.
    targets
        Nodes that remain.
    nodes
        How many there are.
    """

    def __init__(
        self,
        capacities: Mapping[tuple[int, int], int],
        begins: Mapping[int, int],
        targets: Sequence[int],
        nodes: int,
    ) -> None:
        self.routes: Routes = {hop: [(hop, count)] for hop, count in capacities.items() if count}
        self.capacities = {hop: count for hop, count in capacities.items() if count}
        self.begins = begins
        self.targets = targets
        self.start = nodes
        self.needed = sum(begins.values())

    def remove(self, node: int, run: Run) -> None:
        """Join the links of a node, and drop what nobody needs.

        Raises
        ------
        Stopped
            If the run has to end.
        """
        for first, second in self._pairs(node):
            run.check()
            count = self._spare(first, node, second)
            if count:
                self._join(first, node, second, count)
        for hop in [hop for hop in self.capacities if node in hop]:
            del self.capacities[hop], self.routes[hop]

    def _pairs(self, node: int) -> Iterator[tuple[int, int]]:
        """Yield links into a node with links out of it, each into one with the next out of it first.

        Every pair comes once: what others need of it now they need from now on.
        """
        around = sorted({one for hop in self.capacities if node in hop for one in hop} - {node})
        for turn in range(1, len(around) + 1):
            for place, first in enumerate(around):
                second = around[(place + turn) % len(around)]
                if self._left(first, node) and self._left(node, second):
                    yield first, second

    def _left(self, first: int, second: int) -> int:
        return self.capacities.get((first, second), 0)

    def _spare(self, first: int, node: int, second: int) -> int:
        """Return how much of two links can be joined at most."""
        spare = min(self._left(first, node), self._left(node, second))
        fed = {(self.start, one): count for one, count in self.begins.items()}
        network = CapacityNetwork(self.capacities | fed)
        for target in self.targets:
            if not spare:
                break
            if target not in (first, second):
                apart = [(self.start, first, MOST), (self.start, second, MOST), (node, target, MOST)]
                spare = min(spare, network.flow(self.start, target, apart) - self.needed)
            ends = [(one, target, MOST) for one in {first, second} - {target}]
            spare = min(spare, network.flow(self.start, target, [(self.start, node, MOST), *ends]) - self.needed)
        return spare

    def _join(self, first: int, node: int, second: int, count: int) -> None:
        """Give so much of two links to one between their ends; what would go back where it comes from is dropped."""
        into, out = self._taken((first, node), count), self._taken((node, second), count)
        if first == second:
            return
        joined = self.routes.setdefault((first, second), [])
        while into:
            (way, most), (rest, other) = into.pop(), out.pop()
            both = min(most, other)
            joined.append((straight(way + rest[1:]), both))
            if most > both:
                into.append((way, most - both))
            if other > both:
                out.append((rest, other - both))
        self.capacities[first, second] = self._left(first, second) + count

    def _taken(self, hop: tuple[int, int], count: int) -> list[tuple[tuple[int, ...], int]]:
        """Take so much of a link's ways."""
        found, left = [], count
        while left:
            way, most = self.routes[hop].pop()
            used = min(most, left)
            found.append((way, used))
            left -= used
            if most > used:
                self.routes[hop].append((way, most - used))
        self.capacities[hop] -= count
        if not self.capacities[hop]:
            del self.capacities[hop], self.routes[hop]
        return found


def straight(way: tuple[int, ...]) -> tuple[int, ...]:
    """Return a way without its detours: from a node it goes on as it does where it leaves that last."""
    found: list[int] = []
    for node in way:
        if node in found:
            del found[found.index(node) :]
        found.append(node)
    return tuple(found)
