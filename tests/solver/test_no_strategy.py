"""Why a layer has no strategy, and that every change which is said to be enough is enough; idle accelerators."""

from __future__ import annotations

import re

import pytest
from helpers import document, each, instance_of, linear_chain, problem_of

from hypar_opt import load
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.infeasibility.indivisible import without_strategy
from hypar_opt.solver.solve import solve


def infeasible(batch, features, levels, **cost):
    return problem_of(
        document(linear_chain(features, 8), [features], batch=batch, levels=levels, splits="divisible", **cost)
    )


def test_the_note_names_layer_dimensions_counts_and_levers():
    plan = solve(infeasible(4, 10, 4))
    assert (plan.status, plan.note) == (
        Status.INFEASIBLE,
        "no strategy of 4 letters of 'dm' is allowed for 'fc1', a layer of kind linear (nor for 1 other layer): every "
        "part as large as the next (splits: divisible), d splits its batch of 4 at most 2 times, m splits its 10 input "
        "features at most once, and that is 3 of 4 levels; enough would be: 3 levels, 8 accelerators; or a batch of 8; "
        "or --splits any, with parts of unequal size; or the choices dp, mp, op",
    )


@each("seed", range(24))
def test_every_lever_is_one(seed):
    batch, features, levels = 1 + seed % 6, 3 + seed % 5, 2 + seed % 4
    problem = infeasible(batch, features, levels)
    note = without_strategy(problem)
    assert (note is None) == problem.is_feasible
    if note is None:
        return
    spec, helps = problem.instance.spec, note.partition("enough would be: ")[2]
    assert "--splits any" in helps
    assert solve(problem.instance.replace(splits="any")).strategies is not None
    larger = re.search(r"a batch of ([\d,]+)", helps)
    if larger:
        assert solve(problem.instance.replace(batch=int(larger[1].replace(",", "")))).strategies is not None
    fewer = re.search(r"(\d+) levels?, (\d+) accelerators", helps)
    assert int(fewer[2]) == 2 ** int(fewer[1])
    for levels_now in range(int(fewer[1]), problem.instance.levels):
        changed = problem.instance.changed(array=spec.array.model_copy(update={"levels": levels_now}))
        assert Evaluator(changed).is_feasible == (levels_now == int(fewer[1]))


def test_a_given_strategy_that_does_not_divide():
    problem = problem_of(document(linear_chain(8), [8], batch=6, levels=2, splits="divisible"))
    assert without_strategy(problem) is None
    given = problem_of(
        document(linear_chain(8), [8], batch=6, levels=2, splits="any", fix={"fc1": "dd"}), splits="divisible"
    )
    note = without_strategy(given)
    assert "the instance gives it one, so that it has 'dd', and its batch of 6 does not divide by 4" in note
    assert note.endswith("no given strategies")


def test_a_grouped_layer_whose_groups_are_too_few():
    layers = [{"name": "conv", "conv": {"filters": 4, "kernel": 1, "groups": 2}}]
    problem = problem_of(document(layers, [4, 2, 2], batch=4, levels=2, choices=["mp"]))
    note = without_strategy(problem)
    assert "groups kept whole, m splits its 2 groups at most once, and that is 1 of 2 levels" in note
    assert "1 level, 2 accelerators" in note


RING = {"topology": "ring", "accelerators": 24, "levels": 4}


def test_accelerators_that_no_leaf_stands_for_are_named(tmp_path):
    whole = document(linear_chain(8), [8], batch=16) | {"array": RING}
    plan = solve(instance_of(whole))
    assert plan.status is Status.OPTIMAL
    assert plan.note == "4 levels use 16 of the array's 24 accelerators: 8 stay idle"


@pytest.mark.parametrize(
    "array", [{"topology": "ring", "accelerators": 16, "levels": 4}, {"topology": "h-tree", "levels": 3}]
)
def test_where_all_are_used_nothing_is_said(array):
    assert solve(instance_of(document(linear_chain(8), [8], batch=16) | {"array": array})).note == ""
    assert solve(load("lenet-c", array="torus-16")).note == ""


def test_a_word_with_open_levels_is_not_called_wrong():
    note = solve(load("lenet-c", splits="divisible", fix={"conv1": "m..."})).note
    assert "the instance gives it 'm...'; every part as large as the next" in note
    assert "m cannot split its 1 input channel" in note and "expected 4 letters" not in note
