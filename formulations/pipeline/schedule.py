"""schedule-cp-sat: when every operation of a pipeline begins, in OR-Tools' CP-SAT.

An interval an operation; those of a device do not overlap, what needs another begins after its end and lag, and what a
device keeps is a cumulative resource with an interval from one operation's begin to another's end. The last end is
least. All is integer: its claims rest on no tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

    from hypar_opt.costgraph.pipeline.schedule import ScheduleGraph
    from hypar_opt.formulation.run import Run

LONGEST = 2**53
"""What all durations may add up to: in floats of the solver, which are exact below, nothing is rounded."""
MOST_KEPT = 2**62
"""What all microbatches may leave together: CP-SAT sums it in an int64."""


@dataclass(frozen=True)
class ScheduleCpSat:
    """Operations in time."""

    name: ClassVar[str] = "schedule-cp-sat"
    summary: ClassVar[str] = "the shortest schedule of a pipeline's batch (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding="intervals",
        packages=("ortools",),
        decides="schedule",
        rank=390,
        default_for={"schedule": 0},
    )

    def accepts(self, graph: ScheduleGraph, run: Run) -> str | None:
        """Accept times whose sum a float holds."""
        if graph.horizon >= LONGEST:
            return "the times have too many digits for its exact bounds; round the stages' seconds"
        if sum(one.amount for one in graph.held) >= MOST_KEPT:
            return "what microbatches leave does not fit 64 bits; round the activations' bytes"
        return None

    def solve(self, graph: ScheduleGraph, run: Run) -> Solution:
        """Build, hint and search."""
        from formulations.cp_sat.search import STATUSES, bound_of, solver_within, watched

        if any(capacity is not None and capacity < 0 for capacity in graph.capacities):
            return Solution(Status.INFEASIBLE, native_status="what is always there does not fit")
        model, begins = _model(graph)
        if run.start is not None:
            for variable, begin in zip(begins, run.start, strict=True):
                model.add_hint(variable, begin)
        solver = solver_within(run.limits)
        with watched(run.limits.stop, solver.stop_search):
            native = solver.solve(model)
        name = solver.status_name(native)
        status = STATUSES[name]
        if status not in (Status.OPTIMAL, Status.FEASIBLE):
            return Solution(status, native_status=name)
        found = tuple(int(solver.value(variable)) for variable in begins)
        return Solution(status, found, bound_of(solver, status), name)


def _model(graph: ScheduleGraph) -> tuple[CpModel, list[IntVar]]:
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    horizon = graph.horizon
    begins = [model.new_int_var(0, horizon, one.name) for one in graph.operations]
    each = [
        model.new_fixed_size_interval_var(begin, one.duration, one.name)
        for begin, one in zip(begins, graph.operations, strict=True)
    ]
    for device in range(len(graph.capacities)):
        model.add_no_overlap([each[i] for i, one in enumerate(graph.operations) if one.device == device])
        _keep_within(model, graph, begins, device)
    for first, second, lag in graph.after:
        model.add(begins[second] >= begins[first] + graph.operations[first].duration + lag)
    last = model.new_int_var(0, horizon, "last end")
    for begin, one in zip(begins, graph.operations, strict=True):
        model.add(last >= begin + one.duration)
    model.minimize(last)
    return model, begins


def _keep_within(model: CpModel, graph: ScheduleGraph, begins: list[IntVar], device: int) -> None:
    """Add that a device keeps no more at any time than it has room for."""
    capacity = graph.capacities[device]
    own = [one for one in graph.held if one.device == device and one.amount]
    if capacity is None or not own:
        return
    kept = []
    for one in own:
        begin, end = begins[one.first], begins[one.last] + graph.operations[one.last].duration
        size = model.new_int_var(0, graph.horizon, "")
        model.add(size == end - begin)
        kept.append(model.new_interval_var(begin, size, end, ""))
    model.add_cumulative(kept, [one.amount for one in own], min(capacity, MOST_KEPT))


FORMULATION = ScheduleCpSat()
