"""Stages in an order in which each has room for what stands behind it, against all orders there are."""

from __future__ import annotations

from itertools import permutations
from random import Random

from helpers import each

from hypar_opt.costgraph.pipeline.order import stages_in_order
from hypar_opt.evaluation.pipeline_order import order_of_stages
from hypar_opt.instance.pipeline import StageDevices


def fits(order, replicas, most):
    behind = 0
    for stage in reversed(order):
        behind += replicas[stage]
        if behind > most[stage]:
            return False
    return True


def allowed(order, waits):
    return all(order.index(one) < order.index(stage) for stage, others in waits.items() for one in others)


@each("seed", range(200))
def test_an_order_that_fits_is_found_where_there_is_one(seed):
    draw = Random(seed)
    count = draw.randint(2, 5)
    replicas = [draw.randint(1, 3) for _ in range(count)]
    most = {stage: draw.randint(1, sum(replicas) + 1) for stage in range(count)}
    waits = {b: {a for a in range(b) if draw.random() < 0.3} for b in range(count)}
    possible = any(fits(order, replicas, most) for order in permutations(range(count)) if allowed(order, waits))
    devices = [StageDevices("gpu", stage + 1) for stage in range(count)]
    judged = order_of_stages(
        {devices[stage]: {devices[one] for one in others} for stage, others in waits.items()},
        {devices[stage]: number for stage, number in most.items()},
    )
    for found in (stages_in_order(waits, most), [one.first - 1 for one in judged]):
        assert allowed(found, waits)
        assert fits(found, replicas, most) is possible


def test_stages_in_a_circle_have_no_order():
    first, second = StageDevices("gpu", 1), StageDevices("gpu", 2)
    assert order_of_stages({first: {second}, second: {first}}, {first: 2, second: 2}) is None
    assert stages_in_order({0: {1}, 1: {0}}, {0: 2, 1: 2}) is None
