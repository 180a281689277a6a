"""Geometric means of what other claims print: they stand if those do."""

from __future__ import annotations

import json

import pytest

from hypar_opt.studies.claims import audit, read_claims

TRUE = {"instance": "machine.json", "performance_gain": {"formulation": "hypar-dp", "over": "data-parallel"}}


def gain(value, **more):
    return {**TRUE, "performance_gain": {**TRUE["performance_gain"], "value": value, **more}}


def mean(value, *ids, **more):
    return {"instance": "machine.json", "mean_of": {"value": value, "claims": list(ids), **more}}


@pytest.fixture
def last(write):
    """Return a function that judges several claims and returns the last row."""
    return lambda *claims: audit(read_claims(write(*claims)).claims)[-1]


@pytest.mark.parametrize(
    ("value", "verdict"), [("1.65", "refuted"), ("1.66", "confirmed"), ("1.71", "confirmed"), ("1.72", "refuted")]
)
def test_a_mean_of_confirmed_numbers(last, value, verdict):
    """1.665 to 1.675 and 1.65 to 1.75 are meant, so that their mean is 1.6575 to 1.7121."""
    row = last(gain("1.67"), gain("1.7"), mean(value, "c0", "c1"))
    assert row.verdict == verdict
    assert row.judgement.recomputed == "1.6849"
    assert row.judgement.evidence == "the geometric mean of 2 printed numbers"


def test_a_mean_stands_no_better_than_its_parts(last):
    row = last(gain("1.67"), gain("1.60"), mean("1.63", "c0", "c1"))
    assert (row.verdict, row.judgement.recomputed) == ("not reproducible", "1.6346")
    assert row.judgement.why == "it is the geometric mean of 2 printed numbers, of which 1 are not confirmed"
    assert row.judgement.details == {"parts": {"c0": "confirmed", "c1": "refuted"}}
    assert last(gain("1.67"), gain("1.60"), mean("1.9", "c0", "c1")).verdict == "refuted"


def test_a_mean_that_is_not_what_is_printed(last):
    row = last(gain("1.67"), mean("1.7", "c0", within="0.01"))
    assert row.verdict == "confirmed"
    row = last(gain("1.67"), mean("1.72", "c0"))
    assert (row.verdict, row.judgement.why) == (
        "refuted",
        "the geometric mean of 1 printed numbers does not give it",
    )
    assert last(gain("1.67"), mean("1.72", "c0", within="4 %")).verdict == "confirmed"


def test_a_part_that_is_settled_early_and_one_that_is_undecided(last, write):
    nothing = {**gain("1.67"), "instance": "small.json"}  # which has no machine
    assert last(nothing, mean("1.67", "c0")).verdict == "not reproducible"
    stuck = {"instance": "graph.json", "total": {"formulation": "hypar-dp", "communication_GB": "1.67"}}
    assert last(stuck, mean("1.67", "c0")).verdict == "undecided"


def test_a_mean_judged_alone_judges_its_parts(write):
    claims = read_claims(write(mean("1.67", "c1"), gain("1.67"))).only(["c0"])
    (row,) = audit(claims.claims)
    assert row.verdict == "confirmed"


def test_a_claim_is_judged_once(write, monkeypatch):
    from hypar_opt.studies.claims import auditor as evaluators

    calls = []
    real = evaluators.EVALUATORS["performance_gain"]
    counted = {**evaluators.EVALUATORS, "performance_gain": lambda *a: calls.append(1) or real(*a)}
    monkeypatch.setattr(evaluators, "EVALUATORS", counted)
    rows = audit(read_claims(write(gain("1.67"), mean("1.67", "c0"), mean("1.7", "c0"))).claims)
    assert (len(rows), len(calls)) == (3, 1)
    assert json.dumps(dict(rows[1].judgement.details)) == '{"parts": {"c0": "confirmed"}}'
