"""What an instance says of bits: each message, what bits do not go with, and hashes without them."""

from __future__ import annotations

import json

import pytest

from hypar_opt.instance import Instance
from hypar_opt.instance.read import load
from hypar_opt.util.errors import InputError
from tests.helpers import document, instance_of, linear_chain

BITS = {"bits": [8, 32], "sensitivities": {"fc1": {"gradient": [5, 0]}, "fc2": {"all": [3, 1]}}}


def whole(changes=(), **more):
    """Return two layers with bits, some fields of which are changed."""
    return document(linear_chain(6, 4), [4]) | {"precision": BITS | dict(changes)} | more


@pytest.mark.parametrize(
    ("changes", "more", "message"),
    [
        ({"bits": [32, 8]}, {}, "precision.bits: expected each number of bits once, the fewest first, got 8 too late"),
        ({"bits": []}, {}, "precision.bits: expected a list that is not empty"),
        ({"bits": [8, 64]}, {}, "precision.bits[1]: expected at most 32 bits, as many as 4 bytes have, got 64"),
        ({"bits": [8, 16, 32]}, {}, "expected 3 errors of gradient of 'fc1', one for each of 8, 16, 32 bits, got 2"),
        ({"sensitivities": {}}, {}, "precision.sensitivities: expected errors of a layer, got none"),
        ({"sensitivities": {"fc1": {}}}, {}, "expected errors of gradient, feature-map, error, or of all together"),
        (
            {"sensitivities": {"fc1": {"weights": [1, 0]}}},
            {},
            "expected gradient, feature-map, error or all, got 'weights'",
        ),
        ({"sensitivities": {"fc1": {"all": [1, 0], "error": [1, 0]}}}, {}, "got error beside it"),
        ({"sensitivities": {"fc1": {"all": [-1, 0]}}}, {}, "expected a number of at least 0, got -1"),
        ({"sensitivities": {"fc3": {"all": [1, 0]}}}, {}, "'fc3' is no layer with weights"),
        ({"limits": {"fc9": 1}}, {}, "precision.limits.fc9: 'fc9' has no sensitivities; did you mean"),
        (
            {"limits": {"fc2": 0.5}},
            {},
            "precision.limits.fc2: needs at least 1, the least errors of 'fc2', and has 0.5; give it more",
        ),
        (
            {},
            {"subject_to": {"rounding-error": 0.5}},
            "subject_to.rounding-error: needs at least 1, the least errors of all layers ('fc2' 1), and has 0.5",
        ),
        (
            {"bits": [8, 16]},
            {"subject_to": {"rounding-error": 0.5}},
            "give it more, or 32 among precision.bits",
        ),
        ({"packing": -1}, {}, "precision.packing: expected a number of at least 0"),
        ({"packing": 1}, {}, "array.accelerator: missing, and packing needs it"),
        ({"pack": 1}, {}, "precision.pack: unknown field"),
        ({}, {"cost": {"accounting": "collective"}}, "where bits are chosen, got collective"),
        ({}, {"microbatches": 2}, "expected layers on the whole array where bits are chosen, got stages"),
        ({}, {"objective": {"product": ["communication", "rounding-error"]}}, "objective: expected a sum"),
        ({}, {"objective": {"sums": 1}}, "expected communication where bits are chosen, got sums"),
        ({}, {"objective": {"hop-bytes": 1}}, "array.placement: expected a placement that is given where bits"),
    ],
)
def test_each_message(changes, more, message):
    with pytest.raises(InputError) as caught:
        instance_of(whole(changes, **more))
    every = "\n".join([str(caught.value), *map(str, caught.value.others)])
    assert message in every


def test_tables_that_would_be_too_large():
    errors = {name: [3, 2, 1, 0] for name in ("gradient", "feature-map", "error")}
    big = document(linear_chain(64), [64], batch=64, levels=6)
    big["precision"] = {"bits": [8, 16, 24, 32], "sensitivities": {"fc1": errors}}
    with pytest.raises(InputError, match="got 64 words x 64 ways to send; try all instead"):
        instance_of(big)


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("lenet-c", {"objective": "rounding-error"}, "missing, and rounding-error needs it: sensitivities"),
        ("lenet-c", {"at_most": "rounding-error=1"}, "missing, and rounding-error needs it: sensitivities"),
    ],
)
def test_errors_without_bits(name, more, message):
    with pytest.raises(InputError, match=message):
        load(name, **more)


def test_on_axes_bits_are_no_choice(tmp_path):
    path = tmp_path / "bits.json"
    path.write_text(json.dumps(whole()), encoding="utf-8")
    with pytest.raises(
        InputError, match="precision: expected layers that are split in halves where bits are chosen, got"
    ):
        load(path, axes="x=2")


def test_without_bits_hashes_are_as_they_were():
    plain = instance_of(document(linear_chain(6, 4), [4]))
    assert plain.precision is None
    assert "precision" not in plain.to_dict()
    bits = instance_of(whole())
    assert Instance.from_dict(bits.to_dict()).sha256 == bits.sha256 != plain.sha256
    assert bits.changed(precision=None).sha256 == bits.sha256  # which is of the file
    assert "&" not in bits.to_yaml()


def test_a_budget_for_one_run():
    bits = instance_of(whole(), at_most="rounding-error=3")
    assert bits.bounds == {"rounding-error": 3}
    with pytest.raises(InputError, match="needs at least 1, the least errors of all layers"):
        bits.replace(at_most="rounding-error=0")
