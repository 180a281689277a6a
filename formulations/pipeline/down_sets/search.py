"""The dynamic programme over down-sets: every stage is the difference of two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from formulations.pipeline.bounds import beyond, number_type
from formulations.pipeline.down_sets.loads import Loads
from formulations.pipeline.down_sets.memory_bounds import MemoryBounds
from formulations.pipeline.down_sets.room import InFlightRoom
from formulations.pipeline.down_sets.states import DeviceStates
from hypar_opt.formulation.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.costgraph.pipeline.given_times import GivenTimesBetween
    from hypar_opt.formulation.run import Run


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
        states = DeviceStates.of(self.graph)
        steps, in_flight, room = states.steps, states.in_flight, states.room(most)
        farthest = [max((room[step] for step in own if step >= 0), default=-1) for own in steps]
        reached = np.array(farthest, dtype=room.dtype)
        shape, none = (len(states.every), self.lattice.count), beyond(self.graph)
        best: Array = np.full(shape, none, dtype=number_type(self.graph))
        best[0, 0] = 0
        came = np.full(shape, -1, dtype=np.int32)
        by = np.full(shape, -1, dtype=np.int16)
        loads, effort = self.loads, self.lattice.effort
        memory, bounds = InFlightRoom(self.graph, self.lattice), MemoryBounds(self.graph, self.lattice, states)
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
            times = loads.between(one, others)
            allowed = [of_option <= most for of_option in times]
            stands = memory.between(one, others)
            fitting: dict[tuple[int, int], Array] = {}  # by option and microbatches in flight
            for state in open_states.tolist():
                known = best[state, one]
                for option, step in enumerate(steps[state]):
                    if step < 0:
                        continue
                    key = option, in_flight[state][option]
                    if key not in fitting:
                        fitting[key] = _fitting(allowed[option], stands[option], key[1])
                    fits = fitting[key]
                    if not len(fits):
                        continue
                    ends, taken = others[fits], times[option][fits]
                    found = known + taken if of_sum else np.maximum(known, taken)
                    better = found < best[step, ends]
                    ends = ends[better]
                    best[step, ends] = found[better]
                    came[step, ends] = one
                    by[step, ends] = option
        return self._traced(best, came, by, steps)

    def _traced(self, best: Array, came: Array, by: Array, steps: Sequence[Sequence[int]]) -> StageCut | None:
        """Return the stages that lead to the best end."""
        state, end = int(best[:, -1].argmin()), self.lattice.count - 1
        if best[state, end] >= beyond(self.graph):
            return None
        stages = []
        while end:
            option, start = int(by[state, end]), int(came[state, end])
            stages.append((option, start, end))
            state = next(before for before, step in enumerate(steps) if step[option] == state)
            end = start
        slots = {(slot.option, slot.number): place for place, slot in enumerate(self.graph.slots)}
        choices = np.zeros(self.graph.groups, dtype=np.int64)
        taken = [0] * len(self.graph.options)
        for option, start, end in stages if self.graph.counts_behind else reversed(stages):
            choices[self.lattice.members[:, end] & ~self.lattice.members[:, start]] = slots[option, taken[option]]
            taken[option] += 1
        found = tuple(choices.tolist())
        times = self.graph.times(found).values()
        return StageCut(found, sum(times), max(times))


def _fitting(allowed: Array, stands: Array | None, microbatches: int) -> Array:
    """Return the places of stages that are allowed and have room for so many microbatches in flight."""
    found: Array = np.flatnonzero(allowed if stands is None else allowed & (stands >= microbatches))
    return found
