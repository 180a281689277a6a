"""The dynamic programme over down-sets: every stage is the difference of two."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from formulations.pipeline.down_sets.loads import BEYOND, Loads
from hypar_opt.formulation.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class Cut:
    """Stages one after the other.

    Parameters
    ----------
    choices
        By group, its device.
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
    def loads(self) -> Loads:
        """The times of stages."""
        return Loads(self.graph, self.lattice)

    def least(self, run: Run, most: int, *, of_sum: bool) -> Cut | None:
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
        counts = [kind.count for kind in self.graph.kinds]
        states = list(product(*(range(count + 1) for count in counts)))  # how many devices of each kind are taken
        place = {state: number for number, state in enumerate(states)}
        steps = [
            [place[(*state[:kind], state[kind] + 1, *state[kind + 1 :])] if state[kind] < count else -1
             for kind, count in enumerate(counts)]
            for state in states
        ]  # fmt: skip
        left = np.array([sum(counts) - sum(state) for state in states])
        shape = (len(states), self.lattice.count)
        best = np.full(shape, BEYOND, dtype=np.int64)
        best[0, 0] = 0
        came = np.full(shape, -1, dtype=np.int32)
        kinds = np.full(shape, -1, dtype=np.int16)
        loads, work = self.loads, self.lattice.work
        for one in range(self.lattice.count - 1):
            if run.limits.over:
                raise Stopped
            needed = -(-(work[-1] - work[one]) // max(most, 1))
            open_states = np.flatnonzero((best[:, one] < BEYOND) & (left >= needed))
            if not len(open_states):
                continue
            others = self.lattice.above(one, most)
            if not len(others):
                continue
            times = loads.between(one, others)
            fitting = [np.flatnonzero(of_kind <= most) for of_kind in times]
            for state in open_states.tolist():
                known = best[state, one]
                for kind, step in enumerate(steps[state]):
                    fits = fitting[kind]
                    if step < 0 or not len(fits):
                        continue
                    ends, taken = others[fits], times[kind][fits]
                    found = known + taken if of_sum else np.maximum(known, taken)
                    better = found < best[step, ends]
                    ends = ends[better]
                    best[step, ends] = found[better]
                    came[step, ends] = one
                    kinds[step, ends] = kind
        return self._traced(best, came, kinds, steps)

    def _traced(self, best: Array, came: Array, kinds: Array, steps: Sequence[Sequence[int]]) -> Cut | None:
        """Return the stages that lead to the best end."""
        state, end = int(best[:, -1].argmin()), self.lattice.count - 1
        if best[state, end] >= BEYOND:
            return None
        stages = []
        while end:
            kind, start = int(kinds[state, end]), int(came[state, end])
            stages.append((kind, start, end))
            state = next(before for before, step in enumerate(steps) if step[kind] == state)
            end = start
        choices = np.zeros(self.graph.groups, dtype=np.int64)
        taken = list(self.graph.first_device)
        for kind, start, end in reversed(stages):
            choices[self.lattice.members[:, end] & ~self.lattice.members[:, start]] = taken[kind]
            taken[kind] += 1
        found = tuple(choices.tolist())
        times = self.graph.times(found)
        return Cut(found, sum(times), max(times))


def states_of(graph: StageGraph) -> int:
    """Return in how many ways devices can be taken, those of a kind alike."""
    return prod(kind.count + 1 for kind in graph.kinds)
