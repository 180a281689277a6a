"""Networks as pipelines: seconds, bytes and devices are those of one accelerator of their array."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt import load, solve
from hypar_opt.cost.counting import Counter
from hypar_opt.importers.pipelines import PipelineWishes
from hypar_opt.instance.network import workload
from hypar_opt.studies.pipelines import pipeline_of
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import halves

FEMTOSECOND = Fraction(1, 10**15)


@pytest.mark.parametrize("array", ["hypar-16", "hypar-row-stationary-16"])
def test_all_seconds_are_those_of_a_step_of_one_accelerator(array):
    instance = load("resnet-18", array=array)
    work = workload(instance.network)
    counter = Counter(instance.accelerator, instance.optimiser, instance.batch, halves(0), instance.bytes_per_element)
    step = sum(counter.work(layer, "", ()).seconds for layer in work.layers)
    made = pipeline_of(instance).instance
    assert abs(sum(one.computing("accelerator") for one in made.operators) - step) <= 2 * len(work.layers) * FEMTOSECOND
    assert {read for one in made.operators for read in one.reads} < {layer.name for layer in work.layers}


def test_what_a_layer_makes_and_keeps():
    made = pipeline_of(load("vgg-a", array="hypar-16", batch=2), PipelineWishes(devices=4)).instance
    fc2 = next(one for one in made.operators if one.name == "fc2")
    # 4096 to 4096: weights and their gradients in four bytes, outputs on and errors back for two samples
    assert (fc2.reads, fc2.parameters, fc2.memory) == (("fc1",), 4 * 4096**2, 2 * 4 * 4096**2)
    assert (fc2.output, fc2.activations) == (2 * 2 * 4 * 4096, 2 * 4 * 4096)
    assert fc2.backward["accelerator"] == pytest.approx(2 * fc2.seconds["accelerator"], rel=1e-9)
    [kind] = made.kinds
    # the links of an H tree's leaves have an eighth of its root's
    assert (kind.count, kind.replicas, kind.memory, kind.bandwidth) == (4, 4, None, 125_000_000 // 8)


def test_accelerators_of_several_kinds():
    made = pipeline_of(load("mixed-three-kinds"), PipelineWishes(straight=True)).instance
    assert [(one.name, one.count, one.replicas) for one in made.kinds] == [
        ("tpu-v2", 1, 1), ("tpu-v3", 2, 1), ("tpu-v4", 1, 1),
    ]  # fmt: skip
    slow, quick = made.kinds[0].name, made.kinds[2].name
    assert all(one.seconds[slow] > one.seconds[quick] > 0 for one in made.operators)


def test_operators_with_named_dimensions():
    instance = load("gpt2-block", array="a100-2x8")
    made = pipeline_of(instance).instance
    one = {operator.name: operator for operator in made.operators}
    assert set(one["attention"].reads) == {"query", "key", "value"}
    assert one["query"].parameters == 4 * (768 * 768 + 768)
    # 768 to 768 features for 1024 positions of 32 samples, two operations each
    operations = 2 * 32 * 1024 * 768 * 768
    assert one["query"].seconds["accelerator"] == pytest.approx(operations / float(instance.device.rate), rel=1e-6)
    assert one["query"].output == 2 * 32 * 1024 * 768 * instance.graph.tensors["query"].element_bytes
    assert (made.devices, made.kinds[0].bandwidth) == (16, 25 * 10**9)  # the slower axis


def test_stages_of_a_network():
    # the convolutions on all but one of sixteen accelerators, what is behind them on the last (PipeDream, SOSP 2019)
    plan = solve(pipeline_of(load("vgg-a", array="hypar-16", batch=32)).instance)
    assert plan.proven
    assert set(plan.strategies.values()) == {"accelerator 1-15", "accelerator 16"}
    assert plan.strategies["conv5_2"] != plan.strategies["fc1"]


@pytest.mark.parametrize(
    ("name", "array", "wishes", "said"),
    [
        ("vgg-a", None, PipelineWishes(), "does not say what an accelerator computes; expected one that does"),
        ("mixed-three-kinds", None, PipelineWishes(devices=2), "--devices: the array has 3 kinds of accelerators"),
        ("gpt2-block", {"axes": [{"name": "gpu", "size": 2}]}, PipelineWishes(), "does not say what a device computes"),
    ],
)
def test_what_an_array_has_to_say(name, array, wishes, said):
    with pytest.raises(InputError, match=said):
        pipeline_of(load(name, array=array), wishes)
