"""Why a strategy graph has no plan, as the commands say it."""

from __future__ import annotations

import json

import pytest

from hypar_opt.instance.strategy_graph.write import write_strategy_graph
from tests.instance.strategy_graph.contradicting import star

WHY = (
    "memory: at time 1 any plan that has nothing forbidden and keeps to the limit at time 3 uses at least 20, "
    "and there are 10; 10 more would be enough for these times"
)


@pytest.fixture
def graph(tmp_path):
    write_strategy_graph(star([3, 1]), tmp_path / "star.json")
    return tmp_path / "star.json"


def test_solve_says_why(run, graph):
    ran = run("solve", graph)
    assert ran.code == 0
    assert WHY in " ".join(ran.out.split())


@pytest.mark.parametrize("options", [[], ["--no-presolve"]])
@pytest.mark.parametrize("formulation", ["portfolio", "cp-sat", "milp-highs", "brute-force"])
def test_solve_says_why_for_machines_and_verify_confirms(run, graph, tmp_path, formulation, options):
    ran = run("solve", graph, "-f", formulation, *options, "--json", "-o", tmp_path / "none.json")
    assert ran.code == 0
    for found in (json.loads(ran.out), json.loads((tmp_path / "none.json").read_text())):
        assert (found["status"], found["plan"]) == ("INFEASIBLE", None)
        assert WHY in found["note"]
    assert run("verify", graph, tmp_path / "none.json").code == 0
