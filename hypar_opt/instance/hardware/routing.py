"""Routes: which links the bytes from one accelerator to another take.

All rules are deterministic, and all routes are shortest in hops.

`dimension-order` (torus, mesh)
    One dimension after the other, the first first. In a torus the shorter way round; of two equally short
    ways the one of ascending coordinates, so that two accelerators half a ring apart send both ways round.
`e-cube` (hypercube)
    The bits in which the two positions differ, the lowest first.
`shortest`
    Of all shortest paths the one whose nodes come first: at every step the neighbour of the lowest position
    that is nearer to the target. In a tree it is the only path.
`split`
    An equal share over every shortest path.

Distances are looked for where they are needed only. Neighbours have their link; and a node of one link is passed by no
route of others, so that the way to it is the way to its neighbour and that link. What is left in a fat tree is its
switches, in a fully connected array nothing.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.hardware.machine import Machine

Hop: TypeAlias = tuple[int, int]
"""A link in one direction: from a node to a neighbour."""
REMEMBERED = 2**24
"""Distances that are kept, over all targets."""


class Routing(Protocol):
    """A rule on one array."""

    def shares(self, source: int, target: int) -> Mapping[Hop, Fraction]:
        """Return which share of the bytes from a node to another crosses each link."""


def routing_of(machine: Machine) -> Routing:
    """Return the array's own rule, ready to answer."""
    if machine.rule == "dimension-order":
        return _DimensionOrder(machine)
    if machine.rule == "e-cube":
        return _ECube()
    if len(machine.links) == len(machine.names) - 1:
        return _Tree(machine)  # it is connected, so that there is one path, whatever the rule
    return _Split(machine) if machine.rule == "split" else _Shortest(machine)


class _Single:
    """A rule that takes one path."""

    def path(self, source: int, target: int) -> Iterator[int]:
        raise NotImplementedError

    def shares(self, source: int, target: int) -> Mapping[Hop, Fraction]:
        return dict.fromkeys(pairwise(self.path(source, target)), Fraction(1))


class _DimensionOrder(_Single):
    def __init__(self, machine: Machine) -> None:
        self._dims = machine.dims
        self._wraps = machine.topology == "torus"
        self._strides = [prod(self._dims[i + 1 :]) for i in range(len(self._dims))]

    def path(self, source: int, target: int) -> Iterator[int]:
        node = source
        yield node
        for size, stride in zip(self._dims, self._strides, strict=True):
            here, there = node // stride % size, target // stride % size
            steps = self._steps(here, there, size)
            for _ in range(abs(steps)):
                before, here = here, (here + (1 if steps > 0 else -1)) % size
                node += (here - before) * stride
                yield node

    def _steps(self, here: int, there: int, size: int) -> int:
        """Return how many steps lead along a line, below 0 where they descend."""
        if not self._wraps:
            return there - here
        up, down = (there - here) % size, (here - there) % size
        return up if up <= down else -down


class _ECube(_Single):
    def path(self, source: int, target: int) -> Iterator[int]:
        node = source
        yield node
        for bit in range((source ^ target).bit_length()):
            if (source ^ target) >> bit & 1:
                node ^= 1 << bit
                yield node


class _Tree(_Single):
    """Climb from both ends until they meet: no distances to every node, which large trees have no room for."""

    def __init__(self, machine: Machine) -> None:
        self._depth = distances(machine, 0)
        self._parent = [min(others, key=self._depth.__getitem__, default=0) for others in machine.neighbours]

    def path(self, source: int, target: int) -> Iterator[int]:
        up, down = source, target
        descent: list[int] = []
        yield up
        while up != down:
            if self._depth[up] >= self._depth[down]:
                up = self._parent[up]
                yield up
            else:
                descent.append(down)
                down = self._parent[down]
        yield from reversed(descent)


class _ByDistance:
    """A rule that looks at distances, of nodes between which others stand."""

    def __init__(self, machine: Machine) -> None:
        self._links = machine.link_of
        self._gates = [others[0] if len(others) == 1 else node for node, others in enumerate(machine.neighbours)]
        self._inside = tuple(
            tuple(other for other in others if self._gates[other] == other) for others in machine.neighbours
        )
        kept = max(1, REMEMBERED // len(machine.names))  # targets: fewer in larger arrays
        self._towards = lru_cache(kept)(lambda target: _counted(self._inside, target))

    def shares(self, source: int, target: int) -> Mapping[Hop, Fraction]:
        whole = Fraction(1)
        if source == target:
            return {}
        if (source, target) in self._links:
            return {(source, target): whole}
        first, last = self._gates[source], self._gates[target]
        if (first, last) == (source, target):
            return self._apart(source, target)
        ends = ({} if first == source else {(source, first): whole}, {} if last == target else {(last, target): whole})
        return {**ends[0], **self.shares(first, last), **ends[1]}

    def _apart(self, source: int, target: int) -> Mapping[Hop, Fraction]:
        """Return the shares between two nodes of several links each that are not linked with each other."""
        raise NotImplementedError


class _Shortest(_ByDistance):
    def _apart(self, source: int, target: int) -> Mapping[Hop, Fraction]:
        return dict.fromkeys(pairwise(self._path(source, target)), Fraction(1))

    def _path(self, source: int, target: int) -> Iterator[int]:
        left, _ = self._towards(target)
        node = source
        yield node
        while node != target:
            node = next(other for other in self._inside[node] if left[other] < left[node])
            yield node


class _Split(_ByDistance):
    def _apart(self, source: int, target: int) -> Mapping[Hop, Fraction]:
        """Pass on what arrives, nearest to the source first, in proportion to the paths that go on."""
        left, paths = self._towards(target)
        arrived = {source: Fraction(1)}
        found: dict[Hop, Fraction] = {}
        waiting = deque([source])
        while waiting:
            node = waiting.popleft()
            for other in self._inside[node]:
                if left[other] < left[node]:
                    share = arrived[node] * paths[other] / paths[node]
                    found[node, other] = share
                    if other not in arrived:
                        arrived[other] = Fraction(0)
                        waiting.append(other)
                    arrived[other] += share
        return found


def distances(machine: Machine, target: int) -> list[int]:
    """Return how many hops every node is from a target."""
    return _counted(machine.neighbours, target)[0]


def _counted(neighbours: Sequence[Sequence[int]], target: int) -> tuple[list[int], list[int]]:
    """Return every node's distance to a target, and the number of its shortest paths; -1 where none leads to it."""
    left = [-1] * len(neighbours)
    paths = [0] * len(neighbours)
    left[target], paths[target] = 0, 1
    waiting = deque([target])
    while waiting:
        node = waiting.popleft()
        for other in neighbours[node]:
            if left[other] < 0:
                left[other] = left[node] + 1
                waiting.append(other)
            if left[other] == left[node] + 1:
                paths[other] += paths[node]
    return left, paths
