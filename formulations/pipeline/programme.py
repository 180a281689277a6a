"""What is to be decided of a pipeline, in numbers as small as they can exactly be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.costgraph.pipeline import GroupWay, StageGraph, StageOption


@dataclass(frozen=True, eq=False)
class ScaledOption:
    """An option in scaled numbers.

    Parameters
    ----------
    kind, devices, replicas
        As the option's.
    times, transfers
        By group, and by output.
    usages, activations
        By group, with one microbatch in flight, and more for every further one.
    capacity
        None where all groups fit, however many microbatches are in flight.
    sends
        By output, of sending it, where `transfers` is of reading it.
    further
        By group its further ways: their times, usages and activations.
    """

    kind: int
    devices: int
    replicas: int
    times: tuple[int, ...]
    transfers: tuple[int, ...]
    usages: tuple[int, ...]
    activations: tuple[int, ...]
    capacity: int | None
    sends: tuple[int, ...]
    further: Mapping[int, tuple[GroupWay, ...]]

    @classmethod
    def of(cls, option: StageOption, unit: int, in_flight: int) -> Self:
        """Return an option with its times in units, and no more than so many microbatches in flight."""
        usages, activations = tuple(map(int, option.usages)), tuple(map(int, option.activations))
        found = cls(
            option.kind,
            option.devices,
            option.replicas,
            tuple(int(one) // unit for one in option.times),
            tuple(int(one) // unit for one in option.transfers),
            usages,
            activations,
            option.capacity,
            tuple(int(one) // unit for one in option.sending),
            {group: tuple(replace(way, time=way.time // unit) for way in own) for group, own in option.ways.items()},
        )
        fits = option.capacity is None or sum(found.kept(in_flight)) <= option.capacity
        return replace(found, capacity=None) if fits else found

    def kept(self, count: int) -> tuple[int, ...]:
        """Return by group what each device keeps with so many microbatches in flight."""
        pairs = zip(self.usages, self.activations, strict=True)
        return tuple(usage + (count - 1) * more for usage, more in pairs)

    def numbers(self, group: int) -> range:
        """Return the numbers of the ways that a group may be done in, 0 that of the quickest."""
        return range(1 + len(self.further.get(group, ())))

    def time(self, group: int, number: int) -> int:
        """Return what a group takes in one of its ways."""
        return self.further[group][number - 1].time if number else self.times[group]

    def kept_by(self, group: int, number: int, count: int) -> int:
        """Return what each device keeps of a group in one of its ways, with so many microbatches in flight."""
        if number:
            return self.further[group][number - 1].kept(count)
        return self.usages[group] + (count - 1) * self.activations[group]

    @property
    def most(self) -> int:
        """What no stage takes more than."""
        slowest = (max(self.time(group, number) for number in self.numbers(group)) for group in range(len(self.times)))
        return sum(slowest) + sum(map(max, self.transfers, self.sends))


@dataclass(frozen=True, eq=False)
class StageProgramme:
    """The slots that every group may have.

    Parameters
    ----------
    graph
        Whose.
    ways
        Its options, times and transfers divided by `unit`.
    unit
        The greatest common divisor of all times, of a batch's as well.
    """

    graph: StageGraph
    ways: tuple[ScaledOption, ...]
    unit: int
    constant: int = 0

    @classmethod
    def of(cls, graph: StageGraph) -> Self:
        """Return a graph's programme."""
        every = [
            map(
                int, (*one.times, *one.transfers, *one.sending, *(way.time for own in one.ways.values() for way in own))
            )
            for one in graph.options
        ]
        unit = gcd(*(number for numbers in every for number in numbers)) or 1
        if graph.batch is not None:
            unit = gcd(unit, graph.batch.divisor)
        ways = [ScaledOption.of(option, unit, graph.in_flight) for option in graph.options]
        return cls(graph, tuple(ways), unit)

    @cached_property
    def slots(self) -> tuple[ScaledOption, ...]:
        """By slot, what it takes."""
        return tuple(self.ways[slot.option] for slot in self.graph.slots)

    @cached_property
    def series(self) -> tuple[tuple[int, ...], ...]:
        """By option, its slots, which are alike."""
        places: list[list[int]] = [[] for _ in self.ways]
        for place, slot in enumerate(self.graph.slots):
            places[slot.option].append(place)
        return tuple(map(tuple, places))

    @cached_property
    def values(self) -> tuple[tuple[int, ...], ...]:
        """By group, the choices that it may have: slots, and ways to be done there.

        Slots of an option are taken in the order of their first groups where stages need no order, so that group g has
        none of more than g slots before it; in the order of the stages where they do, or from the end.
        """
        return tuple(
            tuple(
                place + number * len(self.graph.slots)
                for place, slot in enumerate(self.graph.slots)
                for number in self._allowed(group, slot.option, slot.number)
            )
            for group in range(self.graph.groups)
        )

    def _allowed(self, group: int, option: int, number: int) -> Iterator[int]:
        """Yield the ways that a group may be done in at a slot."""
        way = self.ways[option]
        if bool(self.graph.options[option].allowed[group]) and (self.graph.contiguous or number <= group):
            count = self._in_flight(way, number)
            for one in way.numbers(group):
                if way.capacity is None or way.kept_by(group, one, count) <= way.capacity:
                    yield one

    def least_in_flight(self, slot: int) -> int:
        """Return how many microbatches a slot's stage has at least: the slots of its option before it are behind it."""
        return self._in_flight(self.slots[slot], self.graph.slots[slot].number)

    def most_in_flight(self, slot: int) -> int:
        """Return how many it has at most, whatever stands behind it."""
        return self.graph.microbatches(self.slots[slot].replicas, self.graph.devices)

    def _in_flight(self, way: ScaledOption, number: int) -> int:
        """Return the microbatches in flight at the stage of a number of an option that no other options are behind."""
        return self.graph.microbatches(way.replicas, (number + 1) * way.replicas) if self.graph.counts_behind else 1

    @cached_property
    def most(self) -> int:
        """What no stage takes more than."""
        return max((way.most for way in self.ways), default=0)

    def choices(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Return the choice at one position of every group."""
        return tuple(own[place] for own, place in zip(self.values, positions, strict=True))

    def ordered(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return the same stages in the slots that symmetry leaves them."""
        graph = self.graph
        at, many = graph.slots_of(choices), len(graph.slots)
        found = (graph.stages(choices) or ()) if graph.contiguous else tuple(dict.fromkeys(at))
        taken = [0] * len(self.ways)
        named: dict[int, int] = {}
        for slot in reversed(found) if graph.counts_behind else found:
            option = self.graph.slots[slot].option
            named[slot] = self.series[option][taken[option]]
            taken[option] += 1
        return tuple(named[slot] + choice // many * many for slot, choice in zip(at, choices, strict=True))

    def floored(self, size: int, most: int) -> StageProgramme:
        """Return the programme whose times are divided by a size and rounded down, and are `most` at most."""
        ways = tuple(
            replace(
                way,
                times=tuple(min(one // size, most) for one in way.times),
                transfers=tuple(min(one // size, most) for one in way.transfers),
                sends=tuple(min(one // size, most) for one in way.sends),
                further={
                    group: tuple(replace(one, time=min(one.time // size, most)) for one in own)
                    for group, own in way.further.items()
                },
            )
            for way in self.ways
        )
        return replace(self, ways=ways, unit=self.unit * size)
