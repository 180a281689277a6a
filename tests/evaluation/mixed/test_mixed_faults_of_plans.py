"""What is no plan, and what no such array is judged by: every message."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from helpers import linear_chain
from mixed_machines import HALF, array_of, kind_of, setting_of

from hypar_opt.evaluation.mixed import MixedRules, communication_bytes, fault_of
from hypar_opt.instance.network import Network, workload
from hypar_opt.instance.shares import ExactShares, GivenShares, WholeShares

CONV = {"name": "conv", "conv": {"filters": 4, "kernel": 1, "groups": 2}}
WORK = workload(Network((2, 1, 1), [CONV, *linear_chain(3)]))
SHARES = {"root": Fraction(2, 3), "1": Fraction(3, 4)}
WORDS = {"conv": "dd", "fc1": "mo"}
KINDS = kind_of("fast", rate=3, capacity=1000), kind_of("slow", rate=1, capacity=1000)
SETTING = setting_of(array_of((0, 0, 0, 1), KINDS), size=2)
RULES = MixedRules("dmon", WholeShares(12), {})


def fault(words=WORDS, shares=SHARES, setting=SETTING, told=RULES.shares, fix=RULES.fix, divisible=RULES.divisible):
    rules = replace(RULES, shares=told, fix=fix, divisible=divisible)
    return fault_of(WORK, {**WORDS, **words}, shares, setting, rules)


def test_a_plan():
    assert fault() is None
    assert fault({"fc1": "nm"}, fix={"fc1": "n."}) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"fc1": "d"}, "layer 'fc1' has 'd', expected 2 letters of 'dmon'"),
        ({"conv": "od"}, "layer 'conv' has 'od', expected 2 letters of 'dmn' with 2 groups"),
        ({"conv": "mm"}, "layer 'conv' has 'mm', expected m at most once, as it halves the 2 groups"),
        ({"fc1": "dn"}, "layer 'fc1' has 'dn', and no 'n' can stand at level 2: some groups there have like halves"),
        ({"fc2": "dd"}, "the plan has a layer 'fc2', the instance has none"),
    ],
)
def test_words(words, expected):
    assert fault(words) == expected


def test_words_where_all_groups_have_like_halves():
    like = setting_of(array_of((0, 1, 0, 1), KINDS))
    expected = "layer 'fc1' has 'nd', and no 'n' can stand at level 1: all groups there have like halves"
    assert fault({"fc1": "nd"}, {"0": HALF}, like) == expected


def test_words_that_are_given():
    assert fault(fix={"fc1": ".d"}) == "layer 'fc1' has 'mo', the instance gives '.d'"
    assert fault_of(WORK, {"conv": "dd"}, SHARES, SETTING, RULES) == "the plan has no strategy for layer 'fc1'"


def test_parts_of_elements():
    """Of a batch of 8 three quarters are whole, and a half of the rest is; a half that idles has nothing to divide."""
    shares, words = {"root": Fraction(3, 4), "1": HALF}, {"conv": "dd", "fc1": "nd"}
    assert fault(words, shares, divisible=True) is None
    assert fault(words, SHARES, divisible=True) == (
        "layer 'conv' has 'dd', and of its batch of 8 a half at level 1 gets 16/3"
    )
    assert fault({**words, "fc1": "do"}, shares, divisible=True) == (
        "layer 'fc1' has 'do', and of its output of 3 a half at level 2 gets 3/2"
    )


@pytest.mark.parametrize(
    ("shares", "told", "expected"),
    [
        ({"root": HALF}, ExactShares(), "the plan has no share of split '1'"),
        ({**SHARES, "0": HALF}, ExactShares(), "the plan has a share of split '0', the array has 'root', '1'"),
        (
            {"root": Fraction(1), "1": HALF},
            ExactShares(),
            "split 'root' has share 1, expected a number between 0 and 1, both left out",
        ),
        (SHARES, WholeShares(3), "split '1' has share 0.75, expected so many of 3 equal parts"),
        (SHARES, GivenShares((Fraction(2, 3), HALF)), "split '1' has share 0.75, the instance gives 1/2"),
        (SHARES, GivenShares((Fraction(2, 3), Fraction(3, 4))), None),
        ({"root": Fraction(1, 7), "1": HALF}, ExactShares(), None),
    ],
)
def test_shares(shares, told, expected):
    assert fault(shares=shares, told=told) == expected


def test_memory():
    """2 x 4 weights and 16 x 1/12 inputs of conv, 1/3 of 2 x 12 x 1/4 weights and 32 inputs of fc1, two bytes each."""
    small = setting_of(array_of((0, 0, 0, 1), (KINDS[0], kind_of("slow", capacity=40))), size=2)
    assert fault(setting=small) == "the plan needs 44 bytes on every accelerator of kind 'slow', which has 40"
    few = setting_of(array_of((0, 0, 0, 1), (kind_of("fast", rate=3, capacity=40), KINDS[1])), size=2)
    begin, end = fault(setting=few).split(" bytes on every ")
    assert (begin.startswith("the plan needs "), end) == (
        True, "accelerator of kind 'fast' in class 'fast:0', which has 40",
    )  # fmt: skip


def test_what_no_array_of_several_kinds_is_judged_by():
    with pytest.raises(ValueError, match="accounting 'leaf-exact' on several kinds, expected one of published"):
        setting_of(SETTING.array, accounting="leaf-exact")
    chip = replace(KINDS[1].accelerator, model="row-stationary")
    array = array_of((0, 1), (KINDS[0], replace(KINDS[1], accelerator=chip)))
    with pytest.raises(ValueError, match="kind 'slow' has model 'row-stationary', expected one of as-evaluated, peak"):
        setting_of(array)
    passed = replace(WORK, boundaries=tuple(replace(edge, is_skip=True) for edge in WORK.boundaries))
    with pytest.raises(ValueError, match="sums as released"):
        communication_bytes(passed, WORDS, SHARES, SETTING)
