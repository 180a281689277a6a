"""The dynamic programme over down-sets and leaves: f(E, q) = min over D in E and submeshes from p to q of f(D, p) + t.

With the maximum in place of the sum where the longest stage is to be least.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from formulations.pipeline.down_sets.search import StageCut
from formulations.pipeline.submeshes.tables import NEVER, StageBounds
from hypar_opt.formulation.run import Stopped

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline.submeshes import SubmeshGraph
    from hypar_opt.formulation.run import Run

Step: TypeAlias = tuple[int, int, int]
"""A stage: its submesh, and the down-sets that it lies between."""


@dataclass(frozen=True)
class SubmeshCut(StageCut):
    """Stages one after the other on the leaves.

    Parameters
    ----------
    steps
        The stages.
    """

    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, eq=False)
class SubmeshSearch:
    """Finds the best stages by the times that are known of them at least.

    Parameters
    ----------
    bounds
        The times.
    """

    bounds: StageBounds

    @property
    def graph(self) -> SubmeshGraph:
        """Whose stages they are."""
        return self.bounds.graph

    @property
    def most(self) -> int:
        """What no stage takes more than."""
        return self.graph.most

    @property
    def shortest(self) -> int:
        """What the longest stage takes at least: nothing is known of that."""
        return 0

    def time(self, step: Step) -> int:
        """Return what a stage takes at least, all in all."""
        place, start, end = step
        one, live = self.graph.submeshes[place], self.bounds.live
        inside = int(self.bounds.least[one.kind][start, end])
        return inside + one.entering * int(live[start]) + one.leaving * int(live[end])

    def least(self, run: Run, most: int, *, of_sum: bool) -> SubmeshCut | None:
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
        graph, count = self.graph, len(self.bounds.live)
        best = np.full((graph.leaves + 1, count), NEVER, dtype=np.int64)
        best[0, 0] = 0
        came = np.full(best.shape, -1, dtype=np.int32)
        by = np.full(best.shape, -1, dtype=np.int32)
        for place in sorted(range(len(graph.submeshes)), key=lambda one: graph.submeshes[one].first):
            if run.limits.over:
                raise Stopped
            one = graph.submeshes[place]
            rows = np.flatnonzero(best[one.first] < NEVER)
            if not len(rows):
                continue
            times = self._times(place, rows)
            known = best[one.first, rows][:, None]
            values = known + times if of_sum else np.maximum(known, times)
            values[times > most] = NEVER
            start = values.argmin(axis=0)
            found = values[start, np.arange(count)]
            better = found < best[one.end]
            best[one.end, better] = found[better]
            came[one.end, better] = rows[start[better]]
            by[one.end, better] = place
        return self._traced(best, came, by)

    def _times(self, place: int, rows: Array) -> Array:
        """Return what stages on a submesh take, from some down-sets to all."""
        one, live = self.graph.submeshes[place], self.bounds.live
        times: Array = self.bounds.least[one.kind][rows] + one.leaving * live[None, :]
        times += one.entering * live[rows][:, None]
        return times

    def _traced(self, best: Array, came: Array, by: Array) -> SubmeshCut | None:
        """Return the stages that lead to the best end, on as few leaves as possible."""
        leaf, end = int(best[:, -1].argmin()), best.shape[1] - 1
        if best[leaf, end] >= NEVER:
            return None
        steps: list[Step] = []
        while end:
            place, start = int(by[leaf, end]), int(came[leaf, end])
            steps.append((place, start, end))
            leaf, end = self.graph.submeshes[place].first, start
        return self.cut(tuple(reversed(steps)))

    def cut(self, steps: tuple[Step, ...]) -> SubmeshCut:
        """Return stages with what they take at least."""
        choices = [0] * self.graph.groups
        for place, start, end in steps:
            for layer in self.bounds.layers(start, end):
                choices[layer] = place
        times = [self.time(step) for step in steps]
        return SubmeshCut(tuple(choices), sum(times), max(times), steps)
