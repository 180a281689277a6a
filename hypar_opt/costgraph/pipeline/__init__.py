"""Operators that are to be divided among devices: the one form of a pipeline that every formulation of stages reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array


@dataclass(frozen=True, eq=False)
class StageKind:
    """Devices that are alike, and what they take of every group.

    Parameters
    ----------
    name, count
        What they are called, and how many there are.
    times
        By group, of its computing; exact integers.
    transfers
        By output, of reading or sending it where others have its readers or its operator; exact integers.
    usages, capacity
        By group what it keeps, and how much fits; None where any amount does.
    allowed
        By group, whether such a device may have it.
    """

    name: str
    count: int
    times: Array
    transfers: Array
    usages: Array
    capacity: int | None
    allowed: Array


@dataclass(frozen=True, eq=False)
class StageGraph:
    """Groups of operators, each to be given a device.

    A device's time is the sum of its groups' times, of the outputs that it reads from others, and of those of its own
    that others read, each once. A plan costs `sum_weight x (the sum of all devices' times) + max_weight x (the longest
    of them)`, in units of 1 / unit.

    Parameters
    ----------
    names
        Of the groups, in an order that keeps `order`.
    order
        Pairs of groups of which the first comes no later, where stages are contiguous; without circles.
    owners
        By output, the group that makes it; shape (outputs,).
    readers
        By output, the other groups that need it, ascending.
    kinds
        Of devices.
    contiguous
        Whether devices can be put into an order in which no group comes before one that `order` has before it.
    sum_weight, max_weight
        Of the objective.
    unit
        The common denominator.
    """

    names: tuple[str, ...]
    order: tuple[tuple[int, int], ...]
    owners: Array
    readers: tuple[tuple[int, ...], ...]
    kinds: tuple[StageKind, ...]
    contiguous: bool = True
    sum_weight: int = 0
    max_weight: int = 1
    unit: int = 1

    def replace(self, **changes: Any) -> StageGraph:
        """Return a copy with fields changed."""
        return replace(self, **changes)

    @property
    def groups(self) -> int:
        """How many there are."""
        return len(self.names)

    @cached_property
    def kind_of_device(self) -> tuple[int, ...]:
        """By device, its kind; those of the first kind first."""
        return tuple(place for place, kind in enumerate(self.kinds) for _ in range(kind.count))

    @property
    def devices(self) -> int:
        """How many there are of all kinds."""
        return len(self.kind_of_device)

    @cached_property
    def first_device(self) -> tuple[int, ...]:
        """By kind, its first device."""
        return (0, *accumulate(kind.count for kind in self.kinds))[:-1]

    def times(self, choices: Sequence[int]) -> list[int]:
        """Return by device how long it is busy, given each group's device."""
        found = [0] * self.devices
        kinds = self.kind_of_device
        for group, device in enumerate(choices):
            found[device] += int(self.kinds[kinds[device]].times[group])
        for output, owner in enumerate(self.owners.tolist()):
            others = {choices[reader] for reader in self.readers[output]} - {choices[owner]}
            for device in (others | {choices[owner]}) if others else ():
                found[device] += int(self.kinds[kinds[device]].transfers[output])
        return found

    def value(self, choices: Sequence[int]) -> int:
        """Return what a plan costs, in units of 1 / unit."""
        times = self.times(choices)
        return self.sum_weight * sum(times) + self.max_weight * max(times, default=0)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether every group may stand where it does, fits, and stages are as asked for."""
        kinds = self.kind_of_device
        if not all(self.kinds[kinds[device]].allowed[group] for group, device in enumerate(choices)):
            return False
        used = [0] * self.devices
        for group, device in enumerate(choices):
            used[device] += int(self.kinds[kinds[device]].usages[group])
        limits = [self.kinds[kind].capacity for kind in kinds]
        if any(limit is not None and use > limit for use, limit in zip(used, limits, strict=True)):
            return False
        return not self.contiguous or self.stages(choices) is not None

    def stages(self, choices: Sequence[int]) -> tuple[int, ...] | None:
        """Return the devices that have something in an order that keeps `order`; None where there is none."""
        used = sorted(set(choices))
        before: dict[int, set[int]] = {device: set() for device in used}
        for first, second in self.order:
            if choices[first] != choices[second]:
                before[choices[second]].add(choices[first])
        found: list[int] = []
        while before:
            free = [device for device, waits in before.items() if not waits]
            if not free:
                return None
            found.append(free[0])
            del before[free[0]]
            for waits in before.values():
                waits.discard(free[0])
        return tuple(found)


def integers(values: Sequence[int]) -> Array:
    """Return exact integers as an array: of 64 bits where all sums of them fit, else of Python's."""
    fits = sum(map(abs, values)) < 2**62
    return np.array(values, dtype=np.int64 if fits else object).reshape(len(values))
