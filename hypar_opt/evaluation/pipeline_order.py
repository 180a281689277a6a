"""In which order the stages of a plan stand, where what they keep depends on it."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from hypar_opt.instance.pipeline import StageDevices


def order_of_stages(
    waits: Mapping[StageDevices, Set[StageDevices]], most: Mapping[StageDevices, int]
) -> tuple[StageDevices, ...] | None:
    """Return the stages in an order in which all fit, where there is one; None where they wait in a circle.

    With n microbatches in flight at most, a stage of d replicas fits where no more than n d replicas stand behind it,
    its own included. Seen from the end that is a due date, replicas are durations, and the question is whether jobs of
    one machine with precedences can all be in time (1 | prec | Lmax). Lawler's rule answers it (Optimal Sequencing of a
    Single Machine Subject to Precedence Constraints, 1973): of the jobs that may be last, here the stages that may come
    first, the one with the latest due date is.

    Take an order in which all fit, and in it move that stage to the front. All replicas are then behind it, as they
    were behind the stage that stood there and fitted, and it has a due date no earlier. The stages that it passes have
    fewer behind them, the others as many. What is left is the same question with a stage less.

    Parameters
    ----------
    waits
        By stage, those that come before it.
    most
        By stage, how many replicas may stand behind it, its own included.
    """
    place = {stage: number for number, stage in enumerate(waits)}
    found: list[StageDevices] = []
    open_stages: list[StageDevices] = []
    sorter = TopologicalSorter(waits)
    try:
        sorter.prepare()
    except CycleError:
        return None
    while sorter.is_active():
        open_stages += sorter.get_ready()
        first = min(open_stages, key=lambda stage: (-most[stage], place[stage]))
        open_stages.remove(first)
        found.append(first)
        sorter.done(first)
    return tuple(found)
