"""Plans that are given are recomputed, bound to their instance, and refused where they are not what they claim."""

import json

import pytest

from hypar_opt import load, solve
from hypar_opt.formulation.solution import Status
from hypar_opt.report.content import given_plans
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.errors import InputError
from tests.report.content.cases import changed, plan_file


def test_a_plan_file_comes_back_as_it_was(tmp_path):
    plan = solve(load("lenet-c"), "joint-dp")
    path = plan_file(tmp_path, formulation="joint-dp")
    (given,) = given_plans([path])
    kept = {name: value for name, value in plan_document(plan).items() if name != "runtime_s"}
    assert {name: value for name, value in plan_document(given.plan).items() if name != "runtime_s"} == kept
    assert plan_document(given.plan)["runtime_s"] == json.loads(path.read_text())["runtime_s"]


def test_a_folder_gives_all_plans_below_it_in_order(tmp_path):
    (tmp_path / "b").mkdir()
    for folder, formulation in (("b", "hypar-dp"), (".", "joint-dp"), (".", "data-parallel")):
        plan_file(tmp_path / folder, formulation=formulation)
    (tmp_path / ".half-written.json").write_text("{")
    found = [given.path.relative_to(tmp_path).as_posix() for given in given_plans([tmp_path])]
    assert found == ["b/hypar-dp.json", "data-parallel.json", "joint-dp.json"]


def test_an_empty_folder_is_an_error(tmp_path):
    with pytest.raises(InputError) as error:
        given_plans([tmp_path])
    assert str(error.value) == f"{tmp_path}: has no plan files (*.json)"


def test_a_plan_that_is_what_it_claims_is_taken(tmp_path):
    (given,) = given_plans([plan_file(tmp_path, formulation="joint-dp", accounting="as-evaluated")])
    given.check(NetworkProblem(load("lenet-c", accounting="as-evaluated")))


def test_other_overrides_are_another_problem(tmp_path):
    (given,) = given_plans([plan_file(tmp_path, batch=128)])
    with pytest.raises(InputError) as error:
        given.check(NetworkProblem(load("lenet-c")))
    assert str(error.value) == (
        f"{given.path}: overrides: was made with overrides {{'batch': 128}}, the instance was read with {{}}"
    )


def test_another_version_of_the_instance_is_another_instance(tmp_path):
    (given,) = given_plans([changed(plan_file(tmp_path), instance_sha256="0" * 64)])
    with pytest.raises(InputError, match="is a plan of another version of 'lenet-c': its hash is 000000000000"):
        given.check(NetworkProblem(load("lenet-c")))


def test_a_cost_that_it_does_not_have_is_found(tmp_path):
    path = plan_file(tmp_path)
    cost = json.loads(path.read_text())["cost"]["communication_bytes"]
    (given,) = given_plans([changed(path, cost={"communication_bytes": cost - 8})])
    with pytest.raises(InputError) as error:
        given.check(NetworkProblem(load("lenet-c")))
    assert str(error.value) == (
        f"{path}: is not what it claims: communication: claimed {cost - 8:,} bytes, it is {cost:,} bytes "
        "(off by -8 bytes)"
    )


def test_a_layer_that_is_missing_is_found(tmp_path):
    path = plan_file(tmp_path)
    plan = json.loads(path.read_text())["plan"]
    del plan["fc2"]
    (given,) = given_plans([changed(path, plan=plan)])
    with pytest.raises(InputError, match=r"is not what it claims: plan: .*fc2"):
        given.check(NetworkProblem(load("lenet-c")))


def test_a_bound_above_its_own_cost_is_found(tmp_path):
    path = plan_file(tmp_path)
    (given,) = given_plans([changed(path, bound=10**15)])
    with pytest.raises(InputError, match="is not what it claims: bound: the bound 1,000,000,000,000,000 B is above"):
        given.check(NetworkProblem(load("lenet-c")))


def test_a_proof_that_there_is_no_plan_is_given_as_well(tmp_path):
    nothing = {"status": "INFEASIBLE", "plan": None, "cost": None, "objective": None, "bound": None}
    (given,) = given_plans([changed(plan_file(tmp_path), **nothing)])
    given.check(NetworkProblem(load("lenet-c")))
    assert given.plan.status is Status.INFEASIBLE
    assert given.plan.strategies is None
