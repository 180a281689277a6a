"""What stages that are still to be chosen take at least, by the groups and devices that are left for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from formulations.pipeline.down_sets.states import DeviceStates
from hypar_opt.costgraph.pipeline.given_times import BEYOND
from hypar_opt.formulation.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.pipeline.batch.stages import StageRows
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True, eq=False)
class LeastBefore:
    """By state of devices and set of groups at the end, what all other groups take at least; `BEYOND` if too much.

    Parameters
    ----------
    states
        Of devices that the stages at the end take.
    total
        All stages' times and lags, forward and backward.
    forward, backward, work
        The longest phases of a stage, and both together.
    """

    states: DeviceStates
    total: Array
    forward: Array
    backward: Array
    work: Array


def least_before(graph: StageGraph, stages: Sequence[StageRows], run: Run) -> LeastBefore:
    """Return the tables, each for itself, memories with as few microbatches in flight as there may be.

    Raises
    ------
    Stopped
        If the run's limits are over before.
    """
    states = DeviceStates.of(graph.replace(most_stages=None, in_flight=1))
    shape = (len(states.every), len(stages))
    total, forward, backward, work = (np.full(shape, BEYOND, dtype=np.int64) for _ in range(4))
    for table in (total, forward, backward, work):
        table[:, -1] = 0
    for one in reversed(range(len(stages) - 1)):
        if run.limits.over:
            raise Stopped
        rows = stages[one]
        for state, steps in enumerate(states.steps):
            after = steps[rows.options]
            able = after >= 0
            if not able.any():
                continue
            place = after[able], rows.ends[able]
            sums = total[place] + (rows.work + 2 * rows.lags)[able]
            total[state, one] = min(int(sums.min()), int(BEYOND))
            for table, times in ((forward, rows.forward), (backward, rows.backward), (work, rows.work)):
                table[state, one] = int(np.maximum(table[place], times[able]).min())
    return LeastBefore(states, total, forward, backward, work)
