"""An array of accelerators of several kinds: which groups are unlike, and which leaves do the same.

A group whose halves are alike, kind by kind, is cut in equal halves. A group whose halves are unlike is a split with a
share of its own: the part of whatever is cut that its first half gets, the same for every layer. Groups that are alike
are cut alike, so that a split stands for all its copies in the halves of groups above that are alike.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.hardware.accelerator import Accelerator
    from hypar_opt.util.partition import Partition

ROOT = "root"
"""What the group of all leaves is called among splits."""


@dataclass(frozen=True)
class AcceleratorKind:
    """Accelerators that are alike.

    Parameters
    ----------
    name
        What tables call them.
    accelerator
        What one of them can do.
    bandwidth
        Bytes a second at which one of them reads what others hold.
    """

    name: str
    accelerator: Accelerator
    bandwidth: Fraction


class Half(NamedTuple):
    """One half of a group, as whoever is in it sees the level.

    Parameters
    ----------
    split
        The position in `MixedArray.splits` of what decides the share; None where the halves are alike.
    side
        0 or 1.
    """

    split: int | None
    side: int


Path: TypeAlias = tuple[Half, ...]
"""The halves that something is in, root first."""


@dataclass(frozen=True)
class LeafClass:
    """Leaves of one kind that have the same path, and so do the same.

    Parameters
    ----------
    name
        The kind's, with its path behind it where several classes are of one kind.
    kind
        Position in `MixedArray.kinds`.
    leaf
        One of them.
    count
        How many there are.
    path
        By level.
    """

    name: str
    kind: int
    leaf: int
    count: int
    path: Path


@dataclass(frozen=True)
class MixedArray:
    """Accelerators of several kinds on the leaves of a partition into halves.

    Parameters
    ----------
    kinds
        At least one.
    partition
        With the kind of every leaf as its type.
    reads
        Whether every accelerator of a group reads its part at its own bandwidth, all at the same time; or a group of
        any size has the bandwidth of one, as where all levels' links are alike.

    Raises
    ------
    ValueError
        If a level does not halve every group.
    """

    kinds: tuple[AcceleratorKind, ...]
    partition: Partition
    reads: Literal["accelerator", "group"] = "accelerator"

    def __post_init__(self) -> None:
        self.partition.check_halves()

    @property
    def levels(self) -> int:
        """H."""
        return self.partition.levels

    @cached_property
    def splits(self) -> tuple[str, ...]:
        """The groups whose halves are unlike, by the bits of their address, `root` first; of copies the first."""
        return tuple(self._unlike)

    @cached_property
    def split_levels(self) -> tuple[int, ...]:
        """By split, the level that cuts it (from 0)."""
        return tuple(0 if name == ROOT else len(name) for name in self.splits)

    @cached_property
    def classes(self) -> tuple[LeafClass, ...]:
        """The leaves that do the same, in order of the first of each."""
        found = self._leaves
        twice = {kind for kind, count in Counter(self._kind(leaf) for leaf in found.values()).items() if count > 1}
        counts = Counter(self._paths)
        return tuple(
            LeafClass(self._name(leaf, path, twice), self._kind(leaf), leaf, counts[path], path)
            for path, leaf in found.items()
        )

    @cached_property
    def may_idle(self) -> tuple[bool, ...]:
        """By level, whether every group that it cuts is a split, so that layers may be left to one half of each."""
        return tuple(all(path[level].split is not None for path in self._leaves) for level in range(self.levels))

    def halves(self, level: int) -> Mapping[Path, int]:
        """Return the paths down to a level's halves, each with how many halves have it."""
        each = self.partition.leaves // (2 * self.partition.groups(level))
        return {path: count // each for path, count in Counter(path[: level + 1] for path in self._paths).items()}

    def bandwidth(self, leaf: int, level: int) -> Fraction:
        """Return the bytes a second at which the half of a level that a leaf is in reads.

        That is what all its accelerators read together; or the least of one of them, where `reads` is `group`.
        """
        size = self.partition.leaves // (2 * self.partition.groups(level))
        first = leaf // size * size
        if (first, size) not in self._bandwidths:
            each = [self.kinds[self._kind(other)].bandwidth for other in range(first, first + size)]
            together = sum(each, start=Fraction(0)) if self.reads == "accelerator" else min(each)
            self._bandwidths[first, size] = together
        return self._bandwidths[first, size]

    def reading_part(self, leaf: int, level: int) -> Fraction:
        """Return which part a leaf reads of what the half of a level that it is in reads.

        As much as all others of the half in the same time: where each reads at its own bandwidth, in proportion to
        that, else equally much.
        """
        if self.reads == "group":
            return Fraction(2 * self.partition.groups(level), self.partition.leaves)
        return self.kinds[self._kind(leaf)].bandwidth / self.bandwidth(leaf, level)

    def path(self, leaf: int) -> Path:
        """Return the halves that a leaf is in."""
        return self._paths[leaf]

    def busy_side(self, split: int) -> int:
        """Return which half of a split does what is not split: the one whose pace is higher, the first of equals."""
        return self._busy[split]

    @cached_property
    def _busy(self) -> tuple[int, ...]:
        return tuple(map(self._faster, self.splits, self.split_levels))

    def _faster(self, name: str, level: int) -> int:
        size = self.partition.leaves // self.partition.groups(level)
        first = 0 if name == ROOT else int(name, 2) * size
        paces = [
            sum(self.kinds[self._kind(leaf)].accelerator.pace for leaf in range(start, start + size // 2))
            for start in (first, first + size // 2)
        ]
        return int(paces[1] > paces[0])

    def _kind(self, leaf: int) -> int:
        return self.partition.accelerator(leaf)

    def _name(self, leaf: int, path: Path, twice: set[int]) -> str:
        kind = self._kind(leaf)
        if kind not in twice:
            return self.kinds[kind].name
        sides = "".join(str(half.side) for half in path if half.split is not None)
        return f"{self.kinds[kind].name}:{sides}"

    @cached_property
    def _bandwidths(self) -> dict[tuple[int, int], Fraction]:
        """By first leaf and size of a half."""
        return {}

    @cached_property
    def _paths(self) -> tuple[Path, ...]:
        """By leaf."""
        return tuple(self._walk(0, self.partition.leaves, ""))

    @cached_property
    def _leaves(self) -> dict[Path, int]:
        found: dict[Path, int] = {}
        for leaf, path in enumerate(self._paths):
            found.setdefault(path, leaf)
        return found

    @cached_property
    def _unlike(self) -> dict[str, int]:
        """By address of a split, its position; in order of depth."""
        found: list[str] = []
        waiting = [(0, self.partition.leaves, "")]
        while waiting:
            start, size, address = waiting.pop(0)
            if size == 1:
                continue
            half = size // 2
            alike = self._types(start, half) == self._types(start + half, half)
            if not alike:
                found.append(address or ROOT)
            waiting += [(start + side * half, half, f"{address}{side}") for side in range(1 if alike else 2)]
        return {address: position for position, address in enumerate(found)}

    def _types(self, start: int, size: int) -> tuple[int, ...]:
        return tuple(self._kind(leaf) for leaf in range(start, start + size))

    def _walk(self, start: int, size: int, address: str) -> Iterator[Path]:
        """Yield the paths of a group's leaves, in order, from the group down; copies have the address of the first."""
        if size == 1:
            yield ()
            return
        half = size // 2
        split = self._unlike.get(address or ROOT)
        if split is None:
            below = list(self._walk(start, half, f"{address}0"))
            for _ in range(2):
                yield from ((Half(None, 0), *path) for path in below)
            return
        for side in range(2):
            yield from (
                (Half(split, side), *path) for path in self._walk(start + side * half, half, f"{address}{side}")
            )
