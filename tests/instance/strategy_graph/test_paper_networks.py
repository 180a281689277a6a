"""The paper's ten networks on sixteen accelerators as strategy graphs: solved in general, at the optima of joint-dp."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hypar_opt.evaluation.strategy_graph import judge
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.export import strategy_graph_of
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve

TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
LEVELS = 4


@cache
def problem(name, accounting):
    return NetworkProblem(load(name, levels=LEVELS, accounting=accounting))


@cache
def optimum(name, accounting):
    return solve(problem(name, accounting), "joint-dp").objective


def check(name, formulation, *, accounting="published", presolved=True):
    graph = GraphProblem(strategy_graph_of(problem(name, accounting)), presolved=presolved)
    plan = solve(graph, formulation, limits=Limits(workers=2))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, optimum(name, accounting)), plan.native_status
    assert plan.bound == plan.objective
    assert judge(graph.instance, graph.choices(plan.strategies)).total == optimum(name, accounting)


@pytest.mark.parametrize("accounting", ["published", "as-evaluated", "receiver"])
@pytest.mark.parametrize("formulation", ["milp-highs", "portfolio"])
@pytest.mark.parametrize("name", TEN)
def test_a_network_has_the_same_optimum(name, formulation, accounting):
    check(name, formulation, accounting=accounting)


@pytest.mark.parametrize("formulation", ["milp-highs", "portfolio"])
@pytest.mark.parametrize("name", TEN)
def test_a_network_has_the_same_optimum_without_presolve(name, formulation):
    check(name, formulation, presolved=False)


def test_a_graph_that_costs_more_would_be_noticed():
    graph = strategy_graph_of(problem("sfc", "published"))
    plan = solve(GraphProblem(replace(graph, costs=graph.costs + 1)), "milp-highs")
    assert plan.objective == optimum("sfc", "published") + graph.nodes
