"""Plans by a rule."""

from __future__ import annotations

import pytest
from helpers import document, instance_of, linear_chain

from hypar_opt.formulation.solution import GIVEN
from hypar_opt.instance import load
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal

NAMES = ["data-parallel", "model-parallel", "one-weird-trick"]


@pytest.mark.parametrize(("name", "letter"), [("data-parallel", "d"), ("model-parallel", "m")])
def test_one_letter_everywhere(name, letter):
    plan = solve(load("lenet-c"), name)
    assert dict(plan.strategies) == dict.fromkeys(["conv1", "conv2", "fc1", "fc2"], 4 * letter)


def test_the_trick_is_dp_for_convolutions_and_joins_and_mp_for_linear_layers():
    plan = solve(load("resnet-18", levels=2), "one-weird-trick")
    assert {word for layer, word in plan.strategies.items() if layer != "fc"} == {"dd"}
    assert plan.strategies["fc"] == "mm"


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_proves_nothing(name):
    plan = solve(load("sfc"), name)
    assert (plan.status, plan.bound) == ("FEASIBLE", None)


@pytest.mark.parametrize("name", NAMES)
def test_given_strategies_stay(name):
    whole = document(linear_chain(4, 4), [4], levels=2, fix={"fc1": "dm"})
    assert solve(instance_of(whole), name).strategies["fc1"] == "dm"


@pytest.mark.parametrize(("word", "note"), [("dm", "the rule, but for 'fc1', as given"), ("d.", ""), ("dd", "")])
def test_what_is_not_by_the_rule_is_said(word, note):
    plan = solve(instance_of(document(linear_chain(4, 4), [4], levels=2, fix={"fc1": word})), "data-parallel")
    assert (plan.note, plan.statistics) == (note, {GIVEN: 1} if note else {})


def test_of_many_layers_it_is_said_how_many():
    fix = {f"fc{layer}": "mm" for layer in range(1, 6)}
    plan = solve(instance_of(document(linear_chain(4, 4, 4, 4, 4), [4], levels=2, fix=fix)), "data-parallel")
    assert plan.note == "the rule, but for 5 layers, as given"


def test_a_rule_that_breaks_a_split_finds_nothing():
    whole = document(linear_chain(4), [4], batch=3, splits="divisible")
    plan = solve(instance_of(whole), "data-parallel")
    assert (plan.status, plan.strategies) == ("NO_SOLUTION", None)
    assert plan.note == "the rule's plan breaks a split or capacity rule of this instance: 'fc1' cannot have 'd'"


def test_a_letter_that_is_not_offered_is_declined():
    whole = document(linear_chain(4), [4], choices=["dp"])
    with pytest.raises(Refusal, match="model-parallel declines: 'fc1' cannot choose 'm' here; try joint-dp"):
        solve(instance_of(whole), "model-parallel")
