"""toulbar2 through pytoulbar2: cost functions of one and two variables, and rows of memory as linear constraints.

All rows at once where they are few; else those that the plans so far violate, again and again: what is solved without
the others is a relaxation, so that its bound holds, and its optimum is the problem's once it fits. One core is used.

pytoulbar2 has no callback, and what it finds can be asked for only when its search is over. On the way toulbar2 prints
better plans and bounds: it searches in a process of its own, and what that prints is read line by line.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import re
import sys
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hypar_opt.costgraph import FORBIDDEN
from reports.benchmarks.iopddl.baselines.report import NotBuilt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.costgraph import Array, Tables
    from reports.benchmarks.iopddl.baselines.report import Report

FEW = 2_000_000
"""Up to so many entries all rows of memory are stated."""
NEW = 20
"""So many violated rows are added at once."""
BOUNDS: Final = re.compile(r"(?:Initial lower and upper bounds|Optimality gap): \[(-?\d+), ")
PLAN: Final = re.compile(r"New solution: ")
"""What is printed in the line before a plan's values."""
ANSWER: Final = "answer: "
"""What the process itself prints last, before JSON."""
BUILT: Final = "built"


def search_network(report: Report) -> None:
    """Solve, with more and more rows of memory."""
    tables = report.tables
    memory = tables.memory
    sizes = np.diff(memory.starts) * (memory.spans[:, 1] - memory.spans[:, 0])
    rows = set(range(memory.rows)) if int(sizes.sum()) <= FEW else set()
    while True:
        answer = _searched(sorted(rows), report)
        if "status" in answer:
            report.ended(answer["status"])
            return
        limited, choices = answer["limited"], answer["choices"]
        _bound(answer["bound"], report)
        new = set() if choices is None else _violated(tables, np.array(choices), report)
        if limited or not new:
            report.ended("TIME LIMIT" if limited else "OPTIMAL")
            return
        rows |= new


def _searched(rows: list[int], report: Report) -> dict[str, Any]:
    """Search in another process, with these rows of memory; tell of what it prints, and return its answer."""
    reading, writing = os.pipe()
    process = multiprocessing.get_context("fork").Process(target=_search, args=(rows, report, writing))
    process.start()
    os.close(writing)
    with os.fdopen(reading) as lines:
        answer = heard(lines, report)
    process.join()
    if answer is None:
        sys.exit(f"error: toulbar2's process ended with {process.exitcode}")
    if answer.get("status") == NotBuilt.__name__:
        raise NotBuilt
    return answer


def heard(lines: Iterable[str], report: Report) -> dict[str, Any] | None:
    """Tell of what toulbar2 prints; return the answer that comes last, None where none does.

    A plan is told of with the cost that it has by the tables, if it fits into the memory: it may be one of a
    relaxation.
    """
    before = ""
    for line in lines:
        found = BOUNDS.match(line)
        if found is not None:
            _bound(float(found[1]), report)
        elif PLAN.match(before):
            report.incumbent(np.array(line.split(), dtype=np.int64))
        elif line.strip() == BUILT:
            report.built()
        elif line.startswith(ANSWER):
            return dict(json.loads(line.removeprefix(ANSWER)))
        before = line
    return None


def _search(rows: list[int], report: Report, writing: int) -> None:
    """State the network and search, printing to where is read from: toulbar2 writes to the standard output itself."""
    os.dup2(writing, 1)
    with os.fdopen(writing, "w") as stream:
        try:
            found = _answer(rows, report, stream)
        except NotBuilt:
            found = {"status": NotBuilt.__name__}
        stream.write(f"{ANSWER}{json.dumps(found)}\n")


def _answer(rows: list[int], report: Report, stream: Any) -> dict[str, Any]:
    """Return a status where there is no plan, else the plan, the bound, and whether the time was up."""
    from pytoulbar2.pytb2 import Contradiction

    try:
        network = _network(report.tables, rows, report)
    except Contradiction:
        return {"status": "INFEASIBLE"}
    report.check()
    stream.write(f"{BUILT}\n")
    stream.flush()
    network.Option.verbose = 0  # else it prints nothing
    answer = network.Solve(showSolutions=1, timeLimit=max(1, int(report.remaining_s)))
    limited = bool(network.Option.limited)
    if not limited and answer is None:
        return {"status": "INFEASIBLE"}
    bound = float(network.GetDDualBound() if limited else answer[1])  # of what was solved to the end it is the cost
    choices = None if answer is None else [int(value) for value in answer[0]]
    return {"limited": limited, "bound": bound, "choices": choices}


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


def _bound(bound: float, report: Report) -> None:
    """Tell of a bound of the tables without their constant."""
    if math.isfinite(bound):
        report.bound(math.ceil(bound - 1e-6 * max(1.0, abs(bound))) + report.tables.constant)


def _violated(tables: Tables, choices: Array, report: Report) -> set[int]:
    """Tell of the plan if it fits; return the rows that it violates most."""
    report.incumbent(choices)
    excess = tables.memory.used(choices) - tables.memory.room
    worst = np.argsort(-excess, kind="stable")[:NEW]
    return {int(row) for row in worst if excess[row] > 0}
