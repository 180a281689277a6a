"""What DTensor moves by exported placements; without PyTorch, what its process is told."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from exported import CHAIN, LENET, TRANSFORMER, instance_of, random_step, step_of

from hypar_opt.count.comparison import Line
from hypar_opt.count.torch.job import job_of, sources
from hypar_opt.count.torch.reasons import APART, NESTED, ONE_BY_ONE, OWN_RULE, explained
from hypar_opt.export.mesh_order import mesh_order
from hypar_opt.util.errors import MissingPackage, Refusal
from hypar_opt.util.extras import installed
from reports.operators import dtensor
from tests.helpers import each

EINSUM = {"name": "mix", "einsum": {
    "equation": "batch sequence in, heads out in -> batch heads sequence out", "bias": True,
    "sizes": {"heads": 4, "out": 8},
}}  # fmt: skip
NORMED = {"input": [4, 8, 8], "layers": [
    {"name": "conv", "conv": {"filters": 8, "kernel": [3], "pad": [1]}}, {"name": "norm", "norm": {"kind": "batch"}},
    {"name": "act", "activation": {}},
]}  # fmt: skip
WORDS = {"conv1": "batch batch", "pool1": "batch batch", "conv2": "batch out", "pool2": "batch channels",
         "fc1": "batch in", "fc2": "batch out"}  # fmt: skip
"""Of Lenet-c, a word of each operator."""
UNTIED = TRANSFORMER | {
    "layers": [one if one["name"] != "head" else {"name": "head", "linear": {"features": 24}}
               for one in TRANSFORMER["layers"]]
}  # fmt: skip


def test_what_the_process_is_told():
    job = job_of(step_of(instance_of(LENET, 8, a=2, b=2), WORDS), "plan.py")
    by_name = {one["name"]: one for one in job["operators"]}
    assert by_name["fc1"]["views"] == [[("flatten", [])]]
    assert by_name["pool1"]["fields"] == {"of": "max", "kernel": (2, 2), "stride": (2, 2), "pad": [0, 0], "ceil": False}
    assert (by_name["conv1"]["read_by"], by_name["fc2"]["read_by"]) == ("pool1", "")
    assert [one["name"] for one in job["operators"] if one["is_end"]] == ["fc2"]
    assert job["inputs"] == {"input": {"sizes": [8, 1, 28, 28], "below": None}}


def test_every_conversion_has_a_name():
    step = random_step(instance_of(UNTIED, 8, a=2, b=2), 3)
    known = set(sources(step).values())
    assert {(one.tensor, one.phase, one.reader) for one in step.movements} <= known


def test_what_several_train_is_refused():
    with pytest.raises(Refusal, match=r"'embed.weight' is trained by several operators"):
        job_of(random_step(instance_of(TRANSFORMER, 8, a=2, b=2), 1), "plan.py")


def test_an_einsum_is_told_in_letters():
    network = {"input": {"sequence": 8, "features": 16}, "layers": [EINSUM, {"name": "act", "activation": {}}]}
    job = job_of(step_of(instance_of(network, 8, a=2), {"mix": "heads", "act": "batch"}), "plan.py")
    assert job["operators"][0]["fields"] == {"equation": "ace,bde->abcd", "bias": [1, 3]}
    with pytest.raises(Refusal, match="'mix' is an einsum of reshaped maps, or adds a bias to sums"):
        job_of(step_of(instance_of(network, 8, a=2), {"mix": "in", "act": "batch"}), "plan.py")


def test_a_convolution_of_split_rows_is_refused():
    step = step_of(instance_of(NORMED, 8, a=2), {"conv": "height", "norm": "height", "act": "height"})
    with pytest.raises(Refusal, match="'conv' is a convolution of split rows, whose neighbours DTensor exchanges"):
        job_of(step, "plan.py")


def test_an_unknown_kind_is_refused():
    network = {"input": [4, 8, 8], "layers": [{"name": "up", "upsample": {"factor": 2}}]}
    with pytest.raises(Refusal, match="'up' is of a kind that is not counted in PyTorch yet: upsample"):
        job_of(random_step(instance_of(network, 8, a=2), 1), "plan.py")


def test_the_mesh_has_the_axis_that_is_gathered_inside():
    instance = instance_of(CHAIN, 8, a=2, b=2)
    assert mesh_order(step_of(instance, {"fc1": "out out", "fc2": "out in", "fc3": "batch batch"})) == (1, 0)
    assert mesh_order(step_of(instance, {"fc1": "out out", "fc2": "in out", "fc3": "batch batch"})) == (0, 1)


def test_differences_have_their_reason():
    step = step_of(instance_of(CHAIN, 8, a=2, b=2), {"fc1": "out out", "fc2": "out in", "fc3": "out in"})

    def why(tensor, phase, reader):
        line = Line(tensor, phase, reader, "all-gather", "a", Fraction(0), Fraction(8))
        return explained(step, [line])[0].why

    assert why("fc2", "forward", "fc3") == NESTED
    assert why("fc1", "forward", "fc2") == ONE_BY_ONE
    assert why("fc1", "forward", "fc1") == OWN_RULE


def test_sums_along_several_axes_are_apart_where_these_are_turned():
    step = step_of(instance_of(CHAIN, 8, a=2, b=2), {"fc1": "out batch", "fc2": "in batch", "fc3": "batch batch"})
    assert mesh_order(step) == (1, 0)
    line = Line("fc3.weight", "update", "fc3", "all-reduce", "a", Fraction(4), Fraction(8))
    assert explained(step, [line])[0].why == APART


def test_without_torch_it_is_said_what_to_install(monkeypatch):
    from hypar_opt.count.torch.counter import count_torch

    monkeypatch.setattr("hypar_opt.util.extras.installed", lambda module: module != "torch")
    with pytest.raises(MissingPackage, match=r"counting what DTensor moves needs torch"):
        count_torch(step_of(instance_of(CHAIN, 8, a=2), {"fc1": "out", "fc2": "in", "fc3": "batch"}))


with_torch = pytest.mark.skipif(not installed("torch"), reason="PyTorch is not installed")


@with_torch
@pytest.mark.slow
@pytest.mark.parametrize(
    ("network", "words"),
    [
        (CHAIN, {"fc1": "batch out", "fc2": "batch in", "fc3": "batch batch"}),
        (LENET, WORDS),
        (NORMED, {"conv": "batch batch", "norm": "batch channels", "act": "batch channels"}),
        ({"input": {"sequence": 8, "features": 16}, "layers": [EINSUM, {"name": "act", "activation": {}}]},
         {"mix": "heads sequence", "act": "heads sequence"}),
    ],
    ids=["chain", "lenet", "batch normalisation", "einsum"],
)  # fmt: skip
def test_equal_to_the_byte_and_to_one_device(network, words):
    from hypar_opt.count.torch.counter import count_torch

    step = step_of(instance_of(network, 8, a=2, b=2), words)
    counted = count_torch(step, run=step)
    assert not counted.different
    assert counted.run.most < 1e-10


@with_torch
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_plans_compute_what_one_device_does_and_differ_for_a_reason(seed):
    from hypar_opt.count.torch.counter import count_torch

    network = UNTIED if seed == 1 else CHAIN  # what gathers along two axes of a mesh in another order than the array's
    step = random_step(instance_of(network, 8, a=2, b=2), seed)
    counted = count_torch(step, run=step)
    assert all(line.why for line in counted.different)
    assert counted.run.most < 1e-10


@each("case", dtensor.CASES, quick=2)
def test_what_is_predicted_in_the_table_is(case):
    text = Path(dtensor.__file__).with_suffix(".md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    (row,) = (row for row in rows if tuple(row[:3]) == case and len(row) == 7)
    predicted = dtensor.predicted(dtensor.step_of(*case))
    assert row[3] == f"{int(predicted):,}"
    more = sum(int(one[6].replace(",", "")) for one in rows if tuple(one[:3]) == case and len(one) == 8)
    assert row[4] == f"{int(predicted) + more:,}"
