"""CP-SAT: on a linear formulation, and on one in its own terms.

The one in its own terms: a Boolean for every strategy, exactly one of each node; a table constraint for every edge,
whose third column is its cost; and the level of memory at every moment.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph import FORBIDDEN
from reports.benchmarks.iopddl.baselines.linear import Linear, Rows, chosen, folded, one_each, split
from reports.benchmarks.iopddl.baselines.memory import levels

if TYPE_CHECKING:
    from hypar_opt.costgraph import Tables
    from reports.benchmarks.iopddl.baselines.report import Report

EVERY = 1000
"""After so many constraints the clock is looked at."""


def search(linear: Linear, report: Report) -> None:
    """Solve a linear formulation."""
    model = _model(linear, report)
    _solve(model, linear.constant, report)


def search_tables(report: Report) -> None:
    """State and solve the problem in CP-SAT's own terms."""
    tables = folded(report.tables)
    own, room = len(tables.unary), tables.memory.room
    columns = own + len(room)
    rows = [one_each(tables.starts, 0, columns), *([levels(tables, own, columns)] if len(room) else [])]
    costs, tops = split(tables.unary)
    none = np.zeros(len(room), dtype=np.int64)
    linear = Linear(np.concatenate([costs, none]), np.concatenate([tops, room]), tuple(rows))
    model = _model(linear, report)
    _edges(model, tables, report)
    _solve(model, tables.constant, report)


def _model(linear: Linear, report: Report) -> Any:
    """Return the formulation as CP-SAT reads it, exactly."""
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    for number, top in enumerate(linear.tops.astype(np.int64).tolist()):
        model.proto.variables.add().domain.extend([0, top])
        _look(number, report)
    for rows in linear.rows:
        _constrain(model, rows, report)
    paid = np.flatnonzero(linear.costs)
    model.proto.objective.vars.extend(paid.tolist())
    model.proto.objective.coeffs.extend(linear.costs[paid].tolist())
    return model


def _constrain(model: Any, rows: Rows, report: Report) -> None:
    """Add constraints; a family of one out of several each is told as such."""
    far = 2**62
    low, high = (np.clip(side, -far, far).astype(np.int64).tolist() for side in (rows.low, rows.high))
    starts, indices = rows.matrix.indptr.tolist(), rows.matrix.indices.tolist()
    values = np.rint(rows.matrix.data).astype(np.int64).tolist()
    exactly_one = all((one == 1).all() for one in (rows.low, rows.high, rows.matrix.data))
    for number, (least, most) in enumerate(zip(low, high, strict=True)):
        part = slice(starts[number], starts[number + 1])
        constraint = model.proto.constraints.add()
        if exactly_one:
            constraint.exactly_one.literals.extend(indices[part])
        else:
            linear = constraint.linear
            linear.vars.extend(indices[part])
            linear.coeffs.extend(values[part])
            linear.domain.extend([least, most])
        _look(number, report)


def _edges(model: Any, tables: Tables, report: Report) -> None:
    """Add, for every node, the number of its strategy, and for every edge the table of numbers and cost."""
    numbers = []
    for start, size in zip(tables.starts.tolist(), tables.sizes.tolist(), strict=False):
        numbers.append(model.new_int_var(0, size - 1, ""))
        constraint = model.proto.constraints.add().linear
        constraint.vars.extend([*range(start, start + size), numbers[-1].index])
        constraint.coeffs.extend([*range(size), -1])
        constraint.domain.extend([0, 0])
    for edge, (one, other) in enumerate(tables.ends.tolist()):
        costs = tables.table(edge)
        first, second = np.nonzero(costs < FORBIDDEN)
        finite = costs[first, second]
        least, most = (int(finite.min()), int(finite.max())) if len(finite) else (0, 0)
        cost = model.new_int_var(least, most, "")
        tuples = np.stack([first, second, finite], axis=1).tolist()
        model.add_allowed_assignments([numbers[one], numbers[other], cost], tuples)
        model.proto.objective.vars.append(cost.index)
        model.proto.objective.coeffs.append(1)
        _look(edge, report)


def _look(number: int, report: Report) -> None:
    if number % EVERY == 0:
        report.check()


def _solve(model: Any, constant: int, report: Report) -> None:
    """Solve; plans and bounds are told as they come."""
    from ortools.sat.python.cp_model import CpSolver, CpSolverSolutionCallback

    class Told(CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            report.incumbent(chosen(report.tables, np.array(self.response_proto.solution)))
            _bound(self.best_objective_bound, constant, report)

    report.built()
    solver = CpSolver()
    solver.parameters.num_workers = report.workers
    solver.parameters.random_seed = report.seed
    solver.parameters.max_time_in_seconds = report.remaining_s
    solver.best_bound_callback = lambda bound: _bound(bound, constant, report)
    status = solver.status_name(solver.solve(model, Told()))
    _bound(solver.best_objective_bound, constant, report)
    known = {"OPTIMAL": "OPTIMAL", "INFEASIBLE": "INFEASIBLE", "FEASIBLE": "TIME LIMIT", "UNKNOWN": "TIME LIMIT"}
    report.ended(known.get(status, f"ERROR: {status} {model.validate()}"))


def _bound(bound: float, constant: int, report: Report) -> None:
    if math.isfinite(bound):
        report.bound(math.ceil(bound - 1e-6 * max(1.0, abs(bound))) + constant)
