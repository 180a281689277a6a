"""toulbar2 through pytoulbar2: cost functions of one and two variables, and rows of memory as linear constraints.

All rows at once where they are few; else those that the plans so far violate, again and again: what is solved without
the others is a relaxation, so that its bound holds, and its optimum is the problem's once it fits. One core is used.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph import FORBIDDEN

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables
    from reports.benchmarks.iopddl.baselines.report import Report

FEW = 2_000_000
"""Up to so many entries all rows of memory are stated."""
NEW = 20
"""So many violated rows are added at once."""


def search_network(report: Report) -> None:
    """Solve, with more and more rows of memory."""
    from pytoulbar2.pytb2 import Contradiction

    tables = report.tables
    memory = tables.memory
    sizes = np.diff(memory.starts) * (memory.spans[:, 1] - memory.spans[:, 0])
    rows = set(range(memory.rows)) if int(sizes.sum()) <= FEW else set()
    while True:
        try:
            network = _network(tables, sorted(rows), report)
        except Contradiction:
            report.ended("INFEASIBLE")
            return
        report.built()
        answer = network.Solve(timeLimit=max(1, int(report.remaining_s)))
        limited = bool(network.Option.limited)
        if not limited and answer is None:
            report.ended("INFEASIBLE")
            return
        _bound(network, tables, report, None if limited else answer)
        new = set() if answer is None else _violated(tables, np.array(answer[0]), report)
        if limited or not new:
            report.ended("TIME LIMIT" if limited else "OPTIMAL")
            return
        rows |= new


def _network(tables: Tables, rows: list[int], report: Report) -> Any:
    """Return the cost function network."""
    from pytoulbar2 import CFN

    network = CFN(seed=report.seed + 1)
    for variable, size in enumerate(tables.sizes.tolist()):
        network.AddVariable(f"x{variable}", range(size))
        network.AddFunction([variable], _costs(tables.own(variable), network))
    for edge, ends in enumerate(tables.ends.tolist()):
        network.AddFunction(ends, _costs(tables.table(edge).reshape(-1), network))
        if edge % 1000 == 0:
            report.check()
    for row in rows:
        report.check()
        _limit(network, tables, row)
    return network


def _costs(costs: Array, network: Any) -> list[float]:
    return [network.Top if cost >= FORBIDDEN else cost for cost in costs.tolist()]


def _limit(network: Any, tables: Tables, row: int) -> None:
    """State a row: minus the sum of usage x is at least minus the room."""
    memory = tables.memory
    live = np.flatnonzero((memory.spans[:, 0] <= row) & (row < memory.spans[:, 1]))
    words = [str(-int(memory.room[row]))]
    for item in live.tolist():
        used = [(value, use) for value, use in enumerate(memory.of(item).tolist()) if use]
        words += [str(len(used)), *(f"{value} {-use}" for value, use in used)]
    network.CFN.wcsp.postKnapsackConstraint(memory.holders[live].tolist(), " ".join(words), kp=True)


def _bound(network: Any, tables: Tables, report: Report, optimum: Any) -> None:
    """Tell of the bound; of what was solved to the end it is the cost."""
    bound = float(optimum[1] if optimum is not None else network.GetDDualBound())
    if math.isfinite(bound):
        report.bound(math.ceil(bound - 1e-6 * max(1.0, abs(bound))) + tables.constant)


def _violated(tables: Tables, choices: Array, report: Report) -> set[int]:
    """Tell of the plan if it fits; return the rows that it violates most."""
    report.incumbent(choices)
    excess = tables.memory.used(choices) - tables.memory.room
    worst = np.argsort(-excess, kind="stable")[:NEW]
    return {int(row) for row in worst if excess[row] > 0}
