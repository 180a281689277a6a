"""The bounds for a step whose exchanges overlap its computing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from hypar_opt.evaluation.operators import OperatorStep, Walks, costs, operator_plan
from hypar_opt.evaluation.step import OverlapBounds
from hypar_opt.instance.hardware import Shape, machine_of
from hypar_opt.instance.hardware.accelerator import OPTIMISERS
from hypar_opt.instance.operators.device import Device
from hypar_opt.instance.operators.links import AxisLink
from hypar_opt.instance.operators.standing import Standing
from hypar_opt.util.partition import Axis, Partition
from tests.cost.operators.random_standing import random_standing
from tests.evaluation.operators.random_operators import (
    random_graph,
    random_partition,
    random_storage,
    random_strategies,
    with_blocks,
)
from tests.helpers import each
from tests.instance.operators.made import graph_of

TWO = Partition((Axis("gpu", 2),))
SGD = OPTIMISERS["sgd"]
SLOW = Fraction(1, 3)


def step_of(links=(), walks=None, device=Device(Fraction(1)), **words):  # noqa: B008 - immutable
    """Return a step of two layers of 4 x 8 and 8 x 2 numbers, 4 samples, on two devices."""
    graph = graph_of([{"name": name, "linear": {"features": size}} for name, size in (("a", 8), ("b", 2))], {"x": 4})
    plan = operator_plan(graph, TWO, {"a": "batch", "b": "batch", **words})
    return OperatorStep(graph, TWO, plan, links, SGD, device, walks)


def seconds(products, updated):
    """Return what so many multiplications and additions take, and the update of so many numbers."""
    return 2 * products + 2 * updated


# forward and the gradient of weights; of b that of its input, too: the network's input needs none
A, B = seconds(2 * 4 * 4 * 8 // 2, 4 * 8), seconds(3 * 4 * 8 * 2 // 2, 8 * 2)


def test_gradients_hide_behind_their_own_layer():
    a, b = (3 * 4 * numbers + 2 * 5 for numbers in (4 * 8, 8 * 2))  # all-reduces of two, in two messages
    found = step_of([AxisLink(SLOW, Fraction(5))]).together
    assert found == OverlapBounds(A + B + a + b, max(A, a) + max(B, b), max(A + B, 3 * 4 * (4 * 8 + 8 * 2)))
    assert (A, B, found.by_layer, found.perfect) == (320, 224, 394 + 224, 576)


def test_what_a_layer_reads_otherwise_than_it_lies_counts_for_the_reader():
    """Layer b adds up along its input: the map goes from batch to features, its gradient back; its output is a sum."""
    a, converted, summed = 3 * 4 * 4 * 8, 3 * 4 * 4 * 8 // 4, 3 * 4 * 4 * 2
    b = 2 * converted
    found = step_of([AxisLink(SLOW)], b="in").together
    halved = B - 2 * 8 * 2 // 2  # of the update of b half is done on each device
    assert found.by_layer == max(A, a) + max(halved, b + summed)
    assert found.none == A + halved + a + b + summed


def test_on_a_graph_the_busiest_link_stands_for_the_axis():
    machine = machine_of("ring", Shape(1, accelerators=2))
    wired = replace(machine, links=tuple(replace(one, bandwidth=SLOW) for one in machine.links))
    found = step_of(walks=Walks(Standing(wired, (0, 1)), TWO)).together
    assert found == step_of([AxisLink(SLOW)]).together


@pytest.mark.parametrize("device", [None, Device(Fraction(1))])
def test_what_is_not_known_has_no_bounds(device):
    assert step_of([AxisLink(SLOW if device is None else None)], device=device).together is None


@each("seed", range(80), quick=12)
def test_more_that_hides_takes_no_longer(seed):
    random = Random(f"overlap {seed}")
    graph, partition = with_blocks(random_graph(seed), seed), random_partition(seed, most=8)
    strategies = random_strategies(seed, graph, partition, divisible=False)
    if strategies is None:
        return
    plan = operator_plan(graph, partition, strategies, random_storage(seed, graph), recompute="blocks")
    links = [AxisLink(Fraction(random.randint(1, 9)), Fraction(random.randint(0, 3), 7)) for _ in partition.axes]
    walks = None if seed % 2 else Walks(random_standing(seed, partition.leaves), partition)
    device = Device(Fraction(random.choice([1, 10, 100])), Fraction(random.choice([1, 100])))
    one = OperatorStep(graph, partition, plan, links if walks is None else (), SGD, device, walks)
    known, found = costs(graph, partition, plan, one.links, device, SGD, walks), one.together
    assert known["compute-time"] <= found.perfect <= found.by_layer <= found.none == known["time"]
    assert found.by_layer <= 2 * max(known["compute-time"], known["comm-time"])
    assert 2 * found.by_layer >= found.none
