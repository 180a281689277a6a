"""Layers that are to be put into stages, each on a part of an array: the one form of that which formulations read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Submesh:
    """A part of an array that its partition cuts out: 2^levels leaves, the first of which is a multiple of that.

    Parameters
    ----------
    first, levels
        Its first leaf, and in how many levels it is cut.
    kind
        Equal for parts on which every stage takes as long.
    entering, leaving
        What a byte costs, in the graph's unit, that comes from the leaves before it, or goes to those behind it; 0
        where there are none.
    """

    first: int
    levels: int
    kind: int
    entering: int
    leaving: int

    @property
    def end(self) -> int:
        """The leaf behind its last one."""
        return self.first + int(2**self.levels)


class StagesInside(Protocol):
    """What stages take inside: of each the least over all strategies of its layers, found when it is asked for."""

    def least(self, kind: int) -> tuple[Sequence[int], Sequence[int]]:
        """Return what every layer costs at least by itself, and every pair of `order`, on parts of a kind."""

    def time(self, kind: int, layers: Sequence[int], limits: Any = None) -> int | None:
        """Return the least that a stage takes, without what it reads and sends; None where nothing is allowed.

        Parameters
        ----------
        layers
            By number, ascending.
        limits
            Of finding it, the search's `Limits`; None where it is known or may take as long as it likes.

        Raises
        ------
        Stopped
            If the limits are over before that is found.
        """


@dataclass(frozen=True)
class MovedTensor:
    """What is passed on from stage to stage as long as somebody needs it.

    Parameters
    ----------
    owner, readers
        Layers.
    size
        Bytes, of the map forward and of its error backward.
    """

    owner: int
    readers: tuple[int, ...]
    size: int


@dataclass(frozen=True, eq=False)
class SubmeshGraph:
    """Layers, each to be given a submesh, which makes those of one submesh a stage.

    Stages stand one after the other on the leaves, from the first leaf on and without a gap; nothing that a layer reads
    is made behind it. A stage takes what it takes inside and for what passes through its two ends. A plan costs

    `sum_weight x (the sum of all stages' times) + max_weight x (the longest of them)`, in units of 1 / unit.

    Parameters
    ----------
    names
        Of the layers, in topological order.
    order
        Pairs of layers of which the second reads what the first makes.
    tensors
        What crosses between stages.
    submeshes
        By number, as choices have them.
    inside
        What stages take.
    most
        What no stage takes more than.
    sum_weight, max_weight, unit
        As above.
    """

    names: tuple[str, ...]
    order: tuple[tuple[int, int], ...]
    tensors: tuple[MovedTensor, ...]
    submeshes: tuple[Submesh, ...]
    inside: StagesInside
    most: int
    sum_weight: int
    max_weight: int
    unit: int

    @property
    def groups(self) -> int:
        """How many layers there are."""
        return len(self.names)

    @cached_property
    def leaves(self) -> int:
        """How many the array has."""
        return max(one.end for one in self.submeshes)

    @cached_property
    def kinds(self) -> int:
        """How many kinds of submeshes there are."""
        return 1 + max(one.kind for one in self.submeshes)

    def stages(self, choices: Sequence[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return the submeshes that have something, in the order of the leaves, each with its layers."""
        used = sorted(set(choices), key=lambda one: self.submeshes[one].first)
        return tuple((one, tuple(layer for layer, own in enumerate(choices) if own == one)) for one in used)

    def live(self, choices: Sequence[int], leaf: int) -> int:
        """Return the bytes that are made before a leaf and needed behind it."""
        before = [self.submeshes[own].end <= leaf for own in choices]
        crossing = (one for one in self.tensors if before[one.owner] and not all(before[end] for end in one.readers))
        return sum(one.size for one in crossing)

    def times(self, choices: Sequence[int]) -> tuple[int | None, ...]:
        """Return what every stage takes, in the order of the leaves; None where one may not be."""
        found = []
        for place, layers in self.stages(choices):
            one = self.submeshes[place]
            time = self.inside.time(one.kind, layers)
            passed = one.entering * self.live(choices, one.first) + one.leaving * self.live(choices, one.end)
            found.append(None if time is None else time + passed)
        return tuple(found)

    def value(self, choices: Sequence[int]) -> int:
        """Return what allowed choices cost, in units of 1 / unit."""
        times = [time for time in self.times(choices) if time is not None]
        return self.sum_weight * sum(times) + self.max_weight * max(times, default=0)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether stages follow each other on the leaves, nothing is read before it is made, and all may be."""
        ends = 0
        for place, _ in self.stages(choices):
            if self.submeshes[place].first != ends:
                return False
            ends = self.submeshes[place].end
        first = [self.submeshes[own].first for own in choices]
        return all(first[one] <= first[other] for one, other in self.order) and None not in self.times(choices)
