"""The script between autoparallel's optimiser and strategy graphs, tried on problems captured from it."""

from __future__ import annotations

import importlib.util
import json

import pytest

from hypar_opt import load, solve
from tests.docs.autoparallel_capture import LEFT_OUT, NewerOptimizer, Optimizer
from tests.docs.blocks import ROOT
from tests.helpers import each

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PuLP, used as autoparallel uses it


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("autoparallel_bridge", ROOT / "docs" / "bridges" / "autoparallel.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.shown = str
    return module


def answered(script, optimizer, folder):
    """Return the plan that cp-sat finds of what is written, which is written as well."""
    script.write_problem(optimizer, folder / "problem.json", folder / "names.json")
    plan = solve(load(folder / "problem.json"), "cp-sat")
    strategies = {str(node): int(strategy) for node, strategy in (plan.strategies or {}).items()}
    (folder / "plan.json").write_text(json.dumps({"plan": strategies}))
    return plan


@each("case", [(name, case) for name in ("blocks", "layer") for case in LEFT_OUT], quick=3)
def test_the_least_cost_is_that_of_its_own_solver(script, tmp_path, case):
    optimizer = Optimizer(*case)
    plan = answered(script, optimizer, tmp_path)
    least, off = optimizer.said["optima"][case[1]], 0.5 / script.SCALE * 2 * len(optimizer.nodes)
    assert plan.status == "OPTIMAL"
    assert plan.objective / script.SCALE == pytest.approx(least, abs=off)
    solution = script.solution(optimizer, tmp_path / "names.json", tmp_path / "plan.json")
    assert optimizer.cost(solution) == pytest.approx(least, abs=off)


@each("case", [(name, case) for name in ("blocks", "layer") for case in LEFT_OUT], quick=3)
def test_releases_write_the_same_problem(script, tmp_path, case):
    for optimizer in (Optimizer(*case), NewerOptimizer(*case)):
        script.write_problem(optimizer, tmp_path / optimizer.__class__.__name__, tmp_path / "names.json")
    assert (tmp_path / "Optimizer").read_text() == (tmp_path / "NewerOptimizer").read_text()


@pytest.mark.parametrize(("release", "reader"), [(Optimizer, "load_solution"), (NewerOptimizer, "load_placements")])
def test_the_answer_is_read_back(script, tmp_path, capsys, release, reader):
    """Of version 1, which has no inputs, other strategies may be found: those of the nodes that are named."""
    optimizer = release("blocks")
    answered(script, optimizer, tmp_path)
    script.main(*(str(tmp_path / name) for name in ("names.json", "plan.json", "placements.json")))
    named = [line.partition(":")[0] for line in capsys.readouterr().err.splitlines()]
    read = getattr(optimizer, reader)(tmp_path / "placements.json")
    solution = script.solution(optimizer, tmp_path / "names.json", tmp_path / "plan.json")
    assert optimizer.cost(solution) == pytest.approx(optimizer.said["optima"]["ends, memory"])
    assert [node.name for node, one in solution.items() if read[node] != one] == named
    assert named == ([] if release is NewerOptimizer else ["native_layer_norm_backward_1"])


def test_no_plan_where_it_has_none(script, tmp_path):
    optimizer = Optimizer("blocks")
    optimizer.prob.constraints["memory_constraint_high"].constant += 1e-5
    assert answered(script, optimizer, tmp_path).status == "INFEASIBLE"
    (tmp_path / "plan.json").write_text(json.dumps({"status": "INFEASIBLE", "plan": None}))
    with pytest.raises(ValueError, match="has no plan: its status is INFEASIBLE"):
        script.main(*(str(tmp_path / name) for name in ("names.json", "plan.json", "placements.json")))
    assert not (tmp_path / "placements.json").exists()


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"0": 0}, "expected a plan of the 2 nodes"),
        ({"0": 0, "1": 3}, "node 1 has 1 strategies"),
        ({"0": -1, "1": 0}, "node 0"),
    ],
)
def test_a_plan_of_another_problem_is_refused(script, plan, message):
    names = {"usages": [[0, 0], [0]], "least_usage": None, "nodes": []}
    with pytest.raises(ValueError, match=message):
        script.chosen(names, plan)


def test_what_strategy_graphs_cannot_say_is_refused(script, tmp_path):
    optimizer = Optimizer("blocks")
    first, second, *_ = optimizer.pulp_variables.values()
    optimizer.prob += first + 2 * second <= 1, "users_own"
    with pytest.raises(ValueError, match="'users_own' is of a form that strategy graphs cannot say"):
        script.write_problem(optimizer, tmp_path / "problem.json", tmp_path / "names.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda one: delattr(one, "pulp_variables"), "this Optimizer has no pulp_variables: it is of a release"),
        (lambda one: setattr(one, "prob", None), "built without its integer programme: build it with build_pulp=True"),
    ],
)
def test_another_release_is_refused(script, tmp_path, change, message):
    optimizer = Optimizer("blocks")
    change(optimizer)
    with pytest.raises(ValueError, match=message):
        script.write_problem(optimizer, tmp_path / "problem.json", tmp_path / "names.json")
    assert not list(tmp_path.iterdir())


def test_a_plan_that_uses_too_little_is_refused(script, tmp_path):
    optimizer = Optimizer("blocks")
    optimizer.prob.constraints["memory_constraint_low"].constant -= 1e-3
    script.write_problem(optimizer, tmp_path / "problem.json", tmp_path / "names.json")
    names = json.loads((tmp_path / "names.json").read_text())
    least = {str(place): usages.index(min(usages)) for place, usages in enumerate(names["usages"])}
    with pytest.raises(ValueError, match="uses 2666666664 of what `memory_constraint_low` wants"):
        script.placements(names, least)
