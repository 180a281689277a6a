"""What each device keeps: known figures of a block, and elements counted on random graphs."""

from __future__ import annotations

from collections import Counter

import pytest
from block import block, megatron, strategies
from elements import kept
from helpers import each
from random_operators import random_graph, random_partition, random_storage, random_strategies

from hypar_opt.evaluation.operators import movements, operator_plan, resident
from hypar_opt.evaluation.operators.peak import occupied
from hypar_opt.instance.hardware.accelerator import OPTIMISERS
from hypar_opt.util.partition import Axis, Partition
from tests.instance.operators.made import graph_of

FOUR = Partition((Axis("gpu", 4),))
MATRIX, HIDDEN_MATRIX = 64 * 64 * 4, 64 * 256 * 4
ROWS, HIDDEN_ROWS = 8 * 32 * 64 * 4, 8 * 32 * 256 * 4


def of_block(chosen, storage=()):
    plan = operator_plan(block(), FOUR, chosen, dict(storage))
    return resident(block(), FOUR, plan, OPTIMISERS["adam"])


@pytest.mark.parametrize(
    ("storage", "parts"),
    [("replicated", (1, 1, 1)), ("zero-1", (1, 1, 4)), ("zero-2", (1, 4, 4)), ("zero-3", (4, 4, 4))],
)
def test_parameters_by_storage(storage, parts):
    up = of_block(strategies("batch"), {"up": storage})["up"]
    assert up == {
        "parameters": HIDDEN_MATRIX / parts[0],
        "gradients": HIDDEN_MATRIX / parts[1],
        "states": 2 * HIDDEN_MATRIX / parts[2],
        "maps": ROWS / 4,
    }


def test_what_is_split_is_not_split_again_by_its_storage():
    plans = (megatron("none", "out", "in", "heads"), {"up": "zero-3"})
    assert of_block(*plans)["up"] == of_block(plans[0])["up"]


def test_a_map_is_kept_as_it_lies_and_by_who_needs_it_otherwise():
    maps = {name: kinds.get("maps", 0) for name, kinds in of_block(strategies("batch")).items()}
    assert maps["one"] == ROWS / 4
    assert maps["middle"] == 2 * ROWS / 4  # of x, too, which everyone loads for itself
    assert (maps["query"], maps["key"], maps["value"]) == (ROWS / 4, 0, 0)
    assert maps["attention"] == 4 * ROWS / 4  # its output, too, which serves the projection
    assert maps["down"] == HIDDEN_ROWS / 4
    apart = of_block(strategies("batch", key="sequence"))
    assert apart["key"]["maps"] == ROWS / 4


@pytest.mark.parametrize(("kind", "maps"), [("add", (1, 0)), ("multiply", (1, 1))])
def test_what_its_own_operator_reads_again_is_kept_once(kind, maps):
    """Of a softmax the output is, which serves a product behind it, too; a sum does not keep it."""
    layers = [
        {"name": "first", "linear": {"features": 8}},
        {"name": "other", "linear": {"features": 8}},
        {"name": "shares", "inputs": ["first"], "softmax": {}},
        {"name": "reader", "inputs": ["shares", "other"], kind: {}},
    ]
    graph = graph_of(layers, batch=4)
    words = ("first", "other", "shares", "reader", "first:forward", "first:gradient")
    plan = operator_plan(graph, FOUR, dict.fromkeys(words, "batch"))
    kept = resident(graph, FOUR, plan, OPTIMISERS["sgd"])
    assert [kept[name].get("maps", 0) for name in ("shares", "reader")] == [count * 6 * 8 * 4 for count in maps]
    turn = occupied(graph, FOUR, plan, OPTIMISERS["sgd"])[len(graph.operators) - 1]
    assert turn.parts["maps"] == sum(kinds.get("maps", 0) for kinds in kept.values())


@each("seed", range(150), quick=20)
def test_elements(seed):
    partition = random_partition(seed, most=4 if seed < 20 else 8)
    graph = random_graph(seed, steps=3, pool=(2, 3, partition.leaves))
    chosen = random_strategies(seed, graph, partition, divisible=False)
    if chosen is None:
        return
    storage = random_storage(seed, graph)
    plan = operator_plan(graph, partition, chosen, storage)
    found = Counter()
    for kinds in resident(graph, partition, plan, OPTIMISERS["adam"]).values():
        found.update(kinds)
    assert found == kept(graph, partition, plan.words, plan.shared, storage, states=2)


@pytest.mark.parametrize(("how", "backward"), [("copy", 1), ("shared", 2)])
def test_rows_of_neighbours_come_again_where_no_copy_is_kept(how, backward):
    layers = [
        {"name": "first", "conv": {"filters": 2, "kernel": 1}},
        {"name": "wide", "conv": {"filters": 2, "kernel": 3, "pad": 1}},
        {"name": "beside", "inputs": ["first"], "activation": {}},
    ]
    graph, partition = graph_of(layers, [2, 8, 8]), Partition((Axis("gpu", 2),))
    words = dict.fromkeys(("first", "wide", "beside", "first:forward", "first:gradient"), "height")
    plan = operator_plan(graph, partition, words, kept={"wide": how})
    halos = Counter({"forward": 0})
    for one in movements(graph, partition, plan):
        halos[one.phase] += one.bytes if one.kind == "halo" else 0
    rows = 2 * 4 * 2 * 8 * 4  # one each way, of samples, channels and columns
    assert (halos["forward"], halos["backward"]) == (rows, backward * rows)
