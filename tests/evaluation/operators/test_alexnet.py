"""AlexNet's maps and parameters on one device, as a lecture adds them up: 782 MB and 240 MB."""

from __future__ import annotations

from hypar_opt.evaluation.operators import operator_plan, resident
from hypar_opt.instance.hardware.accelerator import OPTIMISERS
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.util.partition import Partition

BATCH = 128
RELU, NORM = {"activation": {}}, {"norm": {"kind": "batch", "parameters": False}}
POOL = {"pool": {"kernel": 3, "stride": 2}}
LAYERS = {
    "conv1": {"conv": {"filters": 96, "kernel": 11, "stride": 4, "bias": True}},
    "relu1": RELU,
    "pool1": POOL,
    "norm1": NORM,  # in place of the response normalisation, which keeps the same map
    "conv2": {"conv": {"filters": 256, "kernel": 5, "pad": 2, "groups": 2, "bias": True}},
    "relu2": RELU,
    "pool2": POOL,
    "norm2": NORM,
    "conv3": {"conv": {"filters": 384, "kernel": 3, "pad": 1, "bias": True}},
    "conv4": {"conv": {"filters": 384, "kernel": 3, "pad": 1, "groups": 2, "bias": True}},
    "conv5": {"conv": {"filters": 256, "kernel": 3, "pad": 1, "groups": 2, "bias": True}},
    "pool5": POOL,
    "fc6": {"linear": {"features": 4096, "bias": True}},
    "fc7": {"linear": {"features": 4096, "bias": True}},
    "fc8": {"linear": {"features": 1000, "bias": True}},
    "loss": {"loss": {}},
}
PRINTED = (
    227 * 227 * 3,
    2 * 55 * 55 * 96,
    2 * 96 * 27 * 27,
    2 * 256 * 27 * 27,
    2 * 256 * 13 * 13,
    2 * 13 * 13 * 384,
    256 * 13 * 13,
    6 * 6 * 256,
    4096,
    4096,
    1000,
)
"""A sample's numbers, as the lecture has them; activations behind conv3 to fc7 overwrite what they read."""


def alexnet(layers):
    return OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "alexnet",
            "batch": BATCH,
            "network": {
                "input": {"channels": 3, "height": 227, "width": 227},
                "layers": [{"name": name, **layer} for name, layer in layers.items()],
            },
            "array": {"axes": [{"name": "device", "size": 2}]},
        }
    )


def kept(graph):
    """Return what one device keeps that has all to itself, by kind."""
    alone = Partition(())
    found = resident(
        graph, alone, operator_plan(graph, alone, dict.fromkeys((one.name for one in graph.operators), "")),
        OPTIMISERS["sgd"],
    )  # fmt: skip
    return {kind: sum(kinds.get(kind, 0) for kinds in found.values()) for kind in ("parameters", "maps")}


def test_every_map_that_the_lecture_counts_is_kept():
    graph = alexnet(LAYERS).graph
    assert sum(PRINTED) == 1_526_595
    assert kept(graph)["maps"] == 4 * BATCH * sum(PRINTED) == 781_616_640


def test_its_parameters():
    """60,965,224 with biases: "60 M, about 240 MB"."""
    graph = alexnet(LAYERS).graph
    assert graph.parameters == 60_965_224
    assert kept(graph)["parameters"] == 243_860_896


def test_what_is_overwritten_is_not_kept():
    """Where activations and norms write over what they read, 479 MB are left."""
    fused = {name: layer for name, layer in LAYERS.items() if layer not in (RELU, NORM)}
    once = [55 * 55 * 96, 96 * 27 * 27, 256 * 27 * 27, 256 * 13 * 13]
    assert kept(alexnet(fused).graph)["maps"] == 4 * BATCH * (sum(PRINTED) - sum(once)) == 479_397_376
