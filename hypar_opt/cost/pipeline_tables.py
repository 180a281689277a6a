"""What stages between down-sets read, send, keep and add up: tables over all pairs of a list of down-sets."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph.pipeline.option import integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.instance.pipeline import DeviceKind, PipelineOperator


@dataclass(frozen=True, eq=False)
class StageParts:
    """Groups of operators, and the outputs that pass between them.

    Parameters
    ----------
    groups
        Operators that stand together.
    owners, readers, sizes
        Of outputs: the group that makes it, those that need it, and its bytes.
    """

    groups: Sequence[Sequence[PipelineOperator]]
    owners: Sequence[int]
    readers: Sequence[Sequence[int]]
    sizes: Sequence[Fraction]

    @cached_property
    def byte_unit(self) -> int:
        """The common denominator of outputs and parameters."""
        return lcm(*(one.denominator for one in (*self.sizes, *self.parameters)))

    @cached_property
    def memory(self) -> tuple[Fraction, ...]:
        """Bytes that groups keep."""
        return tuple(sum((one.memory for one in own), start=Fraction(0)) for own in self.groups)

    def seconds(self, kind: DeviceKind) -> list[Fraction]:
        """Return what groups take on a device of a kind that has none inside."""
        return [
            sum((one.computing(kind.name) for one in own if kind.may_have(one)), start=Fraction(0))
            for own in self.groups
        ]

    @cached_property
    def parameters(self) -> tuple[Fraction, ...]:
        """Bytes by group."""
        return tuple(sum((one.parameters for one in own), start=Fraction(0)) for own in self.groups)


@dataclass(frozen=True, eq=False)
class StagePairs:
    """Stages that begin at one down-set of a list and end at another that has all of it, and more.

    Parameters
    ----------
    parts
        Groups and outputs.
    members
        Whether a group is in a down-set, each behind those that are in it; shape (groups, down-sets).
    """

    parts: StageParts
    members: Array

    @property
    def count(self) -> int:
        """How many down-sets there are."""
        return int(self.members.shape[1])

    @cached_property
    def are_stages(self) -> Array:
        """Whether two down-sets are the ends of a stage; shape (begins, ends)."""
        size, widened = self.members.sum(axis=0), self.members.astype(np.int64)
        shared = widened.T @ widened
        found: Array = (shared == size[:, None]) & (size[:, None] < size[None, :])
        return found

    def sums(self, amounts: Sequence[int]) -> Array:
        """Return what the groups of every stage have together; shape (begins, ends)."""
        exact = integers(amounts)
        found = exact @ self.members.astype(np.int64)
        differences: Array = found[None, :] - found[:, None]
        return differences

    def has_none(self, barred: Sequence[bool]) -> Array:
        """Return whether no group of a stage is barred."""
        found: Array = self.sums([int(one) for one in barred]) == 0
        return found

    @cached_property
    def parameters(self) -> Array:
        """Bytes times the byte unit."""
        return self.sums([int(one * self.parts.byte_unit) for one in self.parts.parameters])

    @cached_property
    def crossing(self) -> tuple[Array, Array]:
        """Bytes that are read from other stages, and that are sent, times the byte unit; each output once a stage."""
        sizes = integers([int(one * self.parts.byte_unit) for one in self.parts.sizes])
        read = np.zeros((self.count, self.count), dtype=sizes.dtype)
        sent = read.copy()
        for size, owner, readers in zip(sizes.tolist(), self.parts.owners, self.parts.readers, strict=True):
            makes = self.members[owner][None, :] & ~self.members[owner][:, None]
            reading = [self.members[one][None, :] & ~self.members[one][:, None] for one in readers]
            reads, keeps = np.logical_or.reduce(reading), np.logical_and.reduce(reading)
            read[reads & ~makes] += size
            sent[makes & ~keeps] += size
        return read, sent
