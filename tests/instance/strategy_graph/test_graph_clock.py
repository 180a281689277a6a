"""Time on strategy graphs: limits end presolve too, and events tell the time since the limits began to count."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from hypar_opt.cli.progress.state import State
from hypar_opt.costgraph.presolve import presolve
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver import reduced_task
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.solve import solve
from tests.instance.strategy_graph.drawing import best, draw


@pytest.fixture(scope="module")
def graph():
    """Return one that has a plan, and of which presolve leaves something."""
    drawn = (draw(seed, hard=True) for seed in range(100))
    return next(one for one in drawn if best(one) and GraphProblem(one).reduction.tables.count)


def stopped(**changes):
    limits = Limits(**changes)
    limits.stop.set()
    return limits


@pytest.mark.parametrize("limits", [stopped(), Limits(deadline=0.0)], ids=["stopped", "late"])
@pytest.mark.parametrize("formulation", [None, "cp-sat", "milp-highs", "lagrangian", "brute-force"])
def test_a_graph_that_there_is_no_time_for_has_no_plan_but_the_start(graph, limits, formulation):
    plan = solve(graph, formulation, limits=limits)
    assert (plan.status, plan.native_status) == (Status.NO_SOLUTION, "stopped before the search began")
    assert (plan.strategies, plan.bound) == (None, None)
    start = {str(node): str(choice) for node, choice in enumerate(best(graph)[1])}
    plan = solve(graph, formulation, limits=limits, start=start)
    assert (plan.status, plan.strategies, plan.objective) == (Status.FEASIBLE, start, best(graph)[0])


def test_presolve_ends_with_the_limits_of_its_problem(graph):
    assert GraphProblem(graph).reduction.steps
    assert GraphProblem(graph, limits=Limits()).reduction.steps
    assert GraphProblem(graph, limits=stopped()).reduction.steps == ()
    late = GraphProblem(graph, limits=Limits(deadline=0.0))
    assert late.refuted is None
    assert late.graph.tables.count == graph.nodes


def test_solve_lets_its_limits_end_presolve(graph, monkeypatch):
    said = []

    def presolved(tables, over, begun):
        said.append(over())
        return presolve(tables, over=over, begun=begun)

    monkeypatch.setattr(reduced_task, "presolve", presolved)
    solve(graph, limits=stopped())
    solve(graph, limits=Limits())
    assert said == [True, False]


def test_events_tell_the_time_since_the_limits_count(graph):
    for began, least in ((None, 0), (time.monotonic() - 1000, 1000)):
        heard = []
        plan = solve(graph, limits=Limits(began=began), listener=heard.append)
        times = [event.time_s for event in heard]
        assert times == sorted(times)
        assert heard[0].text == "presolve"
        assert least <= times[0] <= times[-1] < least + 500
        assert 0 < plan.runtime_s < 500


def test_limits_that_are_cut_count_from_the_same_moment():
    limits = Limits(began=time.monotonic() - 1000)
    assert limits.counting() is limits
    assert limits.within(5).elapsed_s() >= 1000
    assert replace(limits, began=None).elapsed_s() == 0.0
    assert 0 <= Limits().counting().elapsed_s() < 500
    assert Limits().counting().stop is not limits.stop
    assert limits.within(5).stop is limits.stop


def test_what_is_shown_counts_from_there_too():
    state = State("solving", Limits(began=time.monotonic() - 1000))
    assert 1000 <= state.seen().elapsed_s < 1500
    assert State("solving", Limits()).seen().elapsed_s < 500
