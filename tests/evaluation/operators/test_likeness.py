"""What blocks do alike is followed once: it comes to the same as when every block is followed by itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from hypar_opt.evaluation.operators import OperatorStep, costs, movements, operator_plan, resident, total_resident
from hypar_opt.evaluation.operators.likeness import Likeness
from hypar_opt.instance.hardware.accelerator import OPTIMISERS
from hypar_opt.instance.operators.device import Device
from hypar_opt.instance.operators.links import AxisLink
from tests.evaluation.operators.random_operators import random_partition, random_storage, random_strategies
from tests.helpers import each
from tests.instance.operators.made import graph_of, tapped
from tests.instance.operators.random_blocks import random_blocks

NORMED = [
    {"name": "norm", "norm": {}},
    {"name": "up", "linear": {"features": 16, "bias": True}},
    {"name": "down", "linear": {"features": 8}},
    {"name": "sum", "inputs": ["block", "down", "norm"], "add": {}},
]
MAPS = [
    {"name": "conv", "conv": {"filters": 4, "kernel": 3, "pad": 1}},
    {"name": "norm", "norm": {"kind": "batch"}},
    {"name": "sum", "inputs": ["block", "norm"], "add": {}},
]
TIED = [{"name": "tied", "shared": "first", "linear": {"features": 8}}, {"name": "act", "activation": {}}]
TABLE = {"name": "first", "linear": {"features": 8}}
DEVICE = Device(Fraction(7), Fraction(3))


def blocks(times, layers):
    return {"name": "h", "repeat": {"times": times, "layers": layers}}


def network(random):
    """Return a network of blocks, of which something at the end may read a map or a parameter of one."""
    if random.random() < 0.3:
        return random_blocks(random)
    graph = untapped(random)
    there = [one.name for one in graph.tensors.values() if one.role != "input" and one.name != "loss"]
    return tapped(graph, random.choice(there)) if random.random() < 0.3 else graph


def untapped(random):
    """Return one of several networks of blocks; in front of them is an input, a layer, or other blocks."""
    times = random.randint(2, 9)
    if random.random() < 0.3:
        return graph_of([blocks(times, MAPS)], [4, 4, 4])
    layers = random.choice([NORMED, [*TIED, *NORMED]])
    inner = [{"name": "in", "repeat": {"times": 3, "layers": NORMED}}, *NORMED]
    return graph_of([TABLE, blocks(times, random.choice([layers, inner])), {"name": "loss", "loss": {}}])


def often_alike(random, keyed, times=9):
    """Return strategies in which most blocks have what the block before them has; often all, and nothing else."""
    found, often = dict(keyed), random.choice([0.8, 1])
    for number in range(1, times):
        if random.random() < often:
            ours = [key for key in found if key.startswith(f"h.{number}.")]
            found |= {key: found.get(key.replace(f"h.{number}.", f"h.{number - 1}.", 1), found[key]) for key in ours}
    return found | {key: keyed[key] for key in keyed if ":" in key and often < 1 and random.random() < 0.2}


@each("seed", range(30), quick=5)
def test_what_blocks_do_alike_is_what_each_does(seed):
    random = Random(f"blocks {seed}")
    graph, partition = network(random), random_partition(seed, most=8, sizes=(2, 4))
    strategies = random_strategies(seed, graph, partition, divisible=False)
    if strategies is None:
        return
    storage = often_alike(random, random_storage(seed, graph)) if seed % 2 else {}
    recompute = random.choice(["none", "blocks"])
    plan = operator_plan(graph, partition, often_alike(random, strategies), storage, recompute=recompute)
    links = [AxisLink(Fraction(random.randint(1, 9)), Fraction(1, 7), Fraction(2)) for _ in partition.axes]
    apart = replace(graph, repeats=())
    assert costs(graph, partition, plan, links, DEVICE) == costs(apart, partition, plan, links, DEVICE)
    assert movements(graph, partition, plan, links) == movements(apart, partition, plan, links)
    step, alone = (OperatorStep(one, partition, plan, links, OPTIMISERS["sgd"], DEVICE) for one in (graph, apart))
    assert (step.works, step.together) == (alone.works, alone.together)
    every = resident(graph, partition, plan, OPTIMISERS["adam"]).values()
    kept = sum((size for kinds in every for size in kinds.values()), start=Fraction(0))
    assert total_resident(graph, partition, plan, OPTIMISERS["adam"]) == kept


def test_equal_blocks_are_followed_once_and_others_apart():
    graph, partition = graph_of([TABLE, blocks(50, NORMED)]), random_partition(1, most=2, sizes=(2,))
    words = dict.fromkeys(random_strategies(1, graph, partition), "batch")
    plan = operator_plan(graph, partition, words)
    alike = Likeness.of(graph, plan)
    assert len(alike.operators) == len(graph.operators) == 201
    assert len(alike.operator_counts) < 12
    changed = Likeness.of(graph, operator_plan(graph, partition, words | {"h.30.up": "out"}))
    assert changed.operator_counts["h.30.up"] == 1


@pytest.mark.parametrize("kind", ["halo", "all-reduce"])
def test_both_kinds_of_what_an_operator_needs_itself_are_counted(kind):
    graph, partition = graph_of([blocks(5, MAPS)], [4, 4, 4]), random_partition(1, most=2, sizes=(2,))
    words = dict.fromkeys(random_strategies(1, graph, partition), "height" if kind == "halo" else "batch")
    plan = operator_plan(graph, partition, words)
    found, apart = (costs(one, partition, plan) for one in (graph, replace(graph, repeats=())))
    assert found == apart
    assert found["communication"] > 0
