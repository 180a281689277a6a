"""The strategy graphs that are shipped: what docs/strategy-graphs.md says of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hypar_opt import load
from hypar_opt.evaluation.strategy_graph import judge, shortage
from hypar_opt.instance.shipped import shipped_graphs, shipped_names
from hypar_opt.instance.strategy_graph import StrategyGraph
from hypar_opt.solver.export import strategy_graph_of
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from tests.instance.strategy_graph.drawing import best


def test_each_is_called_as_its_file():
    assert set(shipped_graphs()) == {"five-operators", "lenet-c-h2", "too-little-memory"}
    assert not set(shipped_graphs()) & set(shipped_names())
    assert all(load(name).name == name for name in shipped_graphs())


def test_five_operators():
    graph = load("five-operators")
    assert isinstance(graph, StrategyGraph)
    cost, plan = best(graph)
    assert (cost, plan.tolist()) == (53, [1, 1, 1, 0, 0])
    assert judge(graph, plan).peak <= graph.usage_limit
    cost, plan = best(replace(graph, usage_limit=10**6))
    assert (cost, judge(graph, plan).peak) == (32, 132)


def test_too_little_memory():
    graph = load("too-little-memory")
    assert best(graph) is None
    short = shortage(graph)
    assert (short.time, short.needed, short.available) == (1, 82, 80)


def test_lenet_c_is_what_is_exported():
    problem, shipped = NetworkProblem(load("lenet-c", levels=2)), load("lenet-c-h2")
    exported = strategy_graph_of(problem)
    for name in ("intervals", "sizes", "costs", "usages", "ends", "edge_costs"):
        assert np.array_equal(getattr(exported, name), getattr(shipped, name))
    plan = solve(problem, "joint-dp")
    assert best(shipped)[0] == plan.objective
