"""The networks that are put into stages, and the arrays."""

from __future__ import annotations

from hypar_opt.instance import Instance
from hypar_opt.instance.read import load
from hypar_opt.instance.shipped import shipped_instances

BATCH = 256
LEVELS = (2, 3, 4, 5, 6)
MICROBATCHES = (1, 4, 16, 64)
PACES = {"as the paper's": 125_000_000, "ten times as fast": 1_250_000_000}
"""Bytes a second at the root of an H tree, each way, which every level shares out among its groups."""


def names():
    """Return the ten networks of the paper, residual ones, and a chain of 48 equal convolutions."""
    ten = [name for name, path in shipped_instances().items() if path.parent.name == "hypar"]
    return [*ten, "resnet-18", "resnet-34", "resnet-50", "deep-chain"]


def instance(name, levels, pace, microbatches=None):
    """Return a network on an array of the paper's accelerators, a microbatch divided evenly."""
    array = load("vgg-a", array="hypar-16").to_dict()["array"]
    array |= {"levels": levels, "link": {**array["link"], "bandwidth": pace}}
    network = _deep_chain() if name == "deep-chain" else load(name).network
    return Instance(
        network,
        array,
        BATCH,
        name=name,
        cost={"splits": "divisible"},
        objective="time",
        microbatches=microbatches,
    )


def _deep_chain():
    conv = {"filters": 128, "kernel": 3, "pad": 1}
    return {"input": [128, 28, 28], "layers": [{"name": f"conv{i}", "conv": conv} for i in range(1, 49)]}
