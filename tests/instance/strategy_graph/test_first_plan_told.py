"""The plan that is found before presolve: told at once, kept by presolve, and the answer where the limit ends that."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import each

from hypar_opt import Limits, load, solve
from hypar_opt.costgraph.presolve import NoPlan
from hypar_opt.evaluation.strategy_graph import judge
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.graph_problem import GraphProblem, GraphTask
from hypar_opt.solver.problem import Start
from tests.instance.strategy_graph.drawing import best, draw


@pytest.fixture(scope="module")
def graph():
    """Return one whose first plan is not the best."""
    return load("five-operators")


def test_it_is_told_before_anything_is_reduced(graph):
    heard = []
    plan = solve(graph, listener=heard.append)
    first = GraphProblem(graph).first
    assert [(one.kind, one.source, one.text, one.value) for one in heard[:2]] == [
        ("phase", "solve", "presolve", None),
        ("incumbent", "solve", "", first.value),
    ]
    assert judge(graph, first.choices).total == first.value > plan.objective
    assert (heard[1].instance, heard[1].weights) == (graph.name, heard[-1].weights)


@pytest.mark.parametrize("formulation", [None, "cp-sat", "brute-force"])
def test_it_is_the_answer_where_the_limit_ends_presolve(graph, formulation):
    limits = Limits()
    plan = solve(
        graph, formulation, limits=limits, callback=lambda one: limits.stop.set() if one.kind == "incumbent" else None
    )
    first = GraphProblem(graph).first
    assert (plan.status, plan.objective) == (Status.FEASIBLE, first.value)
    assert tuple(int(one) for one in plan.strategies.values()) == first.choices


def test_a_better_start_is_begun_with_and_a_dearer_one_is_not(graph):
    task, first = GraphTask(GraphProblem(graph, limits=None, presolved=True)), GraphProblem(graph).first
    value, choices = best(graph)
    starts = {value: choices, first.value: np.array(first.choices)}
    for given in ([1, 1, 0, 0, 0], choices, first.choices):
        begin = task.encode(Start({str(node): str(one) for node, one in enumerate(given)}))
        judged = judge(graph, given)
        least = min(first.value, judged.total if judged.fault is None else first.value)
        assert begin is not None
        assert task.value(begin) + task.shift <= least
    assert len(starts) == 2


@each("seed", range(120), quick=40)
def test_presolve_keeps_it_or_one_that_is_no_worse(seed):
    problem = GraphProblem(draw(seed, hard=seed % 2 == 1))
    if problem.refuted is not None or problem.first is None:
        return
    task = GraphTask(problem)
    begin = task.encode(Start())
    assert begin is not None
    assert task.feasible(begin)
    assert task.value(begin) + task.shift <= problem.first.value


def test_there_is_none_where_nothing_is_merged_or_the_limit_is_over(graph):
    assert GraphProblem(graph, presolved=False).first is None
    assert GraphProblem(graph, limits=Limits(deadline=0.0)).first is None
    heard = []
    assert solve(graph, limits=Limits(deadline=0.0), listener=heard.append).status is Status.NO_SOLUTION
    assert all(one.kind == "phase" for one in heard)


def test_what_is_refuted_has_none_and_says_why():
    problem = GraphProblem(load("too-little-memory"))
    assert problem.first is None
    with pytest.raises(NoPlan):
        problem.reduction  # noqa: B018 - which raises
