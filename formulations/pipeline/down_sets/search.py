"""The dynamic programme over down-sets: every stage is the difference of two."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from formulations.pipeline.bounds import beyond, lower_bound, number_type, upper_bound
from formulations.pipeline.down_sets.loads import Loads
from formulations.pipeline.down_sets.memory_bounds import MemoryBounds
from formulations.pipeline.down_sets.recomputing import Recomputing, StageEnds
from formulations.pipeline.down_sets.room import InFlightRoom
from formulations.pipeline.down_sets.states import DeviceStates
from hypar_opt.formulation.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.costgraph.pipeline.given_times import GivenTimesBetween
    from hypar_opt.formulation.run import Run


class Weighted(Protocol):
    """A graph of stages: what their sum and the longest of them weigh."""

    @property
    def sum_weight(self) -> int:
        """Of the sum."""

    @property
    def max_weight(self) -> int:
        """Of the longest."""


@dataclass(frozen=True)
class StageCut:
    """Stages one after the other.

    Parameters
    ----------
    choices
        By group, its slot.
    total, longest
        Of the stages' times, the sum and the greatest.
    """

    choices: tuple[int, ...]
    total: int
    longest: int

    def cost(self, weights: Weighted) -> int:
        """Return what they cost by the weights of a graph."""
        return weights.sum_weight * self.total + weights.max_weight * self.longest


@dataclass(frozen=True, eq=False)
class DownSetSearch:
    """Finds the best stages over a lattice.

    Parameters
    ----------
    graph, lattice
        Whose.
    """

    graph: StageGraph
    lattice: Lattice

    @property
    def most(self) -> int:
        """What no stage takes more than."""
        return upper_bound(self.graph)

    @property
    def shortest(self) -> int:
        """What the longest stage takes at least, where that alone is to be least."""
        return lower_bound(self.graph) // max(self.graph.max_weight, 1)

    @cached_property
    def states(self) -> DeviceStates:
        """Which devices may be taken."""
        return DeviceStates.of(self.graph)

    @cached_property
    def memory(self) -> InFlightRoom:
        """How many microbatches in flight stages have room for."""
        return InFlightRoom(self.graph, self.lattice)

    @cached_property
    def bounds(self) -> MemoryBounds:
        """What stages and states keep at least."""
        return MemoryBounds(self.graph, self.lattice, self.states)

    @cached_property
    def anew(self) -> Recomputing | None:
        """What computing activations anew takes; None where nothing can be."""
        several = any(option.ways for option in self.graph.options)
        return Recomputing(self.graph, self.lattice, Loads(self.graph, self.lattice)) if several else None

    @cached_property
    def loads(self) -> GivenTimesBetween:
        """The times of stages."""
        if self.graph.given_times is not None:
            return self.graph.given_times.over(self.lattice.members)
        return Loads(self.graph, self.lattice)

    def least(self, run: Run, most: int, *, of_sum: bool) -> StageCut | None:
        """Return the stages whose longest is least, or whose sum is; None where there are none.

        Parameters
        ----------
        most
            What no stage may take more than.
        of_sum
            Whether it is the sum that is to be least.

        Raises
        ------
        Stopped
            If the run's limits are over before.
        """
        states = self.states
        steps, in_flight, room = states.steps, states.in_flight, states.room(most)
        reached = np.where(steps >= 0, room[steps], -1).max(axis=1)
        shape = (len(states.every), self.lattice.count)
        none = beyond(self.graph)
        best: Array = np.full(shape, none, dtype=number_type(self.graph))
        best[0, 0] = 0
        came = np.full(shape, -1, dtype=np.int32)
        by = np.full(shape, -1, dtype=np.int16)
        cells = best.reshape(-1), came.reshape(-1), by.reshape(-1)
        loads, effort = self.loads, self.lattice.effort
        memory, bounds = self.memory, self.bounds
        for one in range(self.lattice.count - 1):
            if run.limits.over:
                raise Stopped
            able = (room >= effort[-1] - effort[one]) & bounds.enough(one)
            open_states = np.flatnonzero((best[:, one] < none) & able)
            if not len(open_states):
                continue
            others = bounds.within(one, self.lattice.above(one, most, effort[-1] - reached[open_states].max()))
            if not len(others):
                continue
            stages = StageEnds(one, others, most, loads.between(one, others), memory.between(one, others), self.anew)
            for option in range(steps.shape[1]):
                ready = open_states[steps[open_states, option] >= 0]
                for count, some in _by_count(ready, in_flight[ready, option]):
                    places, taken = stages.fitting(option, count)
                    if not len(places):
                        continue
                    known = best[some, one][:, None]
                    found = known + taken if of_sum else np.maximum(known, taken)
                    reach = steps[some, option][:, None] * self.lattice.count + others[places]
                    better = found < cells[0][reach]
                    improved = reach[better]
                    if len(improved):
                        cells[0][improved], cells[1][improved], cells[2][improved] = found[better], one, option
        return self._traced(best, came, by)

    def _traced(self, best: Array, came: Array, by: Array) -> StageCut | None:
        """Return the stages that lead to the best end."""
        state, end = int(best[:, -1].argmin()), self.lattice.count - 1
        if best[state, end] >= beyond(self.graph):
            return None
        stages = []
        while end:
            option, start = int(by[state, end]), int(came[state, end])
            state = int(np.flatnonzero(self.states.steps[:, option] == state)[0])
            stages.append((option, start, end, int(self.states.in_flight[state, option])))
            end = start
        slots = {(slot.option, slot.number): place for place, slot in enumerate(self.graph.slots)}
        choices = np.zeros(self.graph.groups, dtype=np.int64)
        taken = [0] * len(self.graph.options)
        for option, start, end, count in stages if self.graph.counts_behind else reversed(stages):
            choices[self.lattice.members[:, end] & ~self.lattice.members[:, start]] = slots[option, taken[option]]
            numbers = {} if self.anew is None else self.anew.numbers(option, start, end, count) or {}
            for group, number in numbers.items():
                choices[group] += number * len(self.graph.slots)
            taken[option] += 1
        found = tuple(choices.tolist())
        times = self.graph.times(found).values()
        return StageCut(found, sum(times), max(times))


def _by_count(states: Array, counts: Array) -> Iterator[tuple[int, Array]]:
    """Yield states with the same number of microbatches in flight together."""
    if len(states) and (counts == counts[0]).all():
        yield int(counts[0]), states
        return
    for count in np.unique(counts).tolist():
        yield count, states[counts == count]
