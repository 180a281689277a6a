"""Claims about two plans of one instance, about a plan's collectives, and about printed formulae."""

from __future__ import annotations

import pytest

from hypar_opt.studies.claims import audit, read_claims
from hypar_opt.util.errors import InputError

# of four layers of 8 features by four accelerators, in units of three maps: three all-gathers and four all-reduces,
# which count twice, are 11; four all-reduces alone are 8
ALL, TURNS = {"in_turn": ["o"]}, {"in_turn": ["o", "m"]}
SMALL = {"instance": "wide.json"}
RATIO = {"plan": TURNS, "over": ALL}
FORMULA = {"batch": 16, "widths": [8, 4, 2], "grids": [[1, 2], [4, 2], [8, 1]]}


@pytest.mark.parametrize(
    ("claim", "recomputed", "verdict", "why"),
    [
        ({**SMALL, "plan_ratio": {**RATIO, "percent": "73"}}, "72.73 %", "confirmed", ""),
        ({**SMALL, "plan_ratio": {**RATIO, "times": "0.73"}}, "0.7273 times", "confirmed", ""),
        (
            {**SMALL, "plan_ratio": {**RATIO, "percent": "50"}},
            "72.73 %",
            "refuted",
            "does not round to what is printed",
        ),
        ({**SMALL, "plan_ratio": {**RATIO, "of": "collectives", "times": "0.571"}}, "0.57143 times", "confirmed", ""),
        ({**SMALL, "collectives": {"plan": ALL, "count": 7}}, "7", "confirmed", ""),
        ({**SMALL, "collectives": {"plan": ALL, "count": 6}}, "7", "refuted", "7 are needed"),
        ({**SMALL, "collectives": {"plan": ALL, "kind": "all-gather", "count": 3}}, "3", "confirmed", ""),
        ({**SMALL, "collectives": {"plan": TURNS, "layers": ["fc2", "fc3"], "count": 2}}, "2", "confirmed", ""),
        ({**SMALL, "collectives": {"plan": ALL, "layers": ["fc2", "fc3"], "count": 4}}, "4", "confirmed", ""),
        ({**SMALL, "collectives": {"plan": {"others": "mm"}, "phase": "gradient", "count": 0}}, "0", "confirmed", ""),
        ({"formula": {**FORMULA, "formula": "data-parallel"}}, "equal on 3 of 3", "confirmed", ""),
        (
            {"formula": {**FORMULA, "formula": "data-beside-model"}},
            "equal on 0 of 3",
            "refuted",
            "1 x 2: 80 bytes, the plan moves 320; an all-reduce counts twice, as it does in T(batch): model "
            "parallelism is less from d = 1.5 B on, not 3 B",
        ),
        ({"formula": {**FORMULA, "formula": "model-inputs", "reading": "corrected"}}, None, "confirmed", ""),
    ],
)  # fmt: skip
def test_what_is_stated_is_recounted(judge, claim, recomputed, verdict, why):
    row = judge(claim)
    assert (row.verdict.value, row.judgement.why) == (verdict, why)
    assert recomputed is None or row.judgement.recomputed == recomputed


def test_a_formulation_s_plan_beside_one_that_is_spelt(judge):
    said = {"plan": {"formulation": "joint-dp"}, "over": {"strategies": {"fc1": "oo"}, "others": "mo"}, "times": "0.4"}
    row = judge({**SMALL, "plan_ratio": said})
    own, other = map(int, row.judgement.details["values"])
    assert own < other
    assert row.judgement.details["plans"]["over"] == {"fc1": "oo", "fc2": "mo", "fc3": "mo", "fc4": "mo"}
    assert row.judgement.evidence.startswith("joint-dp over fc1 oo, others mo:")


def test_a_plan_that_moves_nothing_is_no_measure(judge):
    claim = {"instance": "wide.json", "overrides": {"levels": 0}}
    row = judge({**claim, "plan_ratio": {"plan": {"others": ""}, "over": {"others": ""}, "times": "1"}})
    assert (row.verdict.value, row.judgement.why) == (
        "not reproducible", "the plan that it is compared with has no bytes",
    )  # fmt: skip


def test_plans_compute_as_much_where_every_letter_halves_a_layer(judge):
    said = {"plan": {"in_turn": ["d", "m"]}, "over": {"in_turn": ["d"]}, "of": "computing", "times": "1"}
    assert judge({"instance": "pair.json", "plan_ratio": said}).verdict.value == "confirmed"


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({**SMALL, "plan_ratio": RATIO}, "plan_ratio: expected one of times, percent, got none"),
        ({**SMALL, "plan_ratio": {**RATIO, "times": "1", "percent": "1"}}, "expected one of times, percent, got both"),
        ({**SMALL, "plan_ratio": {**RATIO, "times": "~1"}}, "'~1' was read off an axis"),
        (
            {**SMALL, "collectives": {"plan": {}, "count": 1}},
            "collectives.plan: expected a formulation, in_turn, or strategies and others, got none",
        ),
        (
            {**SMALL, "collectives": {"plan": {"in_turn": ["o"], "others": "oo"}, "count": 1}},
            "in_turn, or strategies and others, got several",
        ),
        (
            {**SMALL, "collectives": {"plan": {"in_turn": ["ooo"]}, "count": 1}},
            "collectives.plan: fc1: expected 2 letters",
        ),
        ({**SMALL, "collectives": {"plan": {"in_turn": ["x"]}, "count": 1}}, "collectives.plan: fc1:"),
        (
            {**SMALL, "collectives": {"plan": {"strategies": {"fc1": "oo"}}, "count": 1}},
            "no strategy for layer 'fc2'; list it, or give a word for all others",
        ),
        (
            {**SMALL, "collectives": {"plan": {"strategies": {"fc9": "oo"}, "others": "oo"}, "count": 1}},
            "'fc9' is no layer of wide that has a strategy; did you mean",
        ),
        (
            {**SMALL, "collectives": {"plan": {"formulation": "joint-dq"}, "count": 1}},
            "collectives.plan.formulation: no formulation",
        ),
        (
            {**SMALL, "collectives": {"plan": ALL, "layers": ["fc0"], "count": 1}},
            "collectives.layers[0]: 'fc0' is no layer of wide",
        ),
        ({"instances": ["wide.json", "small.json"], "plan_ratio": {**RATIO, "times": "1"}}, "about one instance"),
        ({**SMALL, "formula": {**FORMULA, "formula": "ring"}}, "'formula' is about no instance"),
        ({"formula": {**FORMULA, "formula": "ring-rounds"}}, "formula.formula: no plan of layers has what 'ring-"),
        (
            {"formula": {**FORMULA, "formula": "ring", "grids": [[2, 2], [3, 1]]}},
            "formula.grids[1]: expected two powers of two, at most 1,024 processes, got 3 x 1",
        ),
    ],
)  # fmt: skip
def test_statements_that_cannot_be_judged_are_refused(write, claim, message):
    with pytest.raises(InputError) as caught:
        read_claims(write(claim))
    assert message in str(caught.value)


FORMULAE_REFUTED = {
    "formula-gathers", "formula-errors", "formula-model", "formula-data-beside-model", "formula-integrated",
    "formula-server-time",
}  # fmt: skip
ALTSPLIT = {
    "altsplit-half-3": ("refuted", "46.73 %"),
    "altsplit-half-5": ("refuted", "54.51 %"),
    "altsplit-half-reduced": ("refuted", "66.69 %"),
    "altsplit-less-reduced": ("refuted", "100 %"),
    "altsplit-fourth": ("refuted", "100 %"),
    "altsplit-more-computing": ("refuted", "100 %"),
    "altsplit-best-of-two": ("confirmed", "143,695,872 bytes"),
    "altsplit-best-of-64": ("refuted", "better: 2,583,357,440 bytes"),
    "altsplit-pair": ("confirmed", "2"),
    "baseline-pair": ("confirmed", "4"),
    "altsplit-collectives": ("confirmed", "3"),
    "baseline-collectives": ("confirmed", "6"),
}
QUICK = {"altsplit-half-3", "altsplit-collectives", "altsplit-fourth"}


def test_the_slides_formulae():
    claims = [one for one in read_claims("oxml-2022").claims if one.kind in ("formula", "collectives")]
    found = audit(claims)
    assert len(found) == 20
    assert {row.claim.id for row in found if row.verdict.value != "confirmed"} == FORMULAE_REFUTED
    grids = {row.claim.id: row.judgement.recomputed for row in found}
    assert grids["formula-integrated-read"] == "equal on 27 of 27"


@pytest.mark.parametrize("ids", [QUICK, pytest.param(ALTSPLIT.keys() - QUICK, marks=pytest.mark.slow)])
def test_altsplit_s_claims(ids):
    found = audit(read_claims("thesis-bsc-2019").only(sorted(ids)).claims)
    assert {row.claim.id: (row.verdict.value, row.judgement.recomputed) for row in found} == {
        name: ALTSPLIT[name] for name in ids
    }
