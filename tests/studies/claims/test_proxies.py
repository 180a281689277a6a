"""Proxies: on the row-stationary machine the plan of AlexNet with least communication takes 0.57 % more energy."""

from __future__ import annotations

import pytest

from hypar_opt.formulation.run import Limits
from hypar_opt.studies.claims import plans as evidence

ROW = {
    "instances": ["lenet-c", "alexnet"],
    "overrides": {"accounting": "as-evaluated", "array": "hypar-row-stationary-16"},
}
HERE = {"instances": ["machine.json", "pair.json"]}


@pytest.mark.parametrize(("of", "by"), [("time", "communication"), ("energy", "communication"), ("time", "energy")])
def test_a_proxy(judge, of, by):
    row = judge({**HERE, "proxy": {"of": of, "by": by}})
    assert (row.verdict, row.judgement.recomputed) == ("confirmed", "2 of 2")
    assert [one["gap"] for one in row.judgement.details["pairs"]] == ["0.000000%", "0.000000%"]
    assert row.claim.statement.says == f"least {by}: the least {of}"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("within", "far"), [(None, 2), ("0.04 %", 2), ("0.05 %", 1), ("0.5 %", 1), ("0.6 %", 0), ("1 %", 0)]
)
def test_as_near_as_the_claim_says_and_the_worst_gap(judge, within, far):
    row = judge({**ROW, "proxy": {"of": "energy", **({"within": within} if within else {})}})
    assert row.verdict == ("refuted" if far else "confirmed")
    assert row.judgement.recomputed == f"{2 - far} of 2, at worst 0.57% above it (alexnet)"
    said = {2: "lenet-c 0.05%, alexnet 0.57%", 1: "alexnet 0.57%", 0: ""}[far]
    why = f"plans with the least communication have more energy than the best plan: {said}"
    assert row.judgement.why == (why if far else "")
    assert row.claim.statement.says.endswith(f"within {within} of the least energy" if within else "the least energy")


def test_ties_are_broken_for_the_claim(judge):
    """All plans have the same compute-time, so that those with the least of it include the fastest."""
    assert judge({**HERE, "proxy": {"of": "time", "by": "compute-time"}}).verdict == "confirmed"


def test_without_a_second_proof_it_is_undecided(judge, monkeypatch):
    monkeypatch.setattr(
        "hypar_opt.studies.claims.plans.optimum", lambda *_, **__: evidence.Optimum(None, None, "nobody knows")
    )
    row = judge({**HERE, "proxy": {"of": "time"}})
    assert row.verdict == "undecided"
    assert row.judgement.why.endswith("it is not proven that there is none: nobody knows")


def test_without_any_proof_it_is_undecided(judge):
    row = judge({**HERE, "proxy": {"of": "time"}}, limits=Limits(memory_bytes=10))
    assert (row.verdict, row.judgement.recomputed) == ("undecided", "-")


def test_without_any_plan_there_is_nothing_to_judge(judge):
    machine = {"topology": "h-tree", "levels": 1, "placement": "identity", "link": {"bandwidth": 1},
               "accelerator": {"model": "as-evaluated", "rate": 1}}  # fmt: skip
    row = judge({"instance": "odd.json", "overrides": {"array": machine}, "proxy": {"of": "time"}})
    assert row.verdict == "not reproducible"
    assert row.judgement.why.startswith("there is no plan to judge: ")
