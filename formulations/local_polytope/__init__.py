"""Graphs that come from tables, tens of thousands of variables large, as the local polytope in HiGHS.

    min  constant + sum over i, a of c_i(a) x[i, a] + sum over edges e, a, b of c_e(a, b) y[e, a, b]

    (one value)  sum over a of x[i, a] = 1                           for every variable i
    (first)      sum over b of y[e, a, b] = x[first(e), a]           for every edge e, value a
    (second)     sum over a of y[e, a, b] = x[second(e), b]          for every edge e, value b
    (memory)     sum over items, a of usage(a) x[holder, a] <= room  for every row, when a solution breaks it
    x binary, y >= 0; what is forbidden has no column

(The local polytope of Wainwright and Jordan, Graphical Models, Exponential Families, and Variational Inference, 2008;
Werner, A Linear Programming Approach to Max-sum Problem, 2007.) Values that an edge does not tell apart share its rows
(`merging`). y is integral where x is, so that only x is declared so.

The search (`search`) solves the linear programme first (`root`). Its duals, rounded to integers, are a bound B that is
exact (`hypar_opt.costgraph.duals`), and say of every value and pair how far above B it lifts an assignment. What lifts
one by less than a reach is a core (`hypar_opt.costgraph.reduced_cost`), small enough for HiGHS's branch and bound. Its
best assignment is the best of all if it costs no more than B + reach; so the reach grows until it covers the gap
between B and the best plan.
Where a plan is known before, what costs more is left out of the linear programme already.

What the linear programme leaves open where memory binds, rows of memory under mixed-integer rounding mostly close
(`mir_rows`): they are rows of the tables like all others, and B comes from their prices, too. But they are drawn up
for what a better plan can have, so that a certificate holds no more than B without them.

What is exact: plans, their costs, B, and that what is left out of a core costs more than its reach. What rests on
HiGHS's word: that a core has nothing better.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.flow_model.finish import TOLERANCE
from formulations.flow_model.highs_words import in_words
from formulations.flow_model.waiting import clash
from formulations.local_polytope.coarse import NOTE
from formulations.local_polytope.known import Knowledge
from formulations.local_polytope.rows import shortage
from formulations.local_polytope.search import CONTRADICTION, IMPOSSIBLE, CoreSearch
from hypar_opt.formulation.solution import Solution, Status, beyond

if TYPE_CHECKING:
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run

__all__ = ["ROUNDED", "CoreSearch", "Knowledge", "accepts", "begun", "concluded", "solve"]


def accepts(graph: CostGraph, run: Run) -> str | None:
    """Accept whatever comes from tables."""
    return clash("highspy", "ortools")


ROUNDED = "prices of what a better plan can have, rows of memory under rounding among them, in exact integers"
CLOSED = "the exact bound of what a better plan could have reaches the cost"
WORD = f"HiGHS's word, in floating point: no solution keeps every row within {TOLERANCE:g}"


def solve(graph: CostGraph, run: Run) -> Solution:
    """Search a graph that comes from tables."""
    found = begun(Knowledge.of(graph.tables, run))
    if isinstance(found, Solution):
        return found
    found.run()
    if run.proof is not None:
        run.proof(found.known.priced.duals)
    return concluded(found)


def begun(known: Knowledge) -> CoreSearch | Solution:
    """Return a search from what is known, or the solution where none is needed."""
    tables = known.tables
    short = shortage(tables)
    if short is not None:
        return Solution(Status.INFEASIBLE, native_status=short)
    if not tables.count:
        known.offer(np.zeros(0, dtype=np.int64))
        return Solution(Status.OPTIMAL, (), known.value, "nothing to choose")
    return CoreSearch.of(known)


def concluded(found: CoreSearch) -> Solution:
    """Return what a search has shown."""
    known, facts = found.known, found.facts | {"memory_rows": len(found.rows)}
    bound, choices, native, failed = known.bound, known.best.choices, in_words(found.native), in_words(found.failed)
    if known.value is not None:
        facts["certified_gap"] = known.value - bound
    if found.failed == CONTRADICTION:
        return Solution(Status.ERROR, native_status=native, note=failed, statistics=facts)
    if known.proven:
        return Solution(Status.OPTIMAL, choices, known.value, "the certified bound is the cost", statistics=facts)
    if found.closed:
        return Solution(Status.OPTIMAL, choices, known.value, CLOSED, statistics=facts)
    if found.exhausted and choices is None:
        note = "" if found.native == IMPOSSIBLE else WORD
        return Solution(Status.INFEASIBLE, native_status=native, note=note, statistics=facts)
    if found.exhausted:
        note = (
            f"the certified root bound lies {facts['certified_gap']} below the cost, the rest is HiGHS's word: {NOTE}"
        )
        return Solution(Status.OPTIMAL, choices, known.value, native, note, facts)
    status = Status.NO_SOLUTION if choices is None else Status.FEASIBLE
    reached = bound if known.told is None else max(bound, known.told)
    said = "" if failed == native else failed
    note = "; ".join(filter(None, [said, beyond(bound, reached, ROUNDED)]))
    return Solution(status, choices, reached, native, note, facts)
