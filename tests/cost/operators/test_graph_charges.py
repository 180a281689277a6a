"""What plans of operators cost on graphs of links, compiled, against every route walked."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from hypar_opt.cost.links import level_weights
from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.cost.operators.groups import GroupCharge, GroupRoutes
from hypar_opt.evaluation.operators import Walks, costs, movements, on_graph, total
from hypar_opt.evaluation.operators.recomputation import recomputation
from hypar_opt.instance.hardware import Shape, Wire, machine_of
from hypar_opt.instance.operators.standing import Standing
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import halves
from tests.cost.operators.random_standing import random_standing
from tests.cost.operators.small_networks import graph_of, small_graph
from tests.cost.operators.test_operator_components import plan_of
from tests.evaluation.operators.random_operators import random_graph, random_partition, with_blocks
from tests.helpers import each

ON_LINKS = ("hop-bytes", "comm-time", "comm-energy")


def compiled(graph, partition, standing, **options):
    return CompiledComponents(graph, OperatorModel(partition, **options), standing=standing)


def check(found, seed, partition):
    """Compare what random choices cost, compiled and walked."""
    try:
        domains = found.operators.domains
    except InputError as none:  # some operators cannot be split so often
        assert re.search("has no word|no such word", str(none))
        return
    random = Random(seed)
    choices = tuple(random.randrange(len(domain.values)) for domain in domains)
    again = recomputation(found.graph, found.model.recompute)
    plan = replace(plan_of(found, choices), is_padded=found.model.padded, recomputed=again)
    walks = Walks(found.standing, partition)
    recounted = costs(found.graph, partition, plan, walks=walks)
    for name in ON_LINKS:
        graph = found.costgraph({name: Fraction(1)})
        assert Fraction(graph.value(choices), graph.objective.denominator) == recounted[name], name
    crossed = on_graph(found.graph, plan, walks)
    received = sum(
        (size * sum(1 for _ in way.pairs(partition)) for one, _, _ in crossed.parts for way, size in one.ways),
        start=Fraction(0),
    )
    assert received == recounted["communication"] == total(movements(found.graph, partition, plan))
    assert sum(crossed.loads.values()) == recounted["hop-bytes"]


@each("seed", range(120), quick=5)
def test_random_plans_cost_what_walked_routes_say(seed):
    partition = random_partition(seed, most=12)
    standing = random_standing(seed, partition.leaves)
    storages = ("replicated", "zero-3") if seed % 3 == 0 else ("replicated",)
    found = compiled(random_graph(seed), partition, standing, divisible=bool(seed % 2), storages=storages)
    check(found, seed, partition)


@each("seed", range(60), quick=4)
def test_padded_parts_too(seed):
    partition, pool = random_partition(seed, most=12), (2, 3, 5, 7, 8, 11)
    graph = random_graph(seed, pool=pool) if seed % 3 else small_graph(seed)
    standing = random_standing(seed, partition.leaves)
    check(compiled(graph, partition, standing, divisible=False, padded=True), seed, partition)


@each("seed", range(60), quick=4)
def test_halos_and_several_readers_too(seed):
    partition = random_partition(seed, most=12)
    found = compiled(small_graph(seed), partition, random_standing(seed, partition.leaves), divisible=False)
    check(found, seed, partition)


@each("seed", range(60), quick=4)
def test_blocks_that_run_once_more_too(seed):
    partition, pool = random_partition(seed, most=12), (2, 4, 6, 8, 12)
    graph = with_blocks(random_graph(seed, pool=pool) if seed % 3 else small_graph(seed), seed)
    standing = random_standing(seed, partition.leaves)
    check(compiled(graph, partition, standing, divisible=False, recompute="blocks"), seed, partition)


@each("seed", range(80), quick=4)
def test_rows_of_maps_come_from_neighbours(seed):
    partition = random_partition(seed, most=12, sizes=(2, 3))
    graph = graph_of(("maps", "decoder")[seed % 2], 6)
    words = [("height", "width", "height")[: partition.levels]] * (partition.levels < 4)
    fix = {one.name: word for one in graph.operators if "height" in one.splits for word in words}
    standing = random_standing(seed, partition.leaves)
    check(compiled(graph, partition, standing, divisible=False, fix=fix), seed, partition)


@pytest.mark.parametrize("topology", ["h-tree", "torus", "hypercube", "fat-tree"])
@pytest.mark.parametrize("name", ON_LINKS)
def test_an_axis_of_two_weighs_what_the_level_of_a_network_does(topology, name):
    levels = 4
    shape = Shape(levels, wire=Wire(Fraction(7), Fraction(0), Fraction(3)))
    machine = machine_of(topology, shape)
    sites = tuple(Random(5).sample(range(len(machine.accelerators)), 16))
    charge = GroupCharge(GroupRoutes(Standing(machine, sites), (2,) * levels), name)
    weights = level_weights(machine, {name: Fraction(1)}, sites, halves(levels))
    assert tuple(charge.a_byte([axis]) for axis in range(levels)) == weights
