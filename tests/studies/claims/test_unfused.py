"""What as-evaluated stands for: reduce-scatters, and an all-to-all a level."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest
from helpers import document, linear_chain, problem_of

from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.claims import judge_collectives
from hypar_opt.studies.claims.judge_collectives import difference
from tests.helpers import each


def both(whole):
    """Return a document's problem under as-evaluated and under collective."""
    names = "as-evaluated", "collective"
    return [problem_of({**whole, "cost": {**whole["cost"], "accounting": name}}) for name in names]


@each("seed", range(40), quick=10)
def test_the_formula_is_the_difference_on_random_chains(seed):
    rng = Random(seed)
    features = [rng.choice((1, 2, 3, 8, 40)) for _ in range(rng.randint(1, 5))]
    levels = rng.randint(1, 5)
    one, other = both(document(linear_chain(*features), [5], batch=rng.choice((1, 16)), levels=levels))
    words = {layer.name: "".join(rng.choices("dm", k=levels)) for layer in one.work.layers}
    found = difference(one, other, words)
    assert found.holds and found.pooled == 0


def test_three_levels_from_dp_to_mp_save_five_quarters_of_the_map():
    one, other = both(document(linear_chain(8, 8), [8], batch=8, levels=3))
    found = difference(one, other, {"fc1": "ddd", "fc2": "mmm"})
    assert found.fused == Fraction(5, 4) * 8 * 8 * one.instance.bytes_per_element == found.counted


@pytest.mark.parametrize("name", ["sconv", "lenet-c"])
def test_in_front_of_pools_the_sums_are_of_a_smaller_map(name):
    one, other = (NetworkProblem(load(name, accounting=how)) for how in ("as-evaluated", "collective"))
    found = difference(one, other, dict.fromkeys((layer.name for layer in one.work.layers), "mmmm"))
    assert found.holds and found.pooled > 0 == found.fused


def test_a_claim_of_it_is_confirmed_with_the_formulations_own_difference(judge):
    row = judge({"instances": ["sfc", "lenet-c"], "unfused": {"formulation": "hypar-dp", "plans": 3}})
    assert (row.verdict, row.judgement.recomputed) == ("confirmed", "2 of 2")
    assert [one["plans"] for one in row.judgement.details["differences"]] == [4, 4]
    assert row.claim.statement.says == "the formula's difference, to the byte"


def test_another_formula_is_refuted(judge, monkeypatch):
    monkeypatch.setattr(judge_collectives, "_saved", lambda *_: Fraction(1))
    row = judge({"instance": "sfc", "unfused": {"formulation": "hypar-dp", "plans": 1}})
    assert (row.verdict, row.judgement.recomputed) == ("refuted", "0 of 1")
    assert "sfc, as-evaluated, batch 256, H = 4: a plan differs by " in row.judgement.why


def test_of_groups_nothing_is_known(judge, tmp_path):
    conv = {"name": "conv1", "conv": {"filters": 4, "kernel": 3, "groups": 2}}
    whole = document([conv, {"name": "fc1", "linear": {"features": 4}}], [4, 8, 8], batch=4, levels=1)
    (tmp_path / "grouped.json").write_text(json.dumps({**whole, "name": "grouped"}))
    row = judge({"instance": "grouped.json", "unfused": {"formulation": "joint-dp"}})
    assert row.verdict == "not reproducible"
    assert row.judgement.why.endswith("the formula is of chains of dp and mp without groups")
