"""Operators that are to be divided among devices: the one form of a pipeline that every formulation of stages reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from hypar_opt.costgraph.pipeline.given_times import BEYOND
from hypar_opt.costgraph.pipeline.option import GroupWay, Slot, StageOption
from hypar_opt.costgraph.pipeline.order import stages_in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline.batch import BatchTimes
    from hypar_opt.costgraph.pipeline.given_times import GivenTimes

__all__ = ["GroupWay", "Slot", "StageGraph", "StageOption"]


@dataclass(frozen=True, eq=False)
class StageGraph:
    """Groups of operators, each to be given a slot, which makes those of one slot a stage, and a way to be done there.

    A choice is a slot's number, and as many more for every further way as there are slots.

    A stage computes, reads what its groups need and others make, and sends what its groups make and others need, each
    output once. It takes the sum of the three, or the longest where `overlapped`. A plan costs

    `sum_weight x (the sum of all stages' times) + max_weight x (the longest of them)`, in units of 1 / unit.

    Contiguous stages stand in one order. With d replicas, D in all behind it and its own, a stage has ceil(D / d)
    microbatches in flight, `in_flight` at most; a plan is allowed where there is an order in which all fits.

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
    in_flight
        Microbatches in flight at a stage, at most; 1 where stages need not be contiguous.
    given_times
        What stages take, where that is no sum over their groups; the options' times are then no more than it.
    most_stages
        How many there may be; None where the devices alone say.
    places
        By group, where its first operator stands in the pipeline's file; nothing where groups stand as they are.
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
    in_flight: int = 1
    given_times: GivenTimes | None = None
    most_stages: int | None = None
    places: tuple[int, ...] = ()
    batch: BatchTimes | None = None

    def replace(self, **changes: Any) -> StageGraph:
        """Return a copy with fields changed."""
        return replace(self, **changes)

    @property
    def needs(self) -> Mapping[str, str]:
        """By capability that a formulation of it has, why others decline."""
        found = {}
        if self.given_times is not None:
            found["reads_given_times"] = (
                "its stages take sums over their groups, and this graph's do not; try pipeline-dp"
            )
        if self.batch is not None:
            found["reads_batch"] = (
                "a batch's time by a schedule is neither a sum over stages nor their maximum; try pipeline-batch"
            )
        return found

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

    @cached_property
    def counts_behind(self) -> bool:
        """Whether what stands behind a stage decides whether it fits."""
        return self.in_flight > 1 and any(
            option.capacity is not None and sum(map(int, option.kept(self.in_flight))) > option.capacity
            for option in self.options
        )

    @cached_property
    def search_order(self) -> tuple[tuple[int, int], ...]:
        """As `order`, each once, sorted; turned around where stages are best told from the end.

        Going from the end whatever stands behind a stage is known when it is begun.
        """
        pairs = ((second, first) for first, second in self.order) if self.counts_behind else self.order
        return tuple(sorted(set(pairs)))

    def microbatches(self, replicas: int, behind: int) -> int:
        """Return how many are in flight at a stage with so many replicas, so many behind it and its own together."""
        return min(-(-behind // replicas), self.in_flight)

    @cached_property
    def most_choices(self) -> int:
        """What no choice reaches: slots times the most ways that any group has."""
        ways = (len(own) for option in self.options for own in option.ways.values())
        return len(self.slots) * (1 + max(ways, default=0))

    def slots_of(self, choices: Sequence[int]) -> list[int]:
        """Return the slot of every group."""
        return [choice % len(self.slots) for choice in choices]

    def held(self, choices: Sequence[int]) -> dict[int, list[int]]:
        """Return by slot that has something its groups, ascending both."""
        found: dict[int, list[int]] = {}
        for group, slot in enumerate(self.slots_of(choices)):
            found.setdefault(slot, []).append(group)
        return dict(sorted(found.items()))

    def way_of(self, group: int, choice: int) -> GroupWay:
        """Return what a group takes by its choice."""
        number, slot = divmod(choice, len(self.slots))
        return self.options[self.slots[slot].option].way(group, number)

    def times(self, choices: Sequence[int]) -> dict[int, int]:
        """Return by slot that has something how long its stage takes, given each group's choice."""
        if self.given_times is not None:
            return {slot: int(BEYOND) if time is None else time for slot, time in self._times_given(choices).items()}
        at = self.slots_of(choices)
        computing = dict.fromkeys(sorted(set(at)), 0)
        reading, sending = dict(computing), dict(computing)
        options = {slot: self.options[self.slots[slot].option] for slot in computing}
        for group, choice in enumerate(choices):
            computing[at[group]] += self.way_of(group, choice).time
        for output, owner in enumerate(self.owners.tolist()):
            home = at[owner]
            others = {at[reader] for reader in self.readers[output]} - {home}
            for slot in others:
                reading[slot] += int(options[slot].transfers[output])
            if others:
                sending[home] += int(options[home].sending[output])
        together = max if self.overlapped else _sum
        return {slot: together(computing[slot], reading[slot], sending[slot]) for slot in computing}

    def _times_given(self, choices: Sequence[int]) -> dict[int, int | None]:
        """Return by slot what its stage takes where that is no sum; None where there may be none."""
        assert self.given_times is not None  # asked for where there are some
        times = self.given_times
        return {slot: times.time(self.slots[slot].option, groups) for slot, groups in self.held(choices).items()}

    def value(self, choices: Sequence[int]) -> int:
        """Return what a plan costs, in units of 1 / unit."""
        order = None if self.batch is None else self.stages(choices)
        if self.batch is not None and order is not None:
            held = self.held(choices)
            return self.batch.value([(self.slots[slot].option, held[slot]) for slot in order])
        times = self.times(choices).values()
        return self.sum_weight * sum(times) + self.max_weight * max(times, default=0)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether every group may be where it is, all fits, and stages are as asked for."""
        options = {slot: self.options[self.slots[slot].option] for slot in set(self.slots_of(choices))}
        if self.most_stages is not None and len(options) > self.most_stages:
            return False
        for group, choice in enumerate(choices):
            number, slot = divmod(choice, len(self.slots))
            if not options[slot].has(group, number):
                return False
        room = self._room(choices)
        if any(room[slot] < option.replicas for slot, option in options.items()):
            return False
        if self.given_times is not None and None in self._times_given(choices).values():
            return False
        taken = [0] * len(self.counts)
        for option in options.values():
            taken[option.kind] += option.devices
        if any(found > count for found, count in zip(taken, self.counts, strict=True)):
            return False
        if not self.contiguous:
            return True
        order = self._ordered(choices, room)
        behind = accumulate(options[slot].replicas for slot in reversed(order or ()))
        return order is not None and all(
            room[slot] >= found for slot, found in zip(reversed(order), behind, strict=True)
        )

    def stages(self, choices: Sequence[int]) -> tuple[int, ...] | None:
        """Return the slots that have something in an order that keeps `order`; None where there is none.

        Every stage has room for so many replicas behind it, its own included. Of the stages that may come first the one
        with the most room does, and so on: in an order in which all have room it can be put in front of what stands
        before it. It then has all replicas behind it, and no less room than the one that was first and had all of them
        as well; those that it passes have fewer behind them, all others as many. Of several that one does whose first
        operator comes first in the file, so that the order is one of stages, however their slots are numbered.
        """
        return self._ordered(choices, self._room(choices))

    def _ordered(self, choices: Sequence[int], most_behind: Mapping[int, int]) -> tuple[int, ...] | None:
        at, places = self.slots_of(choices), dict[int, int]()
        for slot, place in zip(at, self.places or range(self.groups), strict=True):
            places[slot] = min(place, places.get(slot, place))
        before: dict[int, set[int]] = {slot: set() for slot in sorted(places, key=places.__getitem__)}
        for first, second in self.order:
            if at[first] != at[second]:
                before[at[second]].add(at[first])
        replicas = sum(self.options[self.slots[slot].option].replicas for slot in places)
        room = {slot: min(found, replicas) for slot, found in most_behind.items()}
        return stages_in_order(before, room)

    def _room(self, choices: Sequence[int]) -> dict[int, int]:
        """Return by slot how many replicas may stand behind its stage, its own included; 0 where it never fits."""
        return {
            slot: self._most_behind(
                self.options[self.slots[slot].option], [self.way_of(group, choices[group]) for group in groups]
            )
            for slot, groups in self.held(choices).items()
        }

    def _most_behind(self, option: StageOption, ways: Sequence[GroupWay]) -> int:
        if option.capacity is None:
            return self.devices
        left = option.capacity - sum(way.usage for way in ways)
        further = sum(way.activations for way in ways)
        if left < 0:
            return 0
        if left >= (self.in_flight - 1) * further:
            return self.devices
        return option.replicas * (1 + left // further)


def _sum(*values: int) -> int:
    return sum(values)
