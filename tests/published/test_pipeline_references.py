"""Reference values of others for pipelines, to the digits that they are printed with, on their own files."""

from __future__ import annotations

import os
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from formulations.pipeline.down_sets.lattice import lattice_of
from hypar_opt import solve
from hypar_opt.cost.pipeline import compile_pipeline
from hypar_opt.cost.pipeline_bottleneck import Bottleneck
from hypar_opt.cost.pipeline_tables import StagePairs
from hypar_opt.formulation.run import Run
from hypar_opt.importers.pipelines import PipelineWishes, import_pipeline
from hypar_opt.importers.pipelines.blocks import in_blocks
from hypar_opt.instance.pipeline import DeviceKind

SHARED = Path(__file__).parents[3] / "shared" / "pipeline"
OF_DNN_PARTITIONING = {
    "LayerGraphs/bert24_inference": "17.789906",
    "LayerGraphs/bert24_training": "41.745812",
    "LayerGraphs/resnet50_inference": "33.774666",
    "OperatorGraphs/resnet50_inference": "124.34885",
    "LayerGraphs/resnet50_training": "78.631813",
    "OperatorGraphs/bert_l-3_inference": "27.918568",
    "OperatorGraphs/bert_l-3_training": "65.303149",
}
"""Milliseconds of the slowest device, contiguous, by the authors' dynamic programme (NeurIPS 2020)."""
OF_BLOCKS = {
    "LayerGraphs/bert24_inference": "17.789906",
    "LayerGraphs/bert24_training": "187.914",
    "LayerGraphs/resnet50_inference": "39.398",
    "OperatorGraphs/resnet50_inference": "129.155",
    "LayerGraphs/resnet50_training": "83.674",
    "OperatorGraphs/bert_l-3_inference": "37.456",
    "OperatorGraphs/bert_l-3_training": "122.987",
}
"""The same by PipeDream's heuristic as these authors have it: branches are blocks, and one order of them is cut.

It leaves out, of BERT-24, who reads node4.
"""
OF_PIPEDREAM = {
    ("vgg16", False): "0.2055",
    ("vgg16", True): "0.4110",
    ("alexnet", False): "0.034217",
    ("resnet50", False): "0.16288",
    ("resnet50", True): "0.25690",
}
"""Seconds of the slowest stage on 4 machines, and without replicas (SOSP 2019).

Of ResNet-50 without replicas its optimiser says 0.25815, see docs/pipelines.md.
"""
OF_PIPER = {8: "0.16585575", 32: "0.04151545", 128: "0.01012088"}
"""By number of devices of 8 GiB with 25 GiB/s, seconds a sample of BERT-32, 1,920 microbatches a batch (NeurIPS 2021).

The authors' choice of what is computed anew inside a stage is a heuristic; here it is exact, and finds the same.
"""
OF_WHOLE_STAGES = {8: "0.17360195", 32: "0.04348278", 128: "0.01091790"}
"""The same where a stage computes all its activations anew or none."""


def shared(name: str) -> Path:
    """Return a file of others; where there is none the test is skipped, or fails if it must not be."""
    path = SHARED / name
    if not path.exists():
        reason = f"needs {name} in {SHARED}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


def printed(value, digits: str) -> str:
    """Return a value with as many digits behind the point as a printed one; a half may be on either side."""
    return f"{float(value):.{len(digits.partition('.')[2])}f}"


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", OF_DNN_PARTITIONING)
def test_dnn_partitioning(name):
    made = import_pipeline(shared(f"dnn-partitioning/throughput-inputs/{name}.json"))
    plan = solve(made.instance)
    assert plan.proven
    expected = OF_DNN_PARTITIONING[name]
    assert abs(float(plan.objective) * 1e3 - float(expected)) <= 0.51 * 10 ** -len(expected.partition(".")[2])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", OF_BLOCKS)
def test_branches_as_blocks(name):
    made = import_pipeline(shared(f"dnn-partitioning/throughput-inputs/{name}.json"))
    operators = in_blocks(made.fields["operators"], ["node4"] if "bert24" in name else [])
    plan = solve(replace(made, fields={**made.fields, "operators": operators}).instance, "pipeline-linear")
    assert printed(plan.objective * 1000, OF_BLOCKS[name]) == OF_BLOCKS[name]


@pytest.mark.parametrize(("name", "straight"), OF_PIPEDREAM)
def test_pipedream(name, straight):
    wishes = PipelineWishes(devices=4, straight=straight)
    plan = solve(import_pipeline(shared(f"pipedream/{name}.txt"), wishes).instance)
    assert plan.proven
    expected = OF_PIPEDREAM[name, straight]
    assert printed(plan.objective, expected) == expected
    if (name, straight) == ("vgg16", False):
        assert set(plan.strategies.values()) == {"device 1-3", "device 4"}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("devices", OF_PIPER)
def test_piper(devices):
    wishes = PipelineWishes(devices, Decimal(25 * 2**30), Decimal(8 * 2**30))
    instance = import_pipeline(shared("piper/bert32a100.json"), wishes).instance
    for recompute, expected in (("operators", OF_PIPER[devices]), ("stages", OF_WHOLE_STAGES[devices])):
        plan = solve(replace(instance, recompute=recompute), "pipeline-dp")
        assert plan.proven
        assert printed(plan.objective, expected) == expected


IN_MACHINES = {
    "alexnet": ("0.0150995", None),
    "vgg16": ("0.0822084", "0.067134"),
    "resnet50": ("0.0822084", "0.043208"),
}
"""Seconds of the slowest stage on 4 x 4 machines of 10 and 1.25 GB/s, and what PipeDream's optimiser says instead."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", IN_MACHINES)
def test_pipedream_on_machines_in_machines(name):
    made = import_pipeline(shared(f"pipedream/{name}.txt"), PipelineWishes(devices=4)).instance
    gpu = DeviceKind("device", 4, None, Fraction(10**10), 4)
    machines = (DeviceKind("machine", 4, None, Fraction(1_250_000_000), 4, (gpu,)),)
    instance = replace(made, kinds=machines)
    plan = solve(instance)
    here, counted = IN_MACHINES[name]
    assert plan.proven
    assert printed(plan.objective, here) == here
    if counted is not None:
        assert printed(_counted_as_pipedream_does(instance), counted) == counted


def _counted_as_pipedream_does(instance):
    """Return the least time where the four devices of a machine share the gradients of the first stage alone."""
    times = compile_pipeline(instance).machines
    lattice = lattice_of(compile_pipeline(instance).graph, Run("pipeline-dp"), 10**6)
    pairs = StagePairs(times.level.parts, lattice.members)
    table = times.level.table(pairs)
    inner = times.level.ways[0].inside
    busy = inner.best(pairs).times[0]
    shared_out = []
    for way, own in zip(times.level.ways, table.times, strict=True):
        changed = own.copy()
        bytes_added = pairs.parameters[0].astype(object) // times.level.parts.byte_unit
        added = [Fraction(4 * (way.devices - 1) * int(one), way.devices * 1_250_000_000 * 4) for one in bytes_added]
        computing = [(Fraction(int(x), inner.unit) + one) / way.devices for x, one in zip(busy, added, strict=True)]
        # what the first stage sends is counted with its own replicas by nobody, but with the next one's
        changed[0] = [int(one * times.level.unit) for one in computing]
        shared_out.append(changed)
    counts = [(way.number, way.devices) for way in times.level.ways]
    best = Bottleneck.of((4,), counts, shared_out, table.allowed)
    return Fraction(int(best.times[0, -1]), times.level.unit)


def test_what_is_not_read_says_why():
    from hypar_opt.util.errors import InputError

    for name, said in (("dnn-partitioning/latency-inputs/LayerGraphs/bert24_inference.json", "is a latency input"),):
        with pytest.raises(InputError, match=said):
            import_pipeline(shared(name))
