"""submesh-cp-sat: stages on the parts of an array as a path, in OR-Tools' CP-SAT.

A place is a down-set with a leaf: what is done by the stages so far, and where the next begins. A stage leads from one
place to another, and a Boolean says whether it is taken; those that are form a path from the first leaf with nothing
done to some leaf with all done. What the longest takes is an integer that none of them exceeds.

As of submesh-dp, the model is solved over what stages take at least, then those that its optimum rests on are found
out; inside of stages it is CP-SAT, too, that says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from formulations.flow_model.waiting import clash
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

    from formulations.pipeline.submeshes.search import Step, SubmeshCut, SubmeshSearch
    from hypar_opt.costgraph.pipeline.submeshes import SubmeshGraph
    from hypar_opt.formulation.run import Run

MOST_STAGES = 100_000
"""That may be taken: a model that is solved in minutes."""
MAX_SUM = 2**53
"""What all times may come to: in floats of the solver, which are exact below, nothing is rounded."""


@dataclass(frozen=True)
class SubmeshCpSat:
    """Stages on submeshes, by paths."""

    name: ClassVar[str] = "submesh-cp-sat"
    summary: ClassVar[str] = "stages on submeshes as paths, and strategies inside, by clause learning (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        encoding="paths",
        packages=("ortools",),
        decides="submeshes",
        inside="cp-sat",
        rank=291,
        vouches_for={"staged": 0},
    )

    def accepts(self, graph: SubmeshGraph, run: Run) -> str | None:
        """Accept times that sums of 64 bits hold."""
        from formulations.pipeline.submeshes.improving import too_long

        if too_long(graph) or (graph.sum_weight * graph.groups + graph.max_weight) * graph.most >= MAX_SUM:
            return "the times of these stages have too many digits for its exact bounds; try submesh-dp"
        return clash("ortools", "highspy")

    def solve(self, graph: SubmeshGraph, run: Run) -> Solution:
        """Find the best path by what is known of stages, and more of them, until nothing is left to be found."""
        from formulations.pipeline.submeshes.improving import Improving, begun

        try:
            search = begun(graph, run)
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped")
        stages = _stages(search)
        if len(stages) > MOST_STAGES:
            said = f"{len(stages):,} stages to choose from, beyond {MOST_STAGES:,}; try submesh-dp"
            return Solution(Status.NO_SOLUTION, native_status=said)
        improvement = Improving(search, run, lambda known: _best(search, stages, run, known))
        return improvement.solution(first=_whole(search))


def _whole(search: SubmeshSearch) -> SubmeshCut:
    """Return one stage on the largest part of the array: what has to take longer than its plan is left out."""
    submeshes = search.graph.submeshes
    largest = max(range(len(submeshes)), key=lambda one: (submeshes[one].levels, -submeshes[one].first))
    return search.cut(((largest, 0, len(search.bounds.live) - 1),))


def _stages(search: SubmeshSearch) -> list[Step]:
    """Return the stages that something can come before: on the leaves behind those that some stages fill."""
    graph, bounds = search.graph, search.bounds
    pairs = np.argwhere(bounds.within).tolist()
    filled = {0} | {one.end for one in graph.submeshes}
    return [
        (place, start, end)
        for place, one in enumerate(graph.submeshes)
        if one.first in filled
        for start, end in pairs
        if (start == 0) == (one.first == 0)
    ]


def _best(search: SubmeshSearch, stages: list[Step], run: Run, known: SubmeshCut | None) -> SubmeshCut | None:
    """Return the best path by what is known of stages, or the one that is known where none is better."""
    from formulations.cp_sat.search import STATUSES, solver_within, watched
    from formulations.pipeline.submeshes.tables import NEVER

    if run.limits.over:
        raise Stopped
    graph = search.graph
    least = graph.sum_weight + graph.max_weight
    most = NEVER - 1 if known is None else min(NEVER - 1, (known.cost(graph) - 1) // least)
    times = {step: time for step in stages if (time := search.time(step)) <= most}
    if not times:
        return known
    model, taken = _model(graph, len(search.bounds.live), times)
    solver = solver_within(run.limits)
    with watched(run.limits.stop, solver.stop_search):
        native = solver.solve(model)
    status = STATUSES[solver.status_name(native)]
    if status is Status.INFEASIBLE:
        return known
    if status is not Status.OPTIMAL:
        raise Stopped
    steps = sorted((step for step in taken if solver.boolean_value(taken[step])), key=lambda step: step[1:])
    found = search.cut(tuple(sorted(steps, key=lambda step: graph.submeshes[step[0]].first)))
    if known is not None and known.cost(graph) <= found.cost(graph):
        return known
    return found


def _model(graph: SubmeshGraph, count: int, times: dict[Step, int]) -> tuple[CpModel, dict[Step, IntVar]]:
    """Return the model of paths, and by stage whether it is taken.

    Parameters
    ----------
    count
        How many down-sets there are; the last has all layers.
    times
        By stage.
    """
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    unit = gcd(*times.values()) or 1
    taken = {step: model.new_bool_var("") for step in times}
    into: dict[tuple[int, int], list[IntVar]] = {}
    out: dict[tuple[int, int], list[IntVar]] = {}
    for (place, start, end), variable in taken.items():
        one = graph.submeshes[place]
        out.setdefault((one.first, start), []).append(variable)
        into.setdefault((one.end, end), []).append(variable)
    model.add(sum(out.get((0, 0), [])) == 1)
    for node in (into.keys() | out.keys()) - {(0, 0)}:
        if node[1] != count - 1:
            model.add(sum(into.get(node, [])) == sum(out.get(node, [])))
    longest = model.new_int_var(0, max(times.values(), default=0) // unit, "longest")
    for step, variable in taken.items():
        model.add(longest >= times[step] // unit * variable)
    total = sum(time // unit * taken[step] for step, time in times.items())
    model.minimize(graph.sum_weight * total + graph.max_weight * longest)
    return model, taken


FORMULATION = SubmeshCpSat()
