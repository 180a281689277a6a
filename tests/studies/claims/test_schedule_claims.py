"""Claims about schedules of pipelines."""

from __future__ import annotations

import pytest

from hypar_opt.studies.claims import audit, read_claims
from hypar_opt.util.errors import InputError

SAID = {
    "rule": "gpipe",
    "quantity": "bubble",
    "stages": [4],
    "microbatches": [4, 12],
    "equals": "(K - 1) / (M + K - 1)",
}


def claim(**fields):
    said = {**SAID, **fields}
    return {"schedule": {key: value for key, value in said.items() if value is not None}}


DEVIANT = {
    "less-bubble-without-stale": "refuted",
    "gpipe-more-than-whole": "refuted",
    "pipedream-no-bubble-uneven": "refuted",
    "pipedream-accuracy": "not reproducible",
}


def test_of_the_slides_what_is_read_literally_does_not_hold():
    rows = audit(read_claims("oxml-2022").only([*DEVIANT, "bubble-of-one"]).claims)
    assert {row.claim.id: row.verdict.value for row in rows} == {**DEVIANT, "bubble-of-one": "confirmed"}


@pytest.mark.slow
def test_all_else_that_the_slides_say_of_pipelines_holds():
    rows = audit(read_claims("oxml-2022").claims)
    verdicts = {row.claim.id: row.verdict.value for row in rows if row.claim.kind in ("schedule", "unmodelled")}
    assert len(verdicts) == 18
    assert {name: verdict for name, verdict in verdicts.items() if verdict != "confirmed"} == DEVIANT


@pytest.mark.parametrize(
    ("fields", "recomputed", "why"),
    [
        ({}, "1/5 (K = 4, M = 12)", ""),
        ({"equals": "0"}, "1/5 (K = 4, M = 12)", "in 2 of 2 cases it is not: 3/7 (K = 4, M = 4), expected 0"),
        (
            {"quantity": "activations", "equals": None, "more_than": "1f1b", "stages": [2], "microbatches": [1, 3]},
            "3, 3 (K = 2, M = 3)",
            "in 1 of 2 cases it is not: 1, 1 (K = 2, M = 1), 1f1b has 1, 1",
        ),
        (
            {"rule": "pipedream", "quantity": "staleness", "equals": "min(M, K - s + 1) - 1", "microbatches": [2, 8]},
            "3, 2, 1, 0 (K = 4, M = 8)",
            "",
        ),
        ({"rule": "1f1b", "quantity": "staleness", "equals": "0"}, "0", ""),
        (
            {"rule": "pipedream", "quantity": "versions", "stages": [3], "equals": "min(M, K - s + 1)"},
            "3, 2, 1 (K = 3, M = 12)",
            "",
        ),
        ({"rule": "gpipe", "quantity": "versions", "stages": [3], "equals": "1"}, "1", ""),
        (
            {"equals": None, "trend": "rises"},
            "1/5 (K = 4, M = 12)",
            "in 1 of 1 step it is not: 1/5 (K = 4, M = 12), with M = 4 3/7",
        ),
        (
            {"rule": "pipedream", "stages": None, "seconds": ["1", "3"], "equals": "0"},
            "1/3",
            "in 2 of 2 cases it is not: 1/3 (K = 2, M = 4), expected 0",
        ),
    ],
)  # fmt: skip
def test_a_statement_is_judged_in_every_case(write, fields, recomputed, why):
    (row,) = audit(read_claims(write(claim(**fields))).claims)
    assert (row.judgement.recomputed, row.judgement.why) == (recomputed, why)
    assert row.verdict.value == ("refuted" if why else "confirmed")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"equals": None}, "claims[0].schedule: expected one of equals, trend, more_than, got none"),
        ({"trend": "falls"}, "claims[0].schedule: expected one of equals, trend, more_than, got equals and trend"),
        ({"stages": None}, "claims[0].schedule: expected one of stages, seconds, got none"),
        ({"seconds": ["1"]}, "claims[0].schedule: expected one of stages, seconds, got both"),
        ({"rule": "gpip"}, "claims[0].schedule.rule: expected 'gpipe'"),
        ({"equals": "(K - 1)"}, "claims[0].schedule.equals: expected '0'"),
        ({"rule": "interleaved"}, "claims[0].schedule.chunks: 'interleaved' is of several stages a device"),
        ({"chunks": 2}, "claims[0].schedule.chunks: 'gpipe' is of one stage a device"),
        ({"rule": "interleaved", "chunks": 2, "microbatches": [6]}, "claims[0].schedule.microbatches: expected"),
        ({"stages": [64], "microbatches": [1024]}, "claims[0].schedule.microbatches: at most 4,096"),
        ({"equals": None, "trend": "falls", "microbatches": [4]}, "claims[0].schedule.microbatches: expected at least"),
        ({"equals": None, "more_than": "gpipe"}, "claims[0].schedule.more_than: expected another"),
        (
            {"stages": None, "seconds": ["1", "1", "1"], "rule": "interleaved", "chunks": 2},
            "claims[0].schedule.chunks: 2 do not divide",
        ),
    ],
)  # fmt: skip
def test_statements_that_say_nothing_are_refused(write, fields, message):
    with pytest.raises(InputError) as caught:
        read_claims(write(claim(**fields)))
    assert message in str(caught.value)


def test_it_is_of_no_instance(write):
    with pytest.raises(InputError) as caught:
        read_claims(write({"instance": "small.json", **claim()}))
    assert "claims[0].instance: 'schedule' is about no instance; expected none" in str(caught.value)


def test_what_no_model_has_is_not_reproducible(write):
    (row,) = audit(read_claims(write({"unmodelled": {"what": "accuracy"}})).claims)
    assert (row.verdict.value, row.judgement.why) == ("not reproducible", "no model here says anything of accuracy")
