"""Graphs unlike the seven that are at hand: many strategies a node, and whatever else a file may hold."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from helpers import each

from hypar_opt.costgraph import Duals, Priced
from hypar_opt.evaluation.strategy_graph import judge, least_use
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.strategy_graph.write import write_strategy_graph
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from tests.instance.strategy_graph.drawing import best
from tests.instance.strategy_graph.extremes import large, small
from tests.instance.strategy_graph.test_graph_agreement import EXACT
from tests.instance.strategy_graph.wide import wide

PER_ENTRY = 260
"""Bytes that solving takes for each entry of the file's edges, besides what the process takes anyway."""
SMALL, LARGE = small(), tuple(large())
LARGE_NUMBERS = ("costs of 10^17", "usages of 10^18")
ENDLESS_S = 900.0
"""A limit that no machine reaches before there is a plan."""
DECLINED = {(name, formulation) for name in LARGE_NUMBERS for formulation in ("cp-sat", "milp-cbc")}
"""Numbers that a solver does not take."""


@cache
def truth(name):
    """Return the least cost of a small extreme, by trying every plan; None where there is no plan."""
    graph = SMALL[name]
    found = best(graph) if graph.nodes else (0, None)
    return None if found is None else found[0]


def checked(graph, plan):
    """Check that a plan is allowed, costs what it says, and no less than its bound."""
    assert plan.status in (Status.OPTIMAL, Status.FEASIBLE), plan.native_status
    judged = judge(graph, [int(one) for one in plan.strategies.values()])
    assert judged.fault is None
    assert judged.total == plan.objective
    assert plan.bound is not None
    assert plan.bound <= plan.objective


@pytest.mark.sampled(len(SMALL) * (len(EXACT) + 1))
@pytest.mark.parametrize("formulation", [*EXACT, "lagrangian"])
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("presolved", [False, True])
def test_extremes_are_solved_or_declined_and_never_wrong(name, formulation, presolved):
    graph, least = SMALL[name], truth(name)
    try:
        plan = solve(GraphProblem(graph, presolved=presolved), formulation)
    except Refusal as refusal:
        assert (name, formulation) in DECLINED, refusal
        assert str(refusal).startswith(f"{formulation} declines: ")
        return
    if least is None:
        assert plan.status is Status.INFEASIBLE or formulation not in EXACT
        return
    checked(graph, plan)
    assert plan.bound <= least <= plan.objective
    assert plan.status is not Status.OPTIMAL or plan.objective == least
    assert plan.status is Status.OPTIMAL or formulation not in EXACT


def test_the_small_extremes_are_what_their_names_say():
    none = {name for name in SMALL if truth(name) is None}
    assert none == {"all forbidden"}


@pytest.mark.slow
@each("seed", range(3))
def test_wide_graphs_have_many_strategies_and_tight_memory(seed):
    graph = wide(seed)
    counts = graph.sizes[graph.sizes > 1]
    assert 20 <= counts.min() < 30
    assert 160 < counts.max() <= 178
    assert 1.09 < graph.usage_limit / least_use(graph)[1] <= 1.1
    left = GraphProblem(graph).reduction.tables
    assert len(left.unary) > len(graph.costs) / 3
    assert len(left.edges) > len(graph.edge_costs) / 6
    cheapest = np.concatenate([[int(costs.argmin())] for costs in np.split(graph.costs, graph.starts[1:-1])])
    assert judge(graph, cheapest).violations


def test_the_same_seed_is_the_same_graph():
    assert np.array_equal(wide(5, 40).edge_costs, wide(5, 40).edge_costs)
    assert not np.array_equal(wide(5, 40).ends, wide(6, 40).ends)


def solved_until(problem, enough):
    """Solve until the least plan and the greatest bound so far are enough, however long this machine takes."""
    limits, told = Limits().within(ENDLESS_S), {}

    def hear(event):
        if event.kind in ("incumbent", "bound") and event.source != "solve":  # whose first plan is there before bounds
            told[event.kind] = event.value
        if "incumbent" in told and enough(**told):
            limits.stop.set()

    return solve(problem, limits=limits, listener=hear)


def a_plan(incumbent, bound=None):
    """Whether there is a plan at all."""
    return True


@pytest.mark.slow
def test_the_default_plans_a_wide_graph():
    graph = wide(0, 120, slack=0.05)
    checked(graph, solved_until(graph, a_plan))


@pytest.mark.slow
@each("seed", range(2))
def test_the_bound_of_a_wide_graph_comes_closer_to_the_plan_than_to_where_it_began(seed):
    graph = wide(seed, 120, slack=0.05)
    problem = GraphProblem(graph)
    tables = problem.graph.tables
    unpriced = Priced(tables, Duals.zero(tables)).bound + problem.shift

    def closer(incumbent, bound=unpriced):
        return bound > (incumbent + unpriced) / 2

    plan = solved_until(problem, closer)
    checked(graph, plan)
    assert closer(plan.objective, plan.bound)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_the_default_plans_large_extremes(name):
    graph = large()[name]()
    checked(graph, solved_until(GraphProblem(graph), a_plan))


SOLVE = """
import sys
import threading
from pathlib import Path
from hypar_opt.formulation.run import Limits
from hypar_opt.solver.solve import solve
from hypar_opt.instance.strategy_graph import read_strategy_graph
limits, planned = Limits().within(900.0), threading.Event()
def hear(event):
    if event.kind == "incumbent" and event.source != "solve":
        planned.set()
def stop():
    planned.wait()
    limits.stop.set()
timer = threading.Timer(float(sys.argv[2]), stop)
timer.daemon = True
timer.start()
print(solve(read_strategy_graph(Path(sys.argv[1])), limits=limits, listener=hear).status)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(int(status["VmHWM"].split()[0]) * 1024)
"""


def _taken(path: Path, seconds: float) -> int:
    """Return the bytes that a process takes at most that solves a file."""
    command = [sys.executable, "-c", SOLVE, str(path), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    status, taken = done.stdout.split()
    assert status in ("OPTIMAL", "FEASIBLE")
    return int(taken)


@pytest.mark.slow
def test_memory_grows_with_the_entries_of_a_file_and_by_no_more_than_is_said(tmp_path):
    taken, entries = [], []
    for nodes, seconds in ((60, 4.0), (400, 16.0)):
        path = tmp_path / f"{nodes}.json"
        graph = wide(0, nodes)
        write_strategy_graph(graph, path)
        entries.append(len(graph.edge_costs))
        taken.append(_taken(path, seconds))
    assert taken[1] - taken[0] < PER_ENTRY * (entries[1] - entries[0])
