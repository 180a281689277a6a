"""verify and check-certificate on strategy graphs as a user runs them."""

from __future__ import annotations

import json
import time
from fractions import Fraction

import pytest

from hypar_opt.costgraph import Duals
from hypar_opt.evaluation.strategy_graph import judge
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.shipped import shipped_graphs
from hypar_opt.instance.strategy_graph import read_strategy_graph
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.plan import Plan, write_plan
from hypar_opt.verification.certificate.of_graph import write_graph_certificate


@pytest.fixture(scope="module")
def problem():
    return GraphProblem(read_strategy_graph(shipped_graphs()["five-operators"]), presolved=False)


@pytest.fixture
def best(problem):
    """The optimal plan, by trying all."""
    from tests.instance.strategy_graph.drawing import best as tried

    total, choices = tried(problem.instance)
    strategies = {str(node): str(choice) for node, choice in enumerate(choices.tolist())}
    graph, total = problem.instance, Fraction(total)
    who = graph.name, graph.sha256, "milp-highs", Status.OPTIMAL, ""
    return Plan(*who, strategies, None, total, total, 0.0, 0, costs={"total": total})


@pytest.fixture
def loose(problem, best, tmp_path):
    """A certificate of a bound that is too low, and the plan's file."""
    with (tmp_path / "plan.cert").open("wb") as stream:
        write_graph_certificate(stream, problem, Duals.zero(problem.tables), best)
    write_plan(best, tmp_path / "plan.json")
    return tmp_path / "plan.json", tmp_path / "plan.cert"


def test_a_certificate_of_a_bound(run, loose):
    ran = run("check-certificate", loose[1])
    assert ran.code == 0
    assert ran.out.startswith("proven: five-operators: no plan is below ")
    assert "; the plan in the file costs 53, at most " in ran.out
    assert ran.out.endswith("; beyond that the solver's word: milp-highs, that the plan is optimal\n")
    found = json.loads(run("check-certificate", loose[1], "--json").out)
    assert (found["verdict"], found["optimal"], found["objective"]) == ("proven", False, 53)
    assert found["bound"] < 53
    assert found["rests_on"] == "the solver's word: milp-highs, that the plan is optimal"


def test_verify(run, loose):
    ran = run("verify", "five-operators", loose[0], "--json")
    assert ran.code == 0
    found = json.loads(ran.out)
    assert (found["verdict"], found["total"]) == ("confirmed", 53)
    assert found["peak_memory"]["used"] <= found["peak_memory"]["limit"] == 100
    assert run("verify", "five-operators", loose[0], "--certificate", loose[1], "-q").out == "confirmed\n"


def test_events_count_from_the_commands_start(run, loose):
    used = time.process_time()
    ran = run("verify", "five-operators", loose[0], "--json-lines")
    assert ran.code == 0
    times = [json.loads(line)["time_s"] for line in ran.out.splitlines()[:-1]]
    assert times
    assert min(times) >= used


def test_a_worse_plan_is_shown_beside_a_better_one(run, problem, best, tmp_path):
    for node, strategy in ((n, s) for n in range(5) for s in range(2)):
        choices = [int(best.strategies[str(n)]) for n in range(5)]
        choices[node] = strategy
        judged = judge(problem.instance, choices)
        if judged.fault is None and judged.total > best.objective:
            break
    total = Fraction(judged.total)
    strategies = {str(node): str(choice) for node, choice in enumerate(choices)}
    worse = Plan(best.instance, best.instance_sha256, "somebody", Status.FEASIBLE, "", strategies, None, total, None,
                 0.0, 0, costs={"total": total})  # fmt: skip
    write_plan(worse, tmp_path / "worse.json")
    assert run("verify", "five-operators", tmp_path / "worse.json").code == 0
    ran = run("verify", "five-operators", tmp_path / "worse.json", "--as-optimal")
    assert ran.code == 1
    assert "refuted: five-operators, FEASIBLE by somebody" in ran.out
    assert "node claimed better, by" in " ".join(ran.out.split())
    assert "bytes" not in ran.out


def test_a_claim_that_there_is_no_plan(run, tmp_path):
    graph = read_strategy_graph(shipped_graphs()["too-little-memory"])
    claim = Plan(graph.name, graph.sha256, "portfolio", Status.INFEASIBLE, "", None, None, None, None, 0.0, 0)
    write_plan(claim, tmp_path / "none.json")
    ran = run("verify", "too-little-memory", tmp_path / "none.json")
    assert ran.code == 0
    assert "at time 1 any plan uses at least 82, and there are 80" in " ".join(ran.out.split())


def test_a_plan_of_another_graph_is_bad_input(run, loose):
    ran = run("verify", "too-little-memory", loose[0])
    assert ran.code == 2
    assert "is a plan of 'five-operators', not of 'too-little-memory'" in ran.err
