"""Placements of any traffic, against all placements there are; in halves, against those of the levels' formulations."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

import numpy as np
import pytest

from formulations.placement.traffic import FORMULATION
from formulations.placement.traffic.bound import gilmore_lawler
from formulations.placement.traffic.model import TrafficProgramme
from hypar_opt.cost.links import compile_placement
from hypar_opt.costgraph.placement.traffic import TrafficGraph
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.hardware import Shape, Wire, machine_of
from hypar_opt.util.partition import Axis, Partition, halves
from tests.helpers import each

FACTORISATIONS = ((2, 3), (3, 2), (6,), (2, 2), (5,), (7,), (2, 2, 2))


def run():
    return Run("placement-traffic", Limits())


def cut(sizes):
    return Partition(tuple(Axis(f"axis{number}", size) for number, size in enumerate(sizes)))


def drawn(seed):
    """Return groups along axes that exchange, some of them with more traffic besides, on costs at random."""
    random = Random(seed)
    partition = cut(FACTORISATIONS[seed % len(FACTORISATIONS)])
    count = partition.leaves
    flows, costs = np.zeros((count, count), dtype=object), np.zeros((count, count), dtype=object)
    for axis in range(partition.levels):
        amount = random.randrange(5)
        for one, other in partition.pairs(axis):
            flows[one, other] = flows[other, one] = amount
    for one in range(count):
        for other in range(one):
            costs[one, other] = costs[other, one] = random.randrange(1, 6)
            if seed % 3 == 0 and random.random() < 0.3:
                flows[one, other] = flows[other, one] = random.randrange(9)
    return TrafficGraph(partition, flows, costs, random.randrange(3))


@each("seed", [*range(5), 7, *range(14, 19), *(seed for seed in range(19, 200) if seed % 7 < 5)], quick=9)
def test_no_placement_is_better(seed):
    graph = drawn(seed)
    least = min(graph.value(one) for one in permutations(range(graph.sites), graph.leaves))
    found = FORMULATION.solve(graph, run())
    assert (found.status, found.bound, graph.value(found.choices)) == (Status.OPTIMAL, least, least)
    assert gilmore_lawler(graph) <= least


@each("seed", range(60), quick=14)
def test_turned_devices_cost_the_same_and_the_first_stands_first(seed):
    graph = drawn(seed)
    programme = TrafficProgramme.of(graph)
    placed = Random(seed).sample(range(graph.sites), graph.leaves)
    kept = programme.kept(placed)
    assert graph.value(kept) == graph.value(placed)
    assert all(site in values for site, values in zip(kept, programme.values, strict=True))


@pytest.mark.parametrize("topology", ["h-tree", "torus", "ring"])
@each("seed", range(6), quick=2)
def test_halves_are_placed_as_by_the_formulations_of_levels(topology, seed):
    random, wire = Random(seed), Wire(Fraction(1), Fraction(0), Fraction(3))
    machine = machine_of(topology, Shape(3, wire=wire))
    volumes = [random.randrange(6) for _ in range(3)]
    graph = compile_placement(machine, {"hop-bytes": Fraction(1)}, halves(3), volumes)
    ours, theirs = (one.solve(graph, run()) for one in (FORMULATION, load_formulation("placement-cp-sat")))
    assert (ours.status, ours.bound) == (theirs.status, theirs.bound)
    assert graph.value(ours.choices) == graph.traffic.value(ours.choices) == graph.value(theirs.choices)


def test_the_busiest_link_is_left_to_others():
    machine = machine_of("ring", Shape(2, wire=Wire(Fraction(1))))
    graph = compile_placement(machine, {"comm-time": Fraction(1)}, halves(2), (1, 1))
    assert "no sum over pairs; try placement-cp-sat" in FORMULATION.accepts(graph, run())
