"""What is to be decided of a pipeline, in numbers as small as they can exactly be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.costgraph.pipeline import StageGraph


@dataclass(frozen=True, eq=False)
class ScaledOption:
    """An option in scaled numbers: `times` by group, `transfers` by output, `usages` by group, `capacity` or None."""

    kind: int
    devices: int
    times: tuple[int, ...]
    transfers: tuple[int, ...]
    usages: tuple[int, ...]
    capacity: int | None


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
        The greatest common divisor of all times.
    """

    graph: StageGraph
    ways: tuple[ScaledOption, ...]
    unit: int
    constant: int = 0

    @classmethod
    def of(cls, graph: StageGraph) -> Self:
        """Return a graph's programme."""
        every = [(list(map(int, one.times)), list(map(int, one.transfers))) for one in graph.options]
        unit = gcd(*(number for times, transfers in every for number in (*times, *transfers))) or 1
        ways = [
            ScaledOption(
                option.kind,
                option.devices,
                tuple(one // unit for one in times),
                tuple(one // unit for one in transfers),
                tuple(map(int, option.usages)),
                None if option.capacity is None or sum(map(int, option.usages)) <= option.capacity else option.capacity,
            )
            for option, (times, transfers) in zip(graph.options, every, strict=True)
        ]
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
        """By group, the slots that it may have.

        Slots of an option are taken in the order of their first groups where stages need no order, so that group g has
        none of more than g slots before it; in the order of the stages where they do.
        """
        return tuple(
            tuple(place for place, slot in enumerate(self.graph.slots) if self._allows(group, slot.option, slot.number))
            for group in range(self.graph.groups)
        )

    def _allows(self, group: int, option: int, number: int) -> bool:
        way = self.ways[option]
        fits = way.capacity is None or way.usages[group] <= way.capacity
        return fits and bool(self.graph.options[option].allowed[group]) and (self.graph.contiguous or number <= group)

    @cached_property
    def most(self) -> int:
        """What no stage takes more than."""
        return max((sum(way.times) + sum(way.transfers) for way in self.ways), default=0)

    def choices(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Return the slot at one position of every group."""
        return tuple(own[place] for own, place in zip(self.values, positions, strict=True))

    def ordered(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return the same stages in the slots that symmetry leaves them."""
        found = self.graph.stages(choices) if self.graph.contiguous else tuple(dict.fromkeys(choices))
        taken = [0] * len(self.ways)
        named: dict[int, int] = {}
        for slot in found or ():
            option = self.graph.slots[slot].option
            named[slot] = self.series[option][taken[option]]
            taken[option] += 1
        return tuple(named[slot] for slot in choices)

    def floored(self, size: int, most: int) -> StageProgramme:
        """Return the programme whose times are divided by a size and rounded down, and are `most` at most."""
        ways = tuple(
            replace(
                way,
                times=tuple(min(one // size, most) for one in way.times),
                transfers=tuple(min(one // size, most) for one in way.transfers),
            )
            for way in self.ways
        )
        return replace(self, ways=ways, unit=self.unit * size)
