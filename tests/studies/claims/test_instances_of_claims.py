"""Instances whose plans are more than words, of which claims say nothing: refused, and not judged as if plain."""

from __future__ import annotations

import json

import pytest
from helpers import document, linear_chain

from hypar_opt.studies.claims import read_claims
from hypar_opt.util.errors import InputError

LINKED = {"topology": "h-tree", "levels": 1, "placement": "identity", "link": {"bandwidth": 1}}
PEAK = {"model": "peak", "rate": 1}
KINDS = [{"kind": name, "count": 1, "bandwidth": 1, "accelerator": PEAK} for name in "ab"]
SAID = {
    "bits": (
        {"precision": {"bits": [8, 32], "sensitivities": {"fc1": {"gradient": [1, 0]}}}},
        "expected layers that send all in full, got a choice of bits",
    ),
    "stages": (
        {"microbatches": 2, "objective": {"time": 1}, "array": LINKED | {"accelerator": PEAK}},
        "expected layers on the whole array, got a network that is put into stages",
    ),
    "kinds": (
        {"objective": {"time": 1}, "array": {"topology": "h-tree", "levels": 1, "accelerators": KINDS}},
        "expected accelerators of one kind, got an array of several",
    ),
}
STATEMENTS = (
    {"total": {"formulation": "joint-dp", "communication_bytes": "1"}},
    {"optimal": {"formulation": "joint-dp"}},
    {"collectives": {"plan": {"in_turn": ["d"]}, "count": 1}},
)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: next(iter(one)))
@pytest.mark.parametrize("name", SAID)
def test_plans_that_are_more_than_words(write, tmp_path, name, statement):
    more, message = SAID[name]
    path = tmp_path / "more.json"
    path.write_text(json.dumps(document(linear_chain(8, 4), [8], batch=4) | more), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_claims(write({"instance": "more.json", **statement}))
    assert "claims[0].instance: " in str(caught.value)
    assert message in str(caught.value)
