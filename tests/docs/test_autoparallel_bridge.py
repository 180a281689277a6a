"""The script between autoparallel's optimiser and strategy graphs, tried on a problem in the shape of its classes."""

from __future__ import annotations

import importlib.util
import json

import pytest

from hypar_opt import load, solve
from tests.docs.autoparallel_problem import NODES, Optimizer
from tests.docs.blocks import ROOT
from tests.helpers import each


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("autoparallel_bridge", ROOT / "docs" / "bridges" / "autoparallel.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.shown = str
    return module


def answered(script, optimizer, folder):
    """Return the names, and the plan that cp-sat finds of what is written."""
    script.write_problem(optimizer, folder / "problem.json", folder / "names.json")
    plan = solve(load(folder / "problem.json"), "cp-sat")
    return json.loads((folder / "names.json").read_text()), plan


CASES = {
    "all": lambda one: (one.only("x", "S(0)S(0)"), one.pair("w1", "grad_w1"), one.bound_memory(0.25, 1.25)),
    "a node that reads": lambda one: one.only("mm2", "RR", "S(0)P"),
    "memory": lambda one: one.bound_memory(0.0, 0.5),
    "free": lambda one: None,
    "inputs": lambda one: one.only("x", "S(0)S(0)"),
    "gradients lie as parameters": lambda one: one.pair("w1", "grad_w1"),
}


@each("case", [(name, links) for name in CASES for links in ({"relu2": "relu1"}, {})], quick=4)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_least_cost_is_that_of_its_own_solver(script, tmp_path, case):
    name, links = case
    optimizer = Optimizer(links=links)
    CASES[name](optimizer)
    names, plan = answered(script, optimizer, tmp_path)
    least = optimizer.least()
    assert plan.status == "OPTIMAL"
    assert plan.objective == round(least * script.SCALE)
    found = script.placements(names, {str(k): int(v) for k, v in plan.strategies.items()})
    assert found["version"] == 1
    assert (found["mesh_shape"], found["mesh_dim_names"]) == ([2, 4], ["dp", "tp"])
    assert list(found["placements"]) == list(NODES)
    assert all(one in NODES[name][1] for name, one in found["placements"].items())


def test_no_plan_where_it_has_none(script, tmp_path):
    optimizer = Optimizer()
    optimizer.bound_memory(0.0, 0.4)
    _, plan = answered(script, optimizer, tmp_path)
    assert (plan.status, optimizer.least()) == ("INFEASIBLE", None)


def test_what_strategy_graphs_cannot_say_is_refused(script, tmp_path):
    optimizer = Optimizer()
    first, second, *_ = optimizer.pulp_variables.values()
    optimizer.prob += first + 2 * second <= 1, "users_own"
    with pytest.raises(ValueError, match="'users_own' is of a form that strategy graphs cannot say"):
        script.write_problem(optimizer, tmp_path / "problem.json", tmp_path / "names.json")
    assert not list(tmp_path.iterdir())


def test_a_plan_that_uses_too_little_is_refused(script, tmp_path):
    optimizer = Optimizer()
    optimizer.bound_memory(1.75, 2.0)
    names, _ = answered(script, optimizer, tmp_path)
    with pytest.raises(ValueError, match="uses 500000 of what `memory_constraint_low` wants 1750000 of"):
        script.placements(names, {str(number): min(1, number) for number in range(len(names["usages"]))})


def test_the_second_half_as_a_program(script, tmp_path, capsys):
    _, plan = answered(script, Optimizer(), tmp_path)
    strategies = {str(k): int(v) for k, v in plan.strategies.items()}
    (tmp_path / "plan.json").write_text(json.dumps({"plan": strategies}))
    files = [str(tmp_path / name) for name in ("names.json", "plan.json", "placements.json")]
    script.main(*files, "--inputs")
    found = json.loads((tmp_path / "placements.json").read_text())["placements"]
    assert found["mm1"]["output"] in NODES["mm1"][1]
    assert found["mm1"]["inputs"] == list(NODES["mm1"][1][found["mm1"]["output"]][0])
    script.main(*files)
    assert capsys.readouterr().err == ""
    assert json.loads((tmp_path / "placements.json").read_text())["placements"]["mm1"] == found["mm1"]["output"]
