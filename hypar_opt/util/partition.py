"""How an array is cut: into the groups of its first axis, each of these into the groups of the second, and so on.

What is not cut any more are the leaves, numbered with the last axis fastest: of the axes (node: 4, gpu: 8) leaf 10 is
gpu 2 of node 1. A level that halves every group is an axis of size two, and the bit of the leaf's number that the
level decides is the leaf's coordinate on it.

Everything here holds for axes of any size and shares of any size. Code whose mathematics is that of halves says so by
`bits` or `check_halves`, and is refused another partition; code that counts one leaf for all asks whether it is
`uniform`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate
from operator import mul


@dataclass(frozen=True)
class Axis:
    """One way of cutting every group there is.

    Parameters
    ----------
    name
        What messages and tables call it.
    size
        How many groups each is cut into.
    shares
        Of each of these groups, what it gets of what is cut; equal where none are given.

    Raises
    ------
    ValueError
        If it cuts nothing, or there are shares that are not as many, not above 0 or not the whole together.
    """

    name: str
    size: int = 2
    shares: tuple[Fraction, ...] = ()

    def __post_init__(self) -> None:
        if self.size < 2:
            raise ValueError(f"axis '{self.name}' has size {self.size}, expected at least 2")
        if self.shares and (len(self.shares) != self.size or min(self.shares) <= 0 or sum(self.shares) != 1):
            raise ValueError(f"axis '{self.name}' needs {self.size} shares above 0 that add up to 1")

    def share(self, group: int) -> Fraction:
        """Return what a group gets of what is cut."""
        return self._shares[group]

    @property
    def even(self) -> bool:
        """Whether all groups get the same."""
        return len(set(self.shares)) <= 1

    @cached_property
    def squares(self) -> Fraction:
        """What all groups hold together of what each takes its share of twice: along two dimensions."""
        return sum((share**2 for share in self._shares), start=Fraction(0))

    @cached_property
    def _shares(self) -> tuple[Fraction, ...]:
        return self.shares or (Fraction(1, self.size),) * self.size


@dataclass(frozen=True)
class Partition:
    """How an array is cut.

    Parameters
    ----------
    axes
        Outermost first.
    types
        By leaf, which of the array's types of accelerators it needs; the only one where none are given.

    Raises
    ------
    ValueError
        If there are types, and not one for every leaf.
    """

    axes: tuple[Axis, ...]
    types: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.types and len(self.types) != self.leaves:
            raise ValueError(f"{len(self.types)} types of accelerators for {self.leaves} leaves")

    @property
    def levels(self) -> int:
        """How many axes there are."""
        return len(self.axes)

    @property
    def leaves(self) -> int:
        """How many parts are not cut any more, each for an accelerator of its own."""
        return self._groups[-1]

    def groups(self, level: int) -> int:
        """Return how many groups there are above a level, which the level cuts; above none, one."""
        groups = self._groups
        return groups[level] if level < len(groups) else groups[-1]

    @cached_property
    def _groups(self) -> tuple[int, ...]:
        return tuple(accumulate((axis.size for axis in self.axes), mul, initial=1))

    def above(self, level: int) -> Partition:
        """Return the partition into the groups above a level."""
        return Partition(self.axes[:level])

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """By axis, how far apart the numbers of leaves are that differ by one in that coordinate only."""
        return tuple(self.leaves // groups for groups in self._groups[1:])

    def coordinates(self, leaf: int) -> tuple[int, ...]:
        """Return by axis which of its groups a leaf is in."""
        return tuple(leaf // stride % axis.size for stride, axis in zip(self.strides, self.axes, strict=True))

    def group(self, leaf: int, level: int) -> int:
        """Return which of the groups above a level a leaf is in."""
        return leaf * self.groups(level) // self.leaves

    def address(self, leaf: int) -> str:
        """Return a leaf's coordinates as text; of halves, its number in binary, a bit a level."""
        apart = "." if any(axis.size > 10 for axis in self.axes) else ""
        return apart.join(map(str, self.coordinates(leaf)))

    def peers(self, leaf: int, level: int) -> tuple[int, ...]:
        """Return the leaves that differ from a leaf in the coordinate of one level only; of halves, its counterpart."""
        stride, size = self.strides[level], self.axes[level].size
        first = leaf - leaf // stride % size * stride
        return (*range(first, leaf, stride), *range(leaf + stride, first + size * stride, stride))

    def pairs(self, level: int) -> tuple[tuple[int, int], ...]:
        """Return the leaves that differ in the coordinate of one level only, two by two, the lower one first."""
        return self._pairs[level]

    @cached_property
    def _pairs(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        return tuple(
            tuple((leaf, peer) for leaf in range(self.leaves) for peer in self.peers(leaf, level) if leaf < peer)
            for level in range(self.levels)
        )

    def routes(self, level: int) -> int:
        """Return how many routes a level's exchange takes: from every leaf to each of its peers."""
        return self.leaves * (self.axes[level].size - 1)

    def share(self, leaf: int, level: int) -> Fraction:
        """Return what a leaf's group gets of what a level cuts."""
        axis = self.axes[level]
        return axis.share(leaf // self.strides[level] % axis.size)

    def accelerator(self, leaf: int) -> int:
        """Return which of the array's types of accelerators a leaf needs."""
        return self.types[leaf] if self.types else 0

    @cached_property
    def uniform(self) -> bool:
        """Whether one leaf stands for all: they get the same shares, and need accelerators of one type."""
        return all(axis.even for axis in self.axes) and len(set(self.types)) <= 1

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """By level, the bit of a leaf's number that says which half it is in; where every level halves."""
        self.check_halves()
        return self.strides

    def check_halves(self) -> None:
        """Refuse a partition that does not halve every group at every level.

        Raises
        ------
        ValueError
            If it does not; names the axis.
        """
        if self._other is not None:
            raise ValueError(f"axis '{self._other.name}' does not halve every group, and this is about halves")

    @cached_property
    def _other(self) -> Axis | None:
        return next((axis for axis in self.axes if axis.size != 2 or not axis.even), None)


@cache
def halves(levels: int) -> Partition:
    """Return the partition that halves every group so many times."""
    return Partition(tuple(Axis(f"level {level}") for level in range(1, levels + 1)))


def halved_to(leaves: int) -> Partition:
    """Return the partition that halves every group until there are so many leaves, a power of two."""
    return halves(leaves.bit_length() - 1)
