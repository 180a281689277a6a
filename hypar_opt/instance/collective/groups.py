"""All-reduces of several groups at once: what a level of a partition, or several levels together, exchange of sums.

Levels cut the leaves into groups: two leaves are in one group of a set of levels where they are in the same halves at
every other level. Of n levels that is 2^n leaves a group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.instance.collective.chunks import Chunk
from hypar_opt.instance.collective.instance import CollectiveInstance

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from fractions import Fraction

    from hypar_opt.instance.hardware import Machine
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True, repr=False)
class GroupsAllReduce(CollectiveInstance):
    """An all-reduce within each of several groups, all of one size, at the same time.

    Parameters
    ----------
    groups
        Positions of accelerators; none twice.
    """

    groups: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks of every group: first those that its first accelerator has, of one group after the other."""
        names = self.machine.accelerators
        return tuple(
            Chunk(names[group[member]] + (f".{number}" if self.chunks_each > 1 else ""), group, group)
            for member in range(len(self.groups[0]))
            for group in self.groups
            for number in range(1, self.chunks_each + 1)
        )

    def chunk_of(self, group: int, number: int) -> int:
        """Return which chunk of all is one of a group's own, which are numbered as if it were alone."""
        member, part = divmod(number, self.chunks_each)
        return (member * len(self.groups) + group) * self.chunks_each + part


def groups_of(partition: Partition, placed: Sequence[int], levels: Collection[int]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of a set of levels.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.
    levels
        From 0, the root's.
    """
    found: dict[tuple[int, ...], list[int]] = {}
    for leaf, site in enumerate(placed):
        others = tuple(one for h, one in enumerate(partition.coordinates(leaf)) if h not in levels)
        found.setdefault(others, []).append(site)
    return tuple(map(tuple, found.values()))


def all_reduce_of(
    machine: Machine, groups: tuple[tuple[int, ...], ...], chunks: int, bytes_: int | Fraction | None = None
) -> GroupsAllReduce:
    """Return the all-reduce of groups.

    Parameters
    ----------
    chunks
        Into how many what an accelerator gathers is cut.
    bytes_
        Of each group's sum; a byte a chunk unless given.
    """
    count = chunks * sum(map(len, groups))
    size = count if bytes_ is None else bytes_ * len(groups)
    group = tuple(site for one in groups for site in one)
    # halves may be fractions of a byte, and are exact as fractions
    return GroupsAllReduce("sums", "", machine, "all-reduce", group, size, None, chunks, "rounds", groups=groups)  # type: ignore[arg-type]
