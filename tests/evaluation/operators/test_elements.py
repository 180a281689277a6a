"""What is derived from sets of indices is what is counted with every element on every device."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from elements import follow, recount
from helpers import each
from random_operators import random_graph, random_partition, random_storage, random_strategies

from hypar_opt.evaluation.operators import faults, movements, operator_plan, total
from hypar_opt.evaluation.operators.conversion import converted
from hypar_opt.evaluation.operators.placements import AxisPlacement


def entry(letter):
    return AxisPlacement(None if letter in ("R", "P") else letter, letter == "P")


def check_conversion(axes, have, need):
    shares = converted(axes, tuple(map(entry, have)), tuple(map(entry, need)))
    elements = axes[0] * (axes[1] if len(axes) > 1 else 1) * (axes[2] if len(axes) > 2 else 1)
    counted = follow(axes, (6, 4), have, need)
    assert {(one.kind, one.axis): one.tensors * elements * 24 for one in shares} == counted


def all_conversions(axes):
    pairs = [pair for pair in product((0, 1, "R", "P"), repeat=2) if pair[1] != "P" or pair[0] == "P"]
    return [tuple(zip(*chosen, strict=True)) for chosen in product(pairs, repeat=len(axes))]


@pytest.mark.parametrize("axes", [(2,), (5,), (2, 3)])
def test_all_conversions_of_matrices(axes):
    for have, need in all_conversions(axes):
        check_conversion(axes, have, need)


@pytest.mark.slow
@pytest.mark.parametrize("axes", [(3, 2), (4, 3), (2, 2, 2)])
def test_more_conversions_of_matrices(axes):
    for have, need in all_conversions(axes):
        check_conversion(axes, have, need)


def compare(seed, most):
    partition = random_partition(seed, most, sizes=(2, 3, 4, 5, 6))
    graph = random_graph(seed, steps=3, pool=(2, 3, partition.leaves))
    strategies = random_strategies(seed, graph, partition, divisible=False)
    if strategies is None:
        return None
    storage = random_storage(seed, graph)
    plan = operator_plan(graph, partition, strategies, storage)
    everything = {dim for one in graph.operators for dim in one.splits} | {"none"}
    assert not list(faults(graph, partition, plan, divisible=False, choices=everything))
    numbers = {axis.name: number for number, axis in enumerate(partition.axes)}
    moved = movements(graph, partition, plan)
    derived = Counter()
    for one in moved:
        derived[one.phase, one.kind, None if one.kind == "halo" else numbers[one.axis]] += one.bytes
    counted = recount(graph, partition, plan.words, plan.shared, storage)
    assert derived == counted
    assert total(moved) == sum(counted.values(), start=Fraction(0))
    return counted


@each("seed", range(120), quick=6)
def test_random_plans(seed):
    compare(seed, most=4 if seed < 6 else 6 if seed < 80 else 8)
