"""Stages that only fit where some of their groups compute activations anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from formulations.pipeline.sparing import Spared, least_sparing, spared
from hypar_opt.costgraph.pipeline.option import integers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.pipeline.down_sets.lattice import Lattice
    from formulations.pipeline.down_sets.loads import Loads
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph, StageOption

Family: TypeAlias = "tuple[object, ...]"
"""What decides which groups compute activations anew: the same for options that differ in their replicas alone."""


@dataclass(frozen=True, eq=False)
class Recomputing:
    """The least time more in which stages fit.

    Which groups it is depends on what each spares and on times' proportions, and so not on how many replicas a stage
    has: it is found once for all numbers of them.

    Parameters
    ----------
    graph, lattice
        Whose.
    loads
        What stages take with all groups in their quickest ways.
    """

    graph: StageGraph
    lattice: Lattice
    loads: Loads
    _found: dict[tuple[int, int, int, int], dict[int, int] | None] = field(default_factory=dict)
    _ways: dict[tuple[int, int], dict[int, list[Spared]]] = field(default_factory=dict)
    _least: dict[tuple[int, int], Array] = field(default_factory=dict)

    @cached_property
    def _families(self) -> list[int]:
        """By option, the number of its family."""
        numbers: dict[Family, int] = {}
        return [numbers.setdefault(_family(option), len(numbers)) for option in self.graph.options]

    @cached_property
    def _groups(self) -> list[frozenset[int]]:
        """By down-set, groups that have several ways by any option."""
        several = sorted({group for option in self.graph.options for group in option.ways})
        columns = self.lattice.members[several].T
        return [
            frozenset(group for group, inside in zip(several, own, strict=True) if inside) for own in columns.tolist()
        ]

    def may_fit(self, option: int, one: int, others: Array, count: int) -> Array:
        """Return whether stages fit where groups keep as little as they can, with so many microbatches in flight."""
        way = self.graph.options[option]
        assert way.capacity is not None  # else everything fits
        key = option, count
        if key not in self._least:
            kept = [
                min([int(plain), *(further.kept(count) for further in way.ways.get(group, ()))])
                for group, plain in enumerate(way.kept(count).tolist())
            ]
            self._least[key] = integers(kept) @ self.lattice.members.astype(np.int64)
        found: Array = self._least[key][others] - self._least[key][one] <= way.capacity
        return found

    def longer(self, option: int, one: int, end: int, count: int, time: int) -> int | None:
        """Return what a stage takes at least that takes a time in quickest ways; None where it never fits."""
        numbers = self.numbers(option, one, end, count)
        if numbers is None:
            return None
        way = self.graph.options[option]
        more = sum(way.ways[group][number - 1].time - int(way.times[group]) for group, number in numbers.items())
        if self.graph.overlapped:
            return max(time, self.loads.computing(option, one, end) + more)
        return time + more

    def _spared(self, option: int, count: int) -> dict[int, list[Spared]]:
        """Return by group what its further ways take more and keep less, with so many microbatches in flight."""
        key = option, count
        if key not in self._ways:
            way = self.graph.options[option]
            self._ways[key] = {group: spared(way, group, count) for group in way.ways}
        return self._ways[key]

    def numbers(self, option: int, one: int, end: int, count: int) -> dict[int, int] | None:
        """Return the ways of groups of a stage that are not done in their quickest one; None where it never fits."""
        key = (self._families[option], one, end, count)
        if key not in self._found:
            way = self.graph.options[option]
            stage = self.lattice.members[:, end] & ~self.lattice.members[:, one]
            needed = int(way.kept(count)[stage].sum()) - (way.capacity or 0)
            of_all = self._spared(option, count)
            items = {group: of_all[group] for group in sorted(self._groups[end] - self._groups[one]) if group in of_all}
            answer = least_sparing(items, needed)
            self._found[key] = None if answer is None else answer[1]
        return self._found[key]


@dataclass(frozen=True)
class StageEnds:
    """Stages that begin at one down-set, by the down-sets at which they end.

    Parameters
    ----------
    one, others
        Where they begin and end.
    most
        What they may take.
    times
        By option, what they take with all groups in their quickest ways.
    stands
        By option, how many microbatches in flight they then have room for; None where that decides nothing.
    anew
        What computing activations anew takes; None where nothing can be.
    """

    one: int
    others: Array
    most: int
    times: Sequence[Array]
    stands: Sequence[Array | None]
    anew: Recomputing | None

    def fitting(self, option: int, count: int) -> tuple[Array, Array]:
        """Return the places of those with room for so many microbatches in flight that take little, and their times."""
        times, room = self.times[option], self.stands[option]
        allowed = times <= self.most
        places: Array = np.flatnonzero(allowed if room is None else allowed & (room >= count))
        if self.anew is None or room is None or not self.anew.graph.options[option].ways:
            return places, times[places]
        tight = np.flatnonzero(allowed & (room < count) & self.anew.may_fit(option, self.one, self.others, count))
        longer = [
            (place, self.anew.longer(option, self.one, int(self.others[place]), count, int(times[place])))
            for place in tight.tolist()
        ]
        within = [(place, time) for place, time in longer if time is not None and time <= self.most]
        if not within:
            return places, times[places]
        more = np.array([time for _, time in within], dtype=times.dtype)
        every = np.concatenate([places, np.array([place for place, _ in within], dtype=places.dtype)])
        return every, np.concatenate([times[places], more])


def _family(option: StageOption) -> Family:
    more = [way.time - int(option.times[group]) for group, own in option.ways.items() for way in own]
    unit = gcd(*more) or 1
    kept = tuple((group, *((way.usage, way.activations) for way in own)) for group, own in option.ways.items())
    plain = (tuple(map(int, option.usages)), tuple(map(int, option.activations)))
    return (option.kind, option.capacity, tuple(one // unit for one in more), kept, plain)
