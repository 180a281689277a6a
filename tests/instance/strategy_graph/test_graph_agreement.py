"""Every formulation that takes a strategy graph agrees with all its plans looked at one by one; and with each other."""

from __future__ import annotations

import pytest

from hypar_opt.formulation.registry import found
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.solve import solve
from tests.instance.strategy_graph.drawing import best, cost, draw

EXACT = ("brute-force", "cp-sat", "milp-cbc", "milp-highs", "portfolio")
SEEDS = 500
QUICK = 8


def _agrees(seed: int, formulation: str, *, presolved: bool) -> None:
    graph = draw(seed, hard=bool(seed % 2))  # of the others presolve leaves little
    truth = best(graph)
    plan = solve(GraphProblem(graph, presolved=presolved), formulation)
    if truth is None:
        assert plan.status in (Status.INFEASIBLE, Status.NO_SOLUTION), plan.native_status
        assert plan.status is Status.INFEASIBLE or formulation not in EXACT
        return
    assert plan.status is Status.OPTIMAL or (plan.status is Status.FEASIBLE and formulation not in EXACT)
    choices = [int(text) for text in plan.strategies.values()]
    assert cost(graph, graph.sizes * 0 + choices) == plan.objective
    assert plan.bound is None or plan.bound <= truth[0] <= plan.objective
    assert plan.status is not Status.OPTIMAL or plan.objective == truth[0]


@pytest.mark.parametrize("presolved", [True, False])
@pytest.mark.parametrize("formulation", [*EXACT, "lagrangian"])
@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, 40), marks=pytest.mark.slow)])
def test_formulations_agree_with_trying_all_plans(formulation, presolved, seeds):
    for seed in seeds:
        _agrees(seed, formulation, presolved=presolved)


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["milp-highs", "lagrangian", "portfolio"])
def test_many_graphs(formulation):
    for seed in range(SEEDS):
        _agrees(seed, formulation, presolved=True)


def test_among_the_graphs_are_some_without_a_plan_and_some_whose_memory_binds():
    graphs = [draw(seed) for seed in range(SEEDS // 5)]
    without = [graph for graph in graphs if best(graph) is None]
    assert 5 < len(without) < 60
    assert set(EXACT) <= set(found())
