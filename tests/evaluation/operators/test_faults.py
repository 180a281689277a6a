"""What is not a plan, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from block import block, strategies

from hypar_opt.evaluation.operators import OperatorPlan, faults, operator_plan
from hypar_opt.instance import load
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import Axis, Partition

FOUR = Partition((Axis("gpu", 4),))
EIGHT = Partition((Axis("node", 4), Axis("gpu", 2)))


def said(partition, chosen, *, divisible=True, **others):
    storage = others.pop("storage", {})
    return list(faults(block(), partition, operator_plan(block(), partition, chosen, storage), divisible, **others))


def test_too_many_parts_of_a_dimension():
    chosen = strategies("batch batch", attention="heads heads")
    assert said(EIGHT, chosen) == ["'attention' splits its heads of 4 into 8 parts"]
    assert said(EIGHT, chosen, divisible=False) == ["'attention' splits its heads of 4 into 8 parts"]
    assert not said(EIGHT, strategies("batch batch", attention="heads batch"))


def test_parts_that_are_not_alike():
    three = Partition((Axis("gpu", 3),))
    chosen = strategies("sequence", attention="heads")
    assert "'attention' splits its heads of 4 into 3 parts" in said(three, chosen)
    assert not said(three, chosen, divisible=False)


def test_not_split_where_that_is_not_offered():
    chosen = strategies("none", up="none")
    expected = "'up' is not to be split along 'none', but along batch, in, out, sequence"
    assert expected in said(FOUR, chosen)
    assert not said(FOUR, chosen, choices=("none",))
    assert said(FOUR, strategies("batch"), choices=("none", "batch")) == []
    assert said(FOUR, strategies("batch", up="out"), choices=("none", "batch")) == [
        "'up' is not to be split along 'out', but along batch, none"
    ]


def test_a_shared_tensor_has_to_have_an_element_for_each_part():
    wide = Partition((Axis("gpu", 16),))
    chosen = strategies("sequence", middle_forward="batch")
    assert said(wide, chosen) == ["'middle' is split along its batch of 8 into 16 parts"]


def test_a_storage_that_is_not_offered():
    offered = {"storages": ("replicated", "zero-1")}
    assert said(FOUR, strategies("batch"), storage={"up": "zero-3"}, **offered) == [
        "'up' stores its parameters 'zero-3', expected one of replicated, zero-1"
    ]
    assert not said(FOUR, strategies("batch"), storage={"up": "zero-1"}, **offered)
    assert said(FOUR, strategies("batch"), storage={"attention": "zero-1"}, **offered) == [
        "'attention' has no parameters that it could store 'zero-1'"
    ]


def test_a_storage_that_does_not_exist():
    assert said(FOUR, strategies("batch"), storage={"up": "zero-4"}) == [
        "'up' stores its parameters 'zero-4', expected one of replicated, zero-1, zero-2, zero-3"
    ]


def test_what_is_missing_or_too_short():
    plan = operator_plan(block(), FOUR, strategies("batch"))
    words = {name: word for name, word in plan.words.items() if name != "up"} | {"down": ()}
    assert list(faults(block(), FOUR, replace(plan, words=words), divisible=True)) == [
        "'up' has no strategy",
        "'down' has 0 entries for 1 axes",
    ]
    assert "'one', which several read, has 0 entries for 1 axes" in list(
        faults(block(), FOUR, OperatorPlan(plan.words), divisible=True)
    )


def test_names_that_a_shared_tensor_does_not_have():
    plan = operator_plan(block(), FOUR, strategies("batch"))
    shared = plan.shared | {"middle": (("partial",), ("rows",))}
    assert list(faults(block(), FOUR, replace(plan, shared=shared), divisible=True)) == [
        "'middle' is to lie in partial sums, and only gradients can",
        "the gradient of 'middle' has no dimension 'rows', but batch, sequence, width",
    ]


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"attn": "batch"}, "attn", "neither an operator nor a tensor that several read"),
        ({"middle:forwards": "batch"}, "middle:forwards", "did you mean 'middle:forward'?"),
        ({"up": None}, "up", "'up' has no strategy"),
        ({"up": "batch out"}, "up", "has 2 entries, 'batch out', expected one for each of 1 axes"),
        ({"up": "outt"}, "up", "expected one of batch, sequence, in, out, none; did you mean 'out'?"),
        ({"middle:forward": "partial"}, "middle:forward", "expected one of batch, sequence, width, whole"),
        ({"one:gradient": "batch"}, "one:gradient", "neither an operator nor"),
    ],
)
def test_strategies_that_are_none(change, field, message):
    chosen = {key: word for key, word in (strategies("batch") | change).items() if word is not None}
    with pytest.raises(InputError, match=r".") as caught:
        operator_plan(block(), FOUR, chosen)
    assert caught.value.field == field
    assert message in caught.value.message


def test_storage_of_what_is_no_operator():
    with pytest.raises(InputError, match="'upp' is no operator, so that it keeps nothing; did you mean 'up'"):
        operator_plan(block(), FOUR, strategies("batch"), {"upp": "zero-1"})


def test_what_can_be_split_along_none_of_the_choices_is_left_whole():
    chosen = strategies("none")
    assert not said(FOUR, chosen, choices=("experts",))
    split = "'up' is not to be split along 'out', but along none"
    assert said(FOUR, chosen | {"up": "out"}, choices=("experts",)) == [split]


def test_pools_are_left_whole_where_only_outputs_may_be_split():
    plan = solve(load("lenet-c", axes="gpu=2", choices="out"))
    assert plan.status == "OPTIMAL"
    assert plan.strategies == dict.fromkeys(plan.strategies, "out") | {"pool1": "none", "pool2": "none"}
