"""Arrays cut otherwise than into halves: who asks the partition, and who refuses all but halves.

Axes of any size and shares are read by what counts and shows leaves (instances, placements, plans' checks, reports),
by the evaluator of the leaves' own boxes, routes and slices, by PlacementGraph and the level weights (placements are
compiled for axes of one size), and by the simulation. Of halves are HyPar's rule (CostModel and the evaluator of
groups' boxes), what searches and bounds placements, and how large an array is whose size is not given (`Shape`).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from helpers import document, instance_of, linear_chain, problem_of

from formulations.joint.embeddings import least_weights
from formulations.joint.sites import wide
from formulations.placement.bisection import bisected
from formulations.placement.bounds import lower_bound
from formulations.placement.prices import PriceTables
from formulations.placement.symmetry import Symmetry
from hypar_opt.cost.layout import CostModel
from hypar_opt.cost.links import compile_placement, level_weights
from hypar_opt.costgraph import CostGraph, Objective, Variable, Words
from hypar_opt.costgraph.placement import JointGraph, PlacementGraph
from hypar_opt.evaluation.communication import Breakdown, ExchangeSetting, by_phase, communication
from hypar_opt.evaluation.communication.levels import read_by_leaves
from hypar_opt.evaluation.legality import Rules, allowed_words, illegal, uneven_splits
from hypar_opt.evaluation.links import misplaced, traffic_of, walk, weigh
from hypar_opt.evaluation.step import StepSetting
from hypar_opt.evaluation.step.slices import Slice
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.instance import load
from hypar_opt.instance.array_schema import ArraySpec
from hypar_opt.report.arrays.shown import PlacedArray
from hypar_opt.report.charts.links import links_figure
from hypar_opt.report.charts.links_halves import NODES
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.studies.simulation import Transfer, build_step
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import Axis, Partition
from hypar_opt.web.text_check import _about_network
from tests.evaluation.links.machines import complete, line, matrix, measure, ring
from tests.studies.simulation.steps import seconds_of

NODE, GPU = Axis("node", 3), Axis("gpu", 2)
MOCK = Partition((NODE, GPU))
THIRDS = Partition(
    (
        Axis("node", 3, (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))),
        Axis("gpu", 2, (Fraction(2, 3), Fraction(1, 3))),
    )
)
SQUARE = Partition((NODE, Axis("gpu", 3)))
UNEVEN = Partition((Axis("half"), Axis("part", 2, (Fraction(2, 3), Fraction(1, 3)))))
CHAIN = document(linear_chain(6, 5), [12], batch=6, levels=2, choices=["dp", "mp", "op"])
READ_AS, WRITTEN_AS = {"d": 0, "m": 1}, {"d": 0, "o": 1}


@pytest.fixture
def instance(monkeypatch):
    """Return an instance of two levels whose array is cut into three nodes of two."""
    monkeypatch.setattr(ArraySpec, "partition", MOCK)
    return instance_of(
        CHAIN | {"array": CHAIN["array"] | {"topology": "ring", "accelerators": 6, "placement": "identity"}}
    )


def test_an_instance_and_its_plan_have_a_place_for_every_leaf(instance):
    from hypar_opt.solver.network_problem import NetworkProblem

    problem = NetworkProblem(instance)
    assert (instance.levels, instance.placement) == (2, tuple(range(6)))
    assert sites_of(problem, ["a5", "a4", "a3", "a2", "a1", "a0"]) == (5, 4, 3, 2, 1, 0)
    with pytest.raises(InputError, match="expected 6 accelerators, one for every leaf, got 4"):
        sites_of(problem, ["a0", "a1", "a2", "a3"])
    assert _about_network(instance, {})["accelerators"] == 6
    assert problem.rules.partition is MOCK
    with pytest.raises(ValueError, match="axis 'node' does not halve every group"):
        _ = problem.model


def test_a_listed_placement_has_a_name_for_every_leaf(monkeypatch):
    monkeypatch.setattr(ArraySpec, "partition", MOCK)
    array = {"topology": "ring", "levels": 2, "accelerators": 6, "placement": ["a0", "a1", "a2", "a3"]}
    with pytest.raises(InputError, match="expected 6 accelerators, one for every leaf, got 4"):
        instance_of(CHAIN | {"array": array})
    assert instance_of(CHAIN | {"array": array | {"placement": [f"a{i}" for i in range(6)]}}).placement == tuple(
        range(6)
    )


def test_words_have_a_letter_for_every_axis_and_split_into_its_size():
    work = problem_of(CHAIN).work
    rules = Rules(6, MOCK, "dmo", True, {})
    assert set(map(len, allowed_words(work.layers[0], rules))) == {2}
    assert Words("dmo", MOCK.levels).size == 9
    words = {"fc1": "dd", "fc2": "mo"}
    assert [(one.dimension, one.parts) for one in uneven_splits(work, words, 6, MOCK)] == [("output", 2)]
    assert illegal(work, words, rules) == "layer 'fc2' has 'mo', and its output of 5 does not divide by 2"
    assert illegal(work, {"fc1": "dm", "fc2": "md"}, rules) is None


def element_digits(partition, sizes):
    """Return of every index of a dimension which group takes it on every axis; sizes are multiples of the shares."""
    owners = [
        [group for group in range(axis.size) for _ in range(int(size * axis.share(group)))]
        for axis, size in zip(partition.axes, sizes, strict=True)
    ]
    assert [len(one) for one in owners] == list(sizes)
    return np.array(list(product(*owners)))


def halved(word, as_axis):
    """Return of every level whether it splits the batch, and the channels."""
    return [(int(as_axis.get(letter) == 0), int(as_axis.get(letter) == 1)) for letter in word]


def boxes(partition, digits, word, as_axis):
    """Return of every leaf which elements of a tensor (batch x channel) it has."""
    found = []
    for leaf in range(partition.leaves):
        mask = np.ones((len(digits), len(digits)), dtype=bool)
        for h, letter in enumerate(word):
            if letter in as_axis:
                own = digits[:, h] == partition.coordinates(leaf)[h]
                mask &= own[:, None] if as_axis[letter] == 0 else own[None, :]
        found.append(mask)
    return found


def read_by_level(partition, needed, had):
    """Count, leaf by leaf and element by element, what is lacked, by the level at which its nearest holder parts."""
    counts = [0] * partition.levels
    for leaf, (need, have) in enumerate(zip(needed, had, strict=True)):
        left, here = need & ~have, partition.coordinates(leaf)
        for level in reversed(range(partition.levels)):
            near = [o for o in range(partition.leaves) if partition.coordinates(o)[:level] == here[:level]]
            held = np.logical_or.reduce([had[other] for other in near])
            counts[level] += int((left & held).sum())
            left = left & ~held
        assert not left.any()
    return counts


@pytest.mark.parametrize(("partition", "sizes"), [(MOCK, (3, 2)), (THIRDS, (6, 3)), (SQUARE, (3, 3)), (UNEVEN, (2, 3))])
def test_what_leaves_read_is_what_their_boxes_lack(partition, sizes):
    digits = element_digits(partition, sizes)
    for words in product(map("".join, product("dmo", repeat=2)), repeat=2):
        written, read = (boxes(partition, digits, *one) for one in ((words[0], WRITTEN_AS), (words[1], READ_AS)))
        split = halved(words[0], WRITTEN_AS), halved(words[1], READ_AS)
        feature, error = read_by_leaves(len(digits) ** 2, *split, partition)
        assert list(feature) == read_by_level(partition, read, written), words
        assert list(error) == read_by_level(partition, written, read), words


def test_slices_of_all_leaves_are_the_whole():
    layer = problem_of(CHAIN).work.layers[0]
    for partition, word in product((MOCK, THIRDS), map("".join, product("dmo", repeat=2))):
        parts = [Slice.of(layer, word, 6, partition, leaf) for leaf in range(6)]
        assert sum(part.macs(layer) for part in parts) == 6 * layer.weight
        whole = Slice(Fraction(6)).macs(layer)
        assert [part.macs(layer) for part in parts] == [
            whole * partition.share(leaf, 0) * partition.share(leaf, 1) for leaf in range(6)
        ]


def test_one_leaf_stands_for_all_only_where_they_are_alike():
    from hypar_opt.instance.hardware.accelerator import OPTIMISERS

    machine, sgd = load("lenet-c", array="hypar-16").accelerator, OPTIMISERS["sgd"]
    assert StepSetting(machine, sgd, 6, MOCK, 4).partition is MOCK
    for partition in (THIRDS, Partition(MOCK.axes, (0, 1) * 3)):
        with pytest.raises(ValueError, match="leaves of unequal shares or types of accelerators"):
            StepSetting(machine, sgd, 6, partition, 4)


@pytest.mark.parametrize("partition", [MOCK, THIRDS, SQUARE])
@pytest.mark.parametrize("array", [line, ring, complete])
def test_level_weights_are_what_the_links_carry(partition, array):
    machine, volumes = array(partition.leaves), (35, 12)
    for seed in range(3):
        placed = Random(seed).sample(range(partition.leaves), partition.leaves)
        found = measure(machine, placed, volumes, partition)
        claimed = {"hop-bytes": found.hop_bytes, "comm-time": found.comm_time, "comm-energy": found.comm_energy}
        for name, value in claimed.items():
            weights = level_weights(machine, {name: Fraction(1)}, placed, partition)
            assert sum(volume * weight for volume, weight in zip(volumes, weights, strict=True)) == value
    assert misplaced(machine, [0], partition) == f"expected an accelerator for each of {partition.leaves} leaves, got 1"


def test_placements_on_axes_of_one_size_cost_what_the_links_carry():
    machine, weights = ring(9), {"hop-bytes": Fraction(1, 3), "comm-time": Fraction(2), "communication": Fraction(1)}
    graph = compile_placement(machine, weights, SQUARE, (35, 12))
    assert (graph.levels, graph.leaves, len(graph.pairs(0)), len(graph.pairs(1))) == (2, 9, 9, 9)
    for seed in range(5):
        placed = Random(seed).sample(range(9), 9)
        found = measure(machine, placed, (35, 12), SQUARE)
        assert graph.feasible(placed)
        assert Fraction(graph.value(placed), graph.unit) == found.hop_bytes / 3 + 2 * found.comm_time + 47
    assert not graph.feasible(range(8))
    with pytest.raises(ValueError, match="axes of different sizes"):
        compile_placement(machine, weights, MOCK, (1, 1))


def test_a_placement_graph_has_a_site_for_every_leaf():
    costs = np.ones((5, 5), dtype=np.int64)
    with pytest.raises(ValueError, match="5 sites for 6 leaves"):
        PlacementGraph(MOCK, costs, (1, 1))
    graph = PlacementGraph(MOCK, np.ones((6, 6), dtype=np.int64) - np.eye(6, dtype=np.int64), (1, 1))
    assert graph.weights(range(6)) == (6, 3)
    parallelism = CostGraph((Variable("v", 9, Words("dmo", 2)),), ({},), (), Objective({"c": Fraction(1)}))
    assert wide(JointGraph(parallelism, "c", graph)).most == (6, 3)


def test_every_leaf_sends_to_each_of_its_peers():
    problem = problem_of(CHAIN)
    words = {"fc1": "dm", "fc2": "mo"}
    breakdown = Breakdown(((30, 12), (6, 0)), ((18, 24),), ((0, 6),), words)
    parts = by_phase(problem.work, words, breakdown)
    traffic = traffic_of(ring(6), range(6), parts, MOCK)
    sent = list(matrix(traffic))
    for part, level in product(parts, range(2)):
        mine = [one for one in sent if one.part == part and one.level == level]
        assert sum(one.amount for one in mine) == part.levels[level]
        assert len(mine) == (MOCK.routes(level) if part.levels[level] else 0)
    step = build_step(problem.work, words, breakdown, range(6), seconds_of(problem.work), Limits(), MOCK)
    moved = [
        (one.part, one.phase, one.level, one.source, one.target, one.amount)
        for one in step.tasks
        if isinstance(one, Transfer)
    ]
    assert sorted(moved) == sorted((x.part.name, x.part.phase, x.level, x.source, x.target, x.amount) for x in sent)
    assert max(len(one.waits_for) for one in step.tasks) > 2  # what comes from two other nodes, and what was there


def test_leaves_are_shown_by_their_coordinates():
    machine = line(6)
    walked = walk(machine, range(6), partition=MOCK)
    measured = weigh(machine, walked, [MOCK.routes(level) for level in range(2)])
    figure = links_figure(PlacedArray("line", machine, tuple(range(6)), "canonical", measured))
    assert [node["w"] for node in figure.spec["datasets"][NODES]] == ["00", "01", "10", "11", "20", "21"]
    assert len({node["g"] for node in figure.spec["datasets"][NODES]}) == 6


@pytest.mark.parametrize("partition", [MOCK, UNEVEN])
def test_what_is_written_for_halves_refuses_all_else(partition):
    problem, words = problem_of(CHAIN), {"fc1": "dd", "fc2": "mm"}
    graph = PlacementGraph(partition, np.ones((6, 6), dtype=np.int64), (1, 1))
    run = Run("test")
    for refused in (
        lambda: CostModel(6, partition),
        lambda: communication(problem.work, words, ExchangeSetting(6, partition, "published", 4)),
        lambda: lower_bound(graph, run),
        lambda: least_weights(graph),
        lambda: bisected(graph, graph.pair_costs),
        lambda: PriceTables.of(graph),
        lambda: Symmetry.of(graph, run),
    ):
        with pytest.raises(ValueError, match=r"does not halve every group, and this is about halves"):
            refused()
