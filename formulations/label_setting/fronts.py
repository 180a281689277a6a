"""The whole front of two criteria and more."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from formulations.label_setting.bounds import Undominated
from formulations.label_setting.enumeration import Enumeration
from formulations.label_setting.forest import Forest
from formulations.label_setting.supported import KnownPlans
from formulations.label_setting.table import Full
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import FrontPoint, FrontSolution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run

Facts: TypeAlias = "dict[str, int | float | str]"


def front_of(graphs: Sequence[CostGraph], run: Run) -> FrontSolution:
    """Enumerate the front of a graph without cycles.

    Parameters
    ----------
    graphs
        One a criterion.
    run
        Its limits are kept: a front that was not finished has the plans that are known, and is not complete.

    Raises
    ------
    ValueError
        If the graphs' edges differ, or have cycles.
    """
    forest = Forest.of(graphs)
    known = KnownPlans(forest)
    if forest.overfull:
        return FrontSolution((), complete=True, native_status="the least usages exceed a capacity")
    if not forest.order:
        return FrontSolution((FrontPoint((0,) * len(graphs), ()),), complete=True, native_status="nothing to choose")
    enumeration = Enumeration.of(forest, [], run)
    try:
        run.phase("minimising weighted sums")
        completions = known.explore(run)
        if completions is None:
            return FrontSolution((), complete=True, native_status="no allowed assignment")
        run.phase(f"labels of {len(forest.order)} layers")
        enumeration = Enumeration.of(forest, [Undominated(completions, known.vectors)], run)
        # a layer's labels are some times as many as those of the layer before: no estimate follows from those
        tracker = Tracker(run.listener, run.source, "layers", len(forest.order), estimated=False, after_s=1.0)
        for values, choices in enumeration.run(tracker.add):
            known.offer(values, choices)
    except Stopped as stopped:
        reason = "the labels exceed the memory limit" if isinstance(stopped, Full) else "stopped before the last layer"
        return FrontSolution(known.points, complete=False, native_status=reason, statistics=_facts(enumeration))
    return FrontSolution(known.points, complete=True, native_status="all labels seen", statistics=_facts(enumeration))


def _facts(enumeration: Enumeration) -> Facts:
    room = enumeration.room
    return {"labels_made": room.made, "labels_kept": room.stored, "labels_of_a_layer": room.most}
