"""Random networks of repeated blocks, of all that a block can read, share and contain, and what is read of it."""

from __future__ import annotations

from tests.instance.operators.made import graph_of, tapped

ROWS = ("linear", "norm", "activation", "add", "multiply", "attention", "outside", "tied", "inside", "part", "experts")
MAPS = ("conv", "depthwise", "batch norm", "pool", "add")
FIRST = {"name": "first", "linear": {"features": 8}}


def random_blocks(random):
    """Return a network of blocks that read each other, what is outside of them, tensors twice, and other blocks.

    Something behind them may read maps and parameters of single blocks.
    """
    if random.random() < 0.25:
        graph = graph_of([repeated(random, "h", MAPS)], [4, 4, 4])
    else:
        layers = [FIRST, {"name": "outside", "activation": {}}, repeated(random, "h", (*ROWS, "repeat"))]
        layers += [repeated(random, "g", ROWS)] if random.random() < 0.3 else []
        graph = graph_of([*layers, *([{"name": "loss", "loss": {}}] if random.random() < 0.6 else [])])
    there = [name for name, one in graph.tensors.items() if one.role != "input" and graph.readers[name]]
    return tapped(graph, *random.sample(there, random.choice((0, 0, 1, 2))))


def repeated(random, name, kinds, most=8):
    """Return a layer that repeats random ones."""
    return {"name": name, "repeat": {"times": random.randint(3, most), "layers": inside(random, kinds)}}


def inside(random, kinds):
    """Return a block's layers: each reads any before it, of the shape that the block reads."""
    layers, have, own = [], ["block"], []
    for number in range(random.randint(2, 4)):
        kind, name, read, more = random.choice(kinds), f"x{number}", random.choice(have), random.choice(have)
        fields = {
            "linear": {"linear": {"features": 8, "bias": random.random() < 0.5}},
            "norm": {"norm": {"kind": random.choice(("layer", "rms"))}},
            "activation": {"activation": {}},
            "add": {"inputs": [read, more], "add": {}},
            "multiply": {"inputs": [read, more], "multiply": {}},
            "attention": {"inputs": [read, more, random.choice([more, "outside"])], "attention": {"heads": 2}},
            "outside": {"inputs": [read, random.choice(["first", "outside"])], "add": {}},
            "tied": {"shared": "first", "linear": {"features": 8}},
            "inside": {"shared": random.choice(own or ["first"]), "linear": {"features": 8}},
            "part": {"part": {"over": "features", "size": 8}},
            "experts": {"experts": {"count": 2, "top": 1, "hidden": 8, "features": 8}},
            "repeat": {"repeat": {"times": 4, "layers": inside(random, ROWS[:4])}} if kind == "repeat" else {},
            "conv": {"conv": {"filters": 4, "kernel": 3, "pad": 1}},
            "depthwise": {"conv": {"filters": 4, "kernel": 3, "pad": 1, "groups": 4}},
            "batch norm": {"norm": {"kind": "batch"}},
            "pool": {"pool": {"kernel": 3, "stride": 1, "pad": 1}},
        }[kind]
        layers.append({"name": name, "inputs": [read], **fields})
        have.append(name)
        own += [name] if kind == "linear" else []
    return layers
