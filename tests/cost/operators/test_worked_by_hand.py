"""Small plans whose bytes are worked out on paper, on 2 and on 4 devices along one axis, beside both computations.

Written a for the number of devices and T for the bytes of a whole tensor, four a number: an all-gather or a
reduce-scatter is received as (a - 1) T over all devices, an all-to-all as (a - 1) / a T, an all-reduce as 2 (a - 1) T.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.evaluation.operators import movements
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_problem import OperatorProblem

DEVICES = pytest.mark.parametrize("a", [2, 4])


def moved(a, batch, shape, layers, words):
    """Return bytes forward, backward and in the update of a plan with one word each; the cost model has their sum."""
    document = {"schema": "hypar-opt/instance/1", "name": "by-hand", "batch": batch}
    network = {"input": shape, "layers": layers}
    array = {"axes": [{"name": "gpu", "size": a}]}
    problem = OperatorProblem(OperatorInstance.from_dict({**document, "network": network, "array": array}))
    one = problem.instance
    found = dict.fromkeys(("forward", "backward", "update"), Fraction(0))
    for part in movements(one.graph, one.partition, problem.plan_of(words), one.links):
        found[part.phase] += part.bytes
    compiled = Fraction(problem.whole.value(problem.choices(words)), problem.whole.objective.denominator)
    assert compiled == sum(found.values())
    return tuple(found.values())


def grouped(a, attention, linear):
    """Return what attention of 8 heads that share 4 heads of keys and values moves: queries 4 KiB, these 2 KiB each."""
    layers = [
        {"name": "q", "linear": {"features": 32}},
        {"name": "k", "inputs": ["input"], "linear": {"features": 16}},
        {"name": "v", "inputs": ["input"], "linear": {"features": 16}},
        {"name": "attend", "inputs": ["q", "k", "v"], "attention": {"heads": 8, "key_heads": 4}},
    ]
    words = {**dict.fromkeys("qkv", linear), "attend": attention}
    return moved(a, 4, {"sequence": 8, "features": 8}, layers, words)


@DEVICES
def test_groups_of_heads_stay_where_their_keys_are(a):
    """Columns of the three layers are the heads' groups, so that nothing moves: inputs are loaded, weights in parts."""
    assert grouped(a, "heads", "out") == (0, 0, 0)


@DEVICES
def test_from_columns_to_the_batch_all_three_are_exchanged(a):
    """All-to-alls of 4,096 + 2,048 + 2,048 bytes there, and of their gradients back; weights are in parts."""
    exchanged = Fraction(a - 1, a) * (4096 + 2048 + 2048)
    assert grouped(a, "batch", "out") == (exchanged, exchanged, 0)


@DEVICES
def test_positions_need_all_keys_and_values(a):
    """Gathers of keys and values, 2,048 bytes each; their gradients are sums over parts of the queries, scattered.

    Every part of the sequence has its share of the gradients of 8 x 32, 8 x 16 and 8 x 16 weights: all-reduces.
    """
    gathered = (a - 1) * (2048 + 2048)
    assert grouped(a, "sequence", "sequence") == (gathered, gathered, 2 * (a - 1) * 4 * 8 * (32 + 16 + 16))


@DEVICES
def test_rows_of_an_embedding_make_partial_sums(a):
    """Each part knows some words only: 4 x 8 x 8 numbers, 1,024 bytes, are partial, and scattered along the batch.

    Back every part needs all gradients for its words: a gather. Its rows are its own; the 8 x 4 weights behind are not.
    """
    layers = [
        {"name": "table", "embedding": {"vocabulary": 16, "features": 8}},
        {"name": "out", "linear": {"features": 4}},
    ]
    found = moved(a, 4, {"sequence": 8}, layers, {"table": "vocabulary", "out": "batch"})
    assert found == ((a - 1) * 1024, (a - 1) * 1024, 2 * (a - 1) * 4 * 8 * 4)


@DEVICES
def test_rows_of_an_embedding_that_nobody_reads_are_added_up(a):
    """An all-reduce of 1,024 bytes, and no gradient comes back."""
    layers = [{"name": "table", "embedding": {"vocabulary": 16, "features": 8}}]
    assert moved(a, 4, {"sequence": 8}, layers, {"table": "vocabulary"}) == (2 * (a - 1) * 1024, 0, 0)


@DEVICES
def test_side_by_side_each_comes_from_where_it_is(a):
    """Of two maps of 4 x 8 numbers, 128 bytes, that along the batch stays; that in columns goes to the batch and back.

    The first one's 8 x 8 weights are whole on each device, the second one's in parts.
    """
    layers = [
        {"name": "left", "linear": {"features": 8}},
        {"name": "right", "inputs": ["input"], "linear": {"features": 8}},
        {"name": "both", "inputs": ["left", "right"], "concat": {}},
    ]
    found = moved(a, 4, {"features": 8}, layers, {"left": "batch", "right": "out", "both": "batch"})
    exchanged = Fraction(a - 1, a) * 128
    assert found == (exchanged, exchanged, 2 * (a - 1) * 4 * 8 * 8)


@DEVICES
def test_what_is_cut_is_exchanged_once_for_all_parts(a):
    """A map of 4 x 16 numbers, 256 bytes, in columns, is cut along these: once to the batch, once its gradient back."""
    layers = [
        {"name": "fc", "linear": {"features": 16}},
        {"name": "cut", "split": {"over": "features", "into": 2}},
    ]
    words = {"fc": "out", "fc:forward": "batch", "fc:gradient": "batch", "cut.0": "batch", "cut.1": "batch"}
    exchanged = Fraction(a - 1, a) * 256
    assert moved(a, 4, {"features": 8}, layers, words) == (exchanged, exchanged, 0)


@DEVICES
def test_tokens_go_to_experts_and_come_back(a):
    """Of 16 samples each of 4 experts gets 4: 4 x 4 x 8 numbers, 512 bytes, go from the batch to experts and back.

    Two all-to-alls forward, two backward; the experts' weights are in parts, those of the layer in front, 8 x 8, and
    of the router, 4 x 8, are whole on each device.
    """
    layers = [
        {"name": "fc", "linear": {"features": 8}},
        {"name": "moe", "experts": {"count": 4, "top": 1, "hidden": 8}},
    ]
    batch, experts = ("router", "softmax", "dispatch"), ("up", "activation", "down")
    words = {f"moe.{name}": "batch" for name in batch} | {f"moe.{name}": "experts" for name in experts}
    words |= {f"{name}{end}": "batch" for name in ("fc", "moe.softmax") for end in ("", ":forward", ":gradient")}
    exchanged = 2 * Fraction(a - 1, a) * 512
    found = moved(a, 16, {"features": 8}, layers, {**words, "moe": "batch"})
    assert found == (exchanged, exchanged, 2 * (a - 1) * 4 * (8 * 8 + 4 * 8))
    # dispatch by experts reads 16 x 8 numbers and 16 x 4 shares, and has a gradient of the former alone
    other = moved(a, 16, {"features": 8}, layers, {**words, "moe": "batch", "moe.dispatch": "experts"})
    assert other == ((a - 1) * 4 * (16 * 8 + 16 * 4) + exchanged / 2, (a - 1) * 4 * 16 * 8 + exchanged / 2, found[2])
