"""Ways to do a stage, in exact integers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array


@dataclass(frozen=True)
class GroupWay:
    """A way to do a group.

    Parameters
    ----------
    time, usage, activations
        As those of an option are by group.
    """

    time: int
    usage: int
    activations: int

    def kept(self, count: int) -> int:
        """Return what each device keeps with so many microbatches in flight."""
        return self.usage + (count - 1) * self.activations


@dataclass(frozen=True, eq=False)
class StageOption:
    """A way to do a stage: on so many devices of a kind, and what it then takes of every group.

    Parameters
    ----------
    kind, devices
        Of which kind, by its number, and how many of them.
    times
        By group, of its computing; exact integers.
    transfers
        By output, of reading it from another stage, or of sending it to others; exact integers.
    usages, capacity
        By group what each device keeps with one microbatch in flight, and how much fits; None where any amount does.
    allowed
        By group, whether it may be done so.
    activations
        By group what each device keeps more for every further microbatch in flight.
    replicas
        How many of it take microbatches in turn: all its devices, unless several do one together.
    ways
        By group further ways to do it, which take longer and keep less: activations are computed anew. Nothing of
        groups that there are none of.
    sends
        By output, of sending it, where that is not as `transfers`.
    """

    kind: int
    devices: int
    times: Array
    transfers: Array
    usages: Array
    capacity: int | None
    allowed: Array
    activations: Array
    replicas: int
    ways: Mapping[int, tuple[GroupWay, ...]] = field(default_factory=dict)
    sends: Array | None = None

    @property
    def sending(self) -> Array:
        """By output, of sending it to others."""
        return self.transfers if self.sends is None else self.sends

    @property
    def slowest(self) -> list[int]:
        """By group, its time in the slowest of its ways."""
        plain = map(int, self.times)
        return [max([time, *(way.time for way in self.ways.get(group, ()))]) for group, time in enumerate(plain)]

    def way(self, group: int, number: int) -> GroupWay:
        """Return what a group takes in one of its ways, of which number 0 is the quickest."""
        if number:
            return self.ways[group][number - 1]
        return GroupWay(int(self.times[group]), int(self.usages[group]), int(self.activations[group]))

    def has(self, group: int, number: int) -> bool:
        """Return whether a group may be done in a way."""
        return bool(self.allowed[group]) and number <= len(self.ways.get(group, ()))

    def kept(self, count: int) -> Array:
        """Return by group what each device keeps with so many microbatches in flight."""
        found: Array = self.usages + (count - 1) * self.activations
        return found


@dataclass(frozen=True)
class Slot:
    """A stage that there may be: the first, second, ... of an option."""

    option: int
    number: int


def integers(values: Sequence[int], most: int = 0) -> Array:
    """Return exact integers as an array: of 64 bits where all sums of them fit, else of Python's.

    Parameters
    ----------
    most
        What sums of them and of others come to.
    """
    fits = max(sum(map(abs, values)), most) < 2**62
    return np.array(values, dtype=np.int64 if fits else object).reshape(len(values))
