"""The places of stages in a mixed-integer programme: positions one after the other, each with an option."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from formulations.flow_model.covers import CapacityRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formulations.pipeline.programme import ScaledOption, StageProgramme
    from hypar_opt.costgraph.pipeline import StageGraph


@dataclass(frozen=True)
class StagePlace:
    """Where a stage may be: at a position by an option; where stages have no order, a slot of its own.

    Parameters
    ----------
    position, option
        Positions are from the pipeline's end where what is kept depends on what stands behind.
    in_flight
        Microbatches for which its memory has room, which says how many replicas may stand behind it; None where any do.
    """

    position: int
    option: int
    in_flight: int | None = None


@dataclass(frozen=True, eq=False)
class PlaceProgramme:
    """The places that every group may have.

    Parameters
    ----------
    stages
        What groups take in slots.
    unit, constant
        A plan costs constant + unit x its scaled cost.
    rows
        What solutions have to keep beside the model: capacities, and what was seen.
    """

    stages: StageProgramme
    unit: int
    rows: tuple[CapacityRow, ...] = ()
    constant: int = 0

    @classmethod
    def of(cls, stages: StageProgramme) -> Self:
        """Return the programme with its capacities."""
        bare = cls(stages, stages.unit)
        return replace(bare, rows=tuple(bare.capacities()))

    @property
    def graph(self) -> StageGraph:
        """Whose."""
        return self.stages.graph

    @cached_property
    def places(self) -> tuple[StagePlace, ...]:
        """All of them, by position."""
        graph = self.graph
        if not graph.contiguous:
            return tuple(StagePlace(position, slot.option) for position, slot in enumerate(graph.slots))
        return tuple(
            place
            for position in range(min(graph.groups, graph.devices))
            for option, own in enumerate(self.stages.series)
            if own
            for place in self._at(position, option)
        )

    def _at(self, position: int, option: int) -> Iterator[StagePlace]:
        """Yield the places of an option at a position: one for every number of microbatches that may be in flight."""
        graph, way = self.graph, self.stages.ways[option]
        if not graph.counts_behind or way.capacity is None:
            yield StagePlace(position, option)
            return
        least = position * min(one.replicas for one in self.stages.ways) + way.replicas
        for count in range(graph.microbatches(way.replicas, least), self.most_in_flight(position, way) + 1):
            yield StagePlace(position, option, count)

    def most_in_flight(self, position: int, way: ScaledOption) -> int:
        """Return how many microbatches are in flight at a position, whatever stands behind it."""
        most = position * max(one.replicas for one in self.stages.ways) + way.replicas
        return self.graph.microbatches(way.replicas, min(most, self.graph.devices))

    @cached_property
    def positions(self) -> tuple[tuple[int, ...], ...]:
        """By position, its places."""
        found: dict[int, list[int]] = {}
        for number, place in enumerate(self.places):
            found.setdefault(place.position, []).append(number)
        return tuple(tuple(found[position]) for position in sorted(found))

    @cached_property
    def ways(self) -> tuple[ScaledOption, ...]:
        """By place, what it takes."""
        return tuple(self.stages.ways[place.option] for place in self.places)

    @cached_property
    def values(self) -> tuple[tuple[int, ...], ...]:
        """By group, the places that it may have, and as many more for every further way as there are places."""
        if not self.graph.contiguous:
            return self.stages.values
        many = len(self.graph.slots)
        options = [{(self.graph.slots[one % many].option, one // many) for one in own} for own in self.stages.values]
        return tuple(
            tuple(
                place + number * len(self.places)
                for place, one in enumerate(self.places)
                for number in self.stages.ways[one.option].numbers(group)
                if (one.option, number) in own and self._has_room(one, group, number)
            )
            for group, own in enumerate(options)
        )

    def _has_room(self, place: StagePlace, group: int, number: int) -> bool:
        way, count = self.stages.ways[place.option], place.in_flight
        return count is None or way.capacity is None or way.kept_by(group, number, count) <= way.capacity

    @property
    def most(self) -> int:
        """A number that no scaled cost exceeds."""
        graph = self.graph
        return self.stages.most * (graph.sum_weight * graph.devices + graph.max_weight)

    def choices(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Return the choice of every group: slots of an option in the order of positions."""
        found = [own[one] for own, one in zip(self.values, positions, strict=True)]
        if not self.graph.contiguous:
            return tuple(found)
        places = [one % len(self.places) for one in found]
        taken = [0] * len(self.stages.ways)
        slots: dict[int, int] = {}
        for number in sorted(set(places)):
            option = self.places[number].option
            own = self.stages.series[option]
            slots[number] = own[min(taken[option], len(own) - 1)]
            taken[option] += 1
        many = len(self.graph.slots)
        return tuple(slots[place] + one // len(self.places) * many for place, one in zip(places, found, strict=True))

    def placed(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return the place of every group in a plan, as symmetry leaves them."""
        if not self.graph.contiguous:
            return self.stages.ordered(choices)
        graph = self.graph
        order = graph.stages(choices) or ()
        found, behind = {}, 0
        for position, slot in enumerate(reversed(order) if graph.counts_behind else order):
            option = graph.slots[slot].option
            behind += graph.options[option].replicas
            count = graph.microbatches(graph.options[option].replicas, behind)
            found[slot] = next(
                number
                for number, place in enumerate(self.places)
                if (place.position, place.option) == (position, option) and (place.in_flight or count) == count
            )
        many = len(graph.slots)
        return tuple(found[choice % many] + choice // many * len(self.places) for choice in choices)

    def capacities(self) -> Iterable[CapacityRow]:
        """Yield what fits into every place."""
        for number, way in enumerate(self.ways):
            if way.capacity is not None:
                count = self.places[number].in_flight or 1
                usages = {
                    (group, at): kept
                    for group, own in enumerate(self.values)
                    for at, one in enumerate(own)
                    if one % len(self.places) == number and (kept := way.kept_by(group, one // len(self.places), count))
                }
                yield CapacityRow(f"place {number}", usages, way.capacity)

    def coarse(self, size: int, most: int, more: Sequence[CapacityRow]) -> Self:
        """Return a relaxation in units of `size`, no time above `most` + 1, with more rows."""
        rows = (*(row.relaxed() for row in self.rows), *more)
        return replace(self, stages=self.stages.floored(size, most + 1), unit=self.unit * size, rows=rows)
