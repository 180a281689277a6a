"""Stages from the last to the first, the most promising endings first."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

import numpy as np

from formulations.pipeline.batch.line import BeforeRows
from hypar_opt.costgraph.pipeline.given_times import BEYOND

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formulations.pipeline.batch.before import LeastBefore
    from formulations.pipeline.batch.line import Endings
    from formulations.pipeline.batch.stages import StageRows, StagesBehind
    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run

MOST_ENDINGS: Final = 400_000
"""That wait to be looked at."""


@dataclass(frozen=True, eq=False)
class Ending:
    """Stages at the end of a pipeline.

    Parameters
    ----------
    held
        The set of their groups.
    taken
        The state of the devices that they take.
    count, replicas
        How many stages, and replicas of them.
    after, row
        The ending with a stage less, and the place of this one's first stage among those before it; None of no stages.
    """

    held: int
    taken: int
    count: int = 0
    replicas: int = 0
    after: Ending | None = None
    row: int = -1


@dataclass(eq=False)
class EndingSearch:
    """Finds the stages by which a batch is done soonest.

    Parameters
    ----------
    behind, before
        Stages there may be, and what those still to come take at least.
    endings
        What matters of an ending; None where a stage need not read the one before it, and no few numbers are all.
    best
        The best plan so far.
    run
        Whose limits count.
    unit
        By which times of `behind` are divided.
    """

    behind: StagesBehind
    before: LeastBefore
    endings: Endings | None
    best: Incumbent
    run: Run
    unit: int = 1
    looked_at: int = 0
    _heap: list[tuple[int, int, int, Ending]] = field(default_factory=list)
    _seen: dict[tuple[int, int, int, int], Array] = field(default_factory=dict)

    def search(self) -> int | None:
        """Look at endings until none can be better than the best plan; return the bound, None where it is proven."""
        self._offer(0, Ending(0, 0))
        told = 0
        while self._heap:
            bound, _, _, ending = heappop(self._heap)
            if bound >= self._limit:
                return None
            if self.run.limits.over or len(self._heap) > MOST_ENDINGS:
                return bound * self.unit
            if bound > told:
                self.run.bound(bound * self.unit)
                told = bound
            if self._is_new(ending):
                self.looked_at += 1
                self._extend(ending)
        return None

    @cached_property
    def _left(self) -> Array:
        """By state, how many devices are left."""
        return np.array([self.behind.graph.devices - sum(state[:-2]) for state in self.before.states.every])

    @property
    def _limit(self) -> int:
        """What a plan has to take less than."""
        return int(BEYOND) if self.best.value is None else self.best.value // self.unit

    def _offer(self, bound: int, ending: Ending) -> None:
        heappush(self._heap, (bound, -ending.held, len(self._heap) + self.looked_at * MOST_ENDINGS, ending))

    def _is_new(self, ending: Ending) -> bool:
        """Return whether no ending of the same groups, devices and stages is better in every number; keep it then."""
        if self.endings is None:
            return True
        key = ending.held, ending.taken, ending.count, ending.replicas
        row = self._row(ending)
        known = self._seen.get(key)
        if known is not None and bool((known <= row).all(axis=1).any()):
            return False
        self._seen[key] = (
            row[None] if known is None else np.concatenate([known[~(known >= row).all(axis=1)], row[None]])
        )
        return True

    def _row(self, ending: Ending) -> Array:
        """Return the numbers of an ending."""
        assert self.endings is not None  # asked of those that have some
        if ending.after is None:
            return self.endings.none
        stage = _some(self.behind.every[ending.after.held], [ending.row])
        row: Array = self.endings.longer(self._row(ending.after), ending.after.count, stage)[0]
        return row

    def _extend(self, ending: Ending) -> None:
        """Put every stage in front that there may be."""
        graph, every = self.behind.graph, self.behind.every[ending.held]
        if graph.most_stages is not None and ending.count >= graph.most_stages:
            return
        replicas = np.array([option.replicas for option in graph.options])[every.options] + ending.replicas
        taken = self.before.states.steps[ending.taken][every.options]
        able = np.flatnonzero((taken >= 0) & (every.most >= replicas))
        able = able[self.before.total[taken[able], every.ends[able]] < BEYOND]
        if not len(able):
            return
        stages = _some(every, able)
        bounds = self._bounds(ending, stages, taken[able])
        last = self.behind.lattice.count - 1
        limit = self._limit
        for place in np.argsort(bounds, kind="stable").tolist():
            if bounds[place] >= limit:
                return
            row, held = int(able[place]), int(stages.ends[place])
            further = Ending(held, int(taken[row]), ending.count + 1, int(replicas[row]), ending, row)
            if held == last:
                self.best.offer(self._choices(further))
                limit = self._limit
            else:
                bound = int(bounds[place])
                if self.endings is None:
                    bound = max(bound, self._finish(further))
                if bound < limit:
                    self._offer(bound, further)

    def _bounds(self, ending: Ending, stages: StageRows, taken: Array) -> Array:
        """Return what a batch takes at least with stages in front of an ending, whatever comes before."""
        batch, before, place = self.behind.graph.batch, self.before, (taken, stages.ends)
        assert batch is not None  # as accepted
        if self.endings is None:
            return batch.microbatches * np.maximum(before.work[place], stages.work)
        rows = self.endings.longer(self._row(ending), ending.count, stages)
        groups = self.behind.graph.groups - self.behind.lattice.members[:, stages.ends].sum(axis=0)
        devices = self._left[taken]
        ahead = np.minimum(ending.count + np.minimum(groups, devices), batch.microbatches - 1)
        least = BeforeRows(*(table[place] for table in (before.total, before.forward, before.backward, before.work)))
        return self.endings.least(rows, least, ahead)

    def _finish(self, ending: Ending) -> int:
        """Return what a batch takes of an ending alone."""
        graph = self.behind.graph
        assert graph.batch is not None  # as accepted
        return graph.batch.value([(option, groups) for option, groups in self._stages(ending)])

    def _stages(self, ending: Ending) -> Iterator[tuple[int, list[int]]]:
        """Yield the option and the groups of every stage, the first one first."""
        members = self.behind.lattice.members
        while ending.after is not None:
            own = members[:, ending.held] & ~members[:, ending.after.held]
            yield int(self.behind.every[ending.after.held].options[ending.row]), np.flatnonzero(own).tolist()
            ending = ending.after

    def _choices(self, ending: Ending) -> tuple[int, ...]:
        graph = self.behind.graph
        slots = {(slot.option, slot.number): place for place, slot in enumerate(graph.slots)}
        choices, taken = [0] * graph.groups, [0] * len(graph.options)
        for option, groups in self._stages(ending):
            for group in groups:
                choices[group] = slots[option, taken[option]]
            taken[option] += 1
        return tuple(choices)


def _some(stages: StageRows, places: Sequence[int] | Array) -> StageRows:
    """Return some of the rows."""
    from formulations.pipeline.batch.stages import StageRows

    columns = (stages.ends, stages.options, stages.forward, stages.backward, stages.lags, stages.most)
    return StageRows(*(column[places] for column in columns))
