"""Writing: what is written is read back the same; an instance as a strategy graph has its plans and its optimum."""

from __future__ import annotations

import gzip
import json
from itertools import product

import numpy as np
import pytest
from helpers import document, each, linear_chain, problem_of

from hypar_opt.evaluation.strategy_graph import judge
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.instance.shipped import shipped_folder
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, read_strategy_graph
from hypar_opt.instance.strategy_graph.write import write_strategy_graph
from hypar_opt.solver import export as exporting
from hypar_opt.solver.export import strategy_graph_of
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, Refusal
from tests.instance.strategy_graph.drawing import best, draw
from tests.solver.test_memory import kept_by_all, with_capacity
from tests.solver.test_objectives import small_problem

ARRAYS = ("intervals", "sizes", "costs", "usages", "ends", "edge_costs")


@each("seed", range(20))
@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_what_is_written_is_read_back(tmp_path, seed, ending):
    graph, path = draw(seed), tmp_path / f"graph.{ending}"
    write_strategy_graph(graph, path)
    found = read_strategy_graph(path)
    assert (found.name, found.usage_limit) == (graph.name, graph.usage_limit)
    for name in ARRAYS:
        assert np.array_equal(getattr(found, name), getattr(graph, name))


def test_equal_graphs_make_equal_files(tmp_path):
    paths = [tmp_path / name for name in ("a.json.gz", "b.json.gz", "c.json")]
    for path in paths:
        write_strategy_graph(draw(3), path)
    first, second, plain = (path.read_bytes() for path in paths)
    assert first == second
    assert first[4:8] == bytes(4)  # no time of writing
    assert gzip.decompress(first) == plain
    assert list(json.loads(plain)) == ["problem"]


def test_where_it_cannot_be_written_nothing_is_left(tmp_path):
    with pytest.raises(InputError, match="there is no folder"):
        write_strategy_graph(draw(1), tmp_path / "none" / "graph.json")
    assert list(tmp_path.iterdir()) == []


JOIN = [
    *linear_chain(3, 4),
    {"name": "fc3", "linear": {"features": 4}, "inputs": ["fc1"]},
    {"name": "join", "add": {}, "inputs": ["fc2", "fc3"]},
]
CASES = {
    "bytes": lambda: NetworkProblem(load("lenet-c", levels=2)),
    "receiver": lambda: NetworkProblem(load("sfc", levels=2, accounting="receiver")),
    "joins": lambda: problem_of(document(JOIN, [5], levels=2, choices=["dp", "mp", "op"])),
    "splits": lambda: problem_of(document(linear_chain(3, 4), [6], batch=2, levels=2, splits="divisible")),
    "energy": lambda: NetworkProblem(load("sfc", levels=2, array="hypar-16", objective="energy")),
    "placed": lambda: NetworkProblem(load("sfc", array="torus-16", objective="hop-bytes", placement="identity")),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_plan_costs_the_same(case):
    problem = case()
    graph = strategy_graph_of(problem)
    sizes = [variable.size for variable in problem.graph.variables]
    assert graph.sizes.tolist() == sizes
    plans = list(product(*map(range, sizes)))
    for plan in plans[:: max(1, len(plans) // 200)]:
        judged = judge(graph, plan)
        assert (judged.fault is None) == problem.graph.feasible(plan)
        if judged.fault is None:
            assert judged.total == problem.graph.value(plan)


def test_the_optimum_is_the_same():
    problem = NetworkProblem(load("lenet-c", levels=1))
    found = best(strategy_graph_of(problem))
    assert found is not None
    plan = solve(problem, "joint-dp")
    assert found[0] == plan.objective
    assert judge(strategy_graph_of(problem), problem.choices(plan.strategies)).total == plan.objective


@pytest.mark.parametrize("name", sorted(path.stem for path in (shipped_folder() / "hypar").glob("*.yaml")))
def test_the_general_path_gives_the_optimum_of_every_network_of_the_paper(name):
    problem = NetworkProblem(load(name, levels=4))
    least = solve(problem, "joint-dp")
    general = solve(strategy_graph_of(problem), "milp-highs")
    assert (general.status, general.objective) == (Status.OPTIMAL, least.objective)


def test_what_is_ruled_out_is_forbidden():
    graph = strategy_graph_of(problem_of(document(linear_chain(3, 4), [5], levels=2, fix={"fc2": "mm"})))
    second = graph.costs[graph.starts[1] : graph.starts[2]]
    assert (second == FORBIDDEN_COST).tolist() == [word != "mm" for word in ("dd", "dm", "md", "mm")]


def test_the_unit_stands_in_the_name():
    problem = CASES["energy"]()
    unit = problem.graph.objective.denominator
    assert unit > 1
    assert strategy_graph_of(problem).name == f"sfc, costs in 1/{unit} of the objective"


def test_a_long_name_is_cut_before_the_unit(tmp_path):
    problem = CASES["energy"]()
    problem.instance.spec.__dict__["name"] = "n" * 100
    graph = strategy_graph_of(problem)
    write_strategy_graph(graph, tmp_path / "graph.json")
    assert read_strategy_graph(tmp_path / "graph.json").name == graph.name
    assert graph.name.endswith(" of the objective")


def test_memory_becomes_a_limit_at_one_time():
    problem = small_problem(203, "time")
    problem = with_capacity(problem, kept_by_all(problem)[1])
    graph, (capacity,) = strategy_graph_of(problem), problem.graph.capacities
    assert graph.intervals.tolist() == [[0, 1]] * graph.nodes
    assert graph.usage_limit == capacity.limit
    plans = list(product(*map(range, graph.sizes.tolist())))
    assert all(judge(graph, plan).peak == capacity.used(plan) for plan in plans)
    assert 0 < sum(judge(graph, plan).fault is None for plan in plans) < len(plans)


def test_what_is_refused(monkeypatch):
    with pytest.raises(Refusal, match=r"every strategy and every pair of them, here 302,067,712,.*try fewer levels"):
        strategy_graph_of(NetworkProblem(load("vgg-e", levels=12)))
    with pytest.raises(Refusal, match="every strategy and every pair of them, here 16,777,216,"):
        strategy_graph_of(NetworkProblem(load("fc3", levels=24)))  # of one layer, which has no pairs
    with pytest.raises(Refusal, match="the objective depends on the placement, which is to be decided too"):
        strategy_graph_of(NetworkProblem(load("sfc", array="torus-16", objective="hop-bytes", placement="free")))
    with pytest.raises(Refusal, match="a product is no sum of costs"):
        strategy_graph_of(NetworkProblem(load("sfc", array="hypar-16", objective="product:time,energy")))
    monkeypatch.setattr(exporting, "FORBIDDEN_COST", 1000)
    with pytest.raises(Refusal, match=r"a cost is .*10\^18 means that something must not be"):
        strategy_graph_of(NetworkProblem(load("lenet-c", levels=1)))
