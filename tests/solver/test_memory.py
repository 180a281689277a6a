"""The accelerators' memory as a limit: plans that do not fit, and why none does."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import yaml
from helpers import document, each, linear_chain, problem_of
from machines import random_array

from hypar_opt.formulation.solution import Status
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.sensitivity import explain
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification import verify
from tests.solver.test_objectives import all_plans, small_problem

TAKING = ("joint-dp", "cp-sat", "milp-highs", "milp-cbc", "brute-force")


def with_capacity(problem, capacity):
    """Return the same problem with so much memory."""
    spec = problem.instance.spec
    memory = spec.array.accelerator.memory.model_copy(update={"capacity": capacity})
    accelerator = spec.array.accelerator.model_copy(update={"memory": memory})
    array = spec.array.model_copy(update={"accelerator": accelerator})
    return NetworkProblem(problem.instance.changed(array=array))


def kept_by_all(problem):
    return sorted({sum(problem.resident(strategies).values()) for strategies, _ in all_plans(problem)})


def least_that_fits(problem, capacity):
    fits = (costs for strategies, costs in all_plans(problem) if sum(problem.resident(strategies).values()) <= capacity)
    return min(costs["time"] for costs in fits)


@pytest.mark.parametrize("name", TAKING)
@each("seed", range(6), quick=3)
def test_the_best_plan_that_fits(seed, name):
    problem = small_problem(200 + seed, "time")
    kept = kept_by_all(problem)
    for capacity in {kept[0], kept[len(kept) // 3], kept[-1]}:
        limited = with_capacity(problem, capacity)
        try:
            plan = solve(limited, name)
        except Refusal as error:
            assert (name == "joint-dp" and "try cp-sat" in str(error)) or "floating" in str(error)
            continue
        assert plan.status is Status.OPTIMAL, plan.native_status
        assert plan.objective == least_that_fits(problem, capacity)
        assert sum(limited.resident(plan.strategies).values()) <= capacity


@each("seed", range(6), quick=3)
def test_what_is_given_in_part_and_fits(seed):
    problem = small_problem(200 + seed, "time")
    first = problem.work.layers[0].name
    least = min((sum(problem.resident(one).values()), one[first]) for one, _ in all_plans(problem))[1]
    word = least[:1] + "." * (len(least) - 1)
    given = NetworkProblem(problem.instance.changed(fix={first: word}))
    kept = kept_by_all(given)
    assert sum(given.least_resident.values()) == kept[0]
    for capacity in {kept[0], kept[len(kept) // 2]}:
        limited = with_capacity(given, capacity)
        plan = solve(limited, "brute-force")
        assert plan.status is Status.OPTIMAL, plan.native_status
        assert plan.objective == least_that_fits(given, capacity)
        assert plan.strategies[first][:1] == word[:1]
    none = solve(with_capacity(given, kept[0] - 1), "brute-force") if kept[0] > 1 else None
    assert none is None or none.status is Status.INFEASIBLE


@pytest.mark.parametrize("name", TAKING)
def test_nothing_fits_and_the_reason_is_said(name):
    problem = small_problem(203, "time")
    limited = with_capacity(problem, kept_by_all(problem)[0] - Fraction(1, 4))
    plan = solve(limited, name)
    assert plan.status is Status.INFEASIBLE
    assert plan.note.startswith("memory: any plan keeps at least ")


def fc_document(capacity, **changes):
    """20 -> 40 -> 20 on four accelerators with so much memory."""
    whole = document(linear_chain(40, 20), [20], batch=64, levels=2, accounting="receiver", **changes)
    whole["array"] = random_array(2, 2, model="as-evaluated", capacity=capacity) | {"topology": "h-tree"}
    return whole


def test_the_whole_explanation():
    # at the best two layers keep 2 x 800 x 4 / 4 + 20 x 64 x 4 / 4 and 2 x 800 x 4 / 4 + 40 x 64 x 4 / 4
    plan = solve(problem_of(fc_document(7000)), "cp-sat")
    assert plan.note == (
        "memory: any plan keeps at least 7,040 bytes on each accelerator, which has 7,000; 'fc2' needs most of them, "
        "4,160; enough would be: a batch of at most 63; or 3 levels, 8 accelerators"
    )


def test_levers_that_depend_on_the_instance():
    more = solve(problem_of(fc_document(7040, optimiser="adam")), "cp-sat").note
    assert "the optimiser sgd, which keeps nothing" in more
    given = solve(problem_of(fc_document(7040) | {"fix": {"fc1": "dd"}}), "cp-sat").note
    assert "no given strategies" in given and "levels" not in given
    only_dp = solve(problem_of(fc_document(7040, choices=["dp"])), "cp-sat").note
    assert "the choices dp, mp, op" in only_dp


@pytest.mark.parametrize("lever", [{"batch": 63}, {"array": {"levels": 3}}])
def test_the_levers_are_enough(lever):
    whole = fc_document(7000)
    whole["array"] |= lever.pop("array", {})
    assert solve(problem_of(whole | lever), "cp-sat").status is Status.OPTIMAL


def test_a_batch_of_one_more_is_too_much():
    assert solve(problem_of(fc_document(7000) | {"batch": 64}), "cp-sat").status is Status.INFEASIBLE


def test_the_verifier_recounts_the_memory():
    problem = problem_of(fc_document(7040))
    plan = solve(problem, "cp-sat")
    assert verify(problem, plan).outcome == "confirmed"
    from dataclasses import replace

    greedy = replace(plan, strategies={"fc1": "dd", "fc2": "dd"})
    refuted = verify(problem, greedy)
    assert refuted.outcome == "refuted"
    said = [check.text for check in refuted.checks if check.name == "memory"]
    assert said == ["needs 16,640 bytes on every accelerator, which has 7,040"]


@pytest.mark.parametrize("objective", ["time", "product:time,energy", "lexicographic:energy,time"])
def test_that_nothing_fits_is_verified_without_a_solver(objective):
    problem = problem_of(fc_document(7000), objective=objective)
    plan = solve(problem, "joint-dp")
    assert plan.status is Status.INFEASIBLE
    verdict = verify(problem, plan)
    assert verdict.outcome == "confirmed"
    assert "7,040 bytes stay on each accelerator, which has 7,000" in verdict.checks[-1].text


def test_a_claim_that_nothing_fits_though_something_does():
    from dataclasses import replace

    problem = problem_of(fc_document(7040))
    nothing = replace(solve(problem_of(fc_document(7000)), "cp-sat"), instance_sha256=problem.instance.sha256)
    assert verify(problem, nothing).outcome == "refuted"


def divisible_document(**changes):
    whole = document(linear_chain(6, 4), [30], batch=60, levels=2, accounting="receiver", splits="divisible")
    whole["array"] = random_array(2, 2, model="as-evaluated", capacity=900) | {"topology": "h-tree"}
    return whole | changes


def test_levers_where_parts_have_to_divide():
    note = solve(problem_of(divisible_document()), "cp-sat").note
    for named in [int(part.split()[0]) for part in note.split("a batch of ")[1:]]:
        assert solve(problem_of(divisible_document(batch=named)), "cp-sat").status is Status.OPTIMAL
    for levels in [int(part.rsplit(maxsplit=1)[-1]) for part in note.split(" levels, ")[:-1]]:
        whole = divisible_document()
        whole["array"]["levels"] = levels
        assert solve(problem_of(whole), "cp-sat").status is Status.OPTIMAL
    assert note.endswith("; enough would be: a batch of 2")


def test_no_more_levels_than_an_accounting_takes():
    whole = document(linear_chain(40, 20), [20], batch=64, levels=6, accounting="leaf-exact")
    whole["array"] = random_array(2, 6, model="as-evaluated", capacity=400) | {"topology": "h-tree"}
    note = solve(problem_of(whole), "cp-sat").note
    assert note.startswith("memory: any plan keeps at least") and "levels" not in note


def test_no_more_levels_for_a_list_of_accelerators():
    whole = fc_document(7000)
    whole["array"] |= {"placement": ["a0", "a1", "a2", "a3"]}
    assert "levels" not in solve(problem_of(whole), "cp-sat").note


def test_a_memory_smaller_than_a_layers_weights(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(json.loads(json.dumps(fc_document(700)))))
    with pytest.raises(InputError, match="expected at least 800 bytes, which the weights of 'fc1' alone take"):
        from hypar_opt.instance import read_instance

        read_instance(path)


def test_regrets_are_the_same_where_every_plan_fits():
    problems = (small_problem(seed, "time") for seed in range(200, 300))
    problem = next(one for one in problems if len(kept_by_all(one)) > 1)
    kept = kept_by_all(problem)
    free = explain(problem, solve(problem, "joint-dp"))
    roomy = with_capacity(problem, 10 * kept[-1])
    assert explain(roomy, solve(roomy, "joint-dp")).regrets == free.regrets != {}
