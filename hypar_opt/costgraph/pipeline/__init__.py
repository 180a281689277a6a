"""Operators that are to be divided among devices: the one form of a pipeline that every formulation of stages reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph.pipeline.given_times import BEYOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline.batch import BatchTimes
    from hypar_opt.costgraph.pipeline.given_times import GivenTimes


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
        By group what each device keeps, and how much fits; None where any amount does.
    allowed
        By group, whether it may be done so.
    """

    kind: int
    devices: int
    times: Array
    transfers: Array
    usages: Array
    capacity: int | None
    allowed: Array


@dataclass(frozen=True)
class Slot:
    """A stage that there may be: the first, second, ... of an option."""

    option: int
    number: int


@dataclass(frozen=True, eq=False)
class StageGraph:
    """Groups of operators, each to be given a slot, which makes those of one slot a stage.

    A stage computes, reads what its groups need and others make, and sends what its groups make and others need, each
    output once. It takes the sum of the three, or the longest where `overlapped`. A plan costs

    `sum_weight x (the sum of all stages' times) + max_weight x (the longest of them)`, in units of 1 / unit.

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
    counts
        By kind of device, how many there are.
    options
        Ways to do a stage.
    contiguous
        Whether stages can be put into an order in which no group comes before one that `order` has before it.
    overlapped
        Whether stages compute, read and send at the same time.
    sum_weight, max_weight
        Of the objective.
    unit
        The common denominator.
    given_times
        What stages take, where that is no sum over their groups; the options' times are then no more than it.
    batch
        What a batch takes by a named schedule, where that is what a plan costs; the weights then say a bound of it.
    """

    names: tuple[str, ...]
    order: tuple[tuple[int, int], ...]
    owners: Array
    readers: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]
    options: tuple[StageOption, ...]
    contiguous: bool = True
    overlapped: bool = False
    sum_weight: int = 0
    max_weight: int = 1
    unit: int = 1
    given_times: GivenTimes | None = None
    batch: BatchTimes | None = None

    def replace(self, **changes: Any) -> StageGraph:
        """Return a copy with fields changed."""
        return replace(self, **changes)

    @property
    def groups(self) -> int:
        """How many there are."""
        return len(self.names)

    @property
    def devices(self) -> int:
        """How many there are of all kinds."""
        return sum(self.counts)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """What groups are given: of every option as many as there are devices for, those of the first option first."""
        return tuple(
            Slot(place, number)
            for place, option in enumerate(self.options)
            for number in range(self.counts[option.kind] // option.devices)
        )

    def times(self, choices: Sequence[int]) -> dict[int, int]:
        """Return by slot that has something how long its stage takes, given each group's slot."""
        if self.given_times is not None:
            return {slot: int(BEYOND) if time is None else time for slot, time in self._times_given(choices).items()}
        computing = dict.fromkeys(sorted(set(choices)), 0)
        reading, sending = dict(computing), dict(computing)
        options = {slot: self.options[self.slots[slot].option] for slot in computing}
        for group, slot in enumerate(choices):
            computing[slot] += int(options[slot].times[group])
        for output, owner in enumerate(self.owners.tolist()):
            home = choices[owner]
            others = {choices[reader] for reader in self.readers[output]} - {home}
            for slot in others:
                reading[slot] += int(options[slot].transfers[output])
            if others:
                sending[home] += int(options[home].transfers[output])
        together = max if self.overlapped else _sum
        return {slot: together(computing[slot], reading[slot], sending[slot]) for slot in computing}

    def _times_given(self, choices: Sequence[int]) -> dict[int, int | None]:
        """Return by slot what its stage takes where that is no sum; None where there may be none."""
        assert self.given_times is not None  # asked for where there are some
        held: dict[int, list[int]] = {slot: [] for slot in sorted(set(choices))}
        for group, slot in enumerate(choices):
            held[slot].append(group)
        return {slot: self.given_times.time(self.slots[slot].option, groups) for slot, groups in held.items()}

    def value(self, choices: Sequence[int]) -> int:
        """Return what a plan costs, in units of 1 / unit."""
        order = None if self.batch is None else self.stages(choices)
        if self.batch is not None and order is not None:
            held: dict[int, list[int]] = {slot: [] for slot in order}
            for group, slot in enumerate(choices):
                held[slot].append(group)
            return self.batch.value([(self.slots[slot].option, groups) for slot, groups in held.items()])
        times = self.times(choices).values()
        return self.sum_weight * sum(times) + self.max_weight * max(times, default=0)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether every group may be where it is, all fits, and stages are as asked for."""
        options = {slot: self.options[self.slots[slot].option] for slot in set(choices)}
        if not all(options[slot].allowed[group] for group, slot in enumerate(choices)):
            return False
        used = dict.fromkeys(options, 0)
        for group, slot in enumerate(choices):
            used[slot] += int(options[slot].usages[group])
        limits = {slot: option.capacity for slot, option in options.items()}
        if any(limit is not None and used[slot] > limit for slot, limit in limits.items()):
            return False
        if self.given_times is not None and None in self._times_given(choices).values():
            return False
        taken = [0] * len(self.counts)
        for option in options.values():
            taken[option.kind] += option.devices
        if any(found > count for found, count in zip(taken, self.counts, strict=True)):
            return False
        return not self.contiguous or self.stages(choices) is not None

    def stages(self, choices: Sequence[int]) -> tuple[int, ...] | None:
        """Return the slots that have something in an order that keeps `order`; None where there is none."""
        before: dict[int, set[int]] = {slot: set() for slot in sorted(set(choices))}
        for first, second in self.order:
            if choices[first] != choices[second]:
                before[choices[second]].add(choices[first])
        try:
            return tuple(TopologicalSorter(before).static_order())
        except CycleError:
            return None


def _sum(*values: int) -> int:
    return sum(values)


def integers(values: Sequence[int]) -> Array:
    """Return exact integers as an array: of 64 bits where all sums of them fit, else of Python's."""
    fits = sum(map(abs, values)) < 2**62
    return np.array(values, dtype=np.int64 if fits else object).reshape(len(values))
