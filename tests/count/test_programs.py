"""Exported programs compiled by XLA: they move what is predicted, to the byte, and compute what one device does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
from exported import (
    BLOCKS,
    CHAIN,
    EXPERTS,
    LENET,
    MAPS,
    MASKED,
    RESNET,
    ROWS,
    SFC,
    STAGES,
    TRANSFORMER,
    UNEVEN,
    instance_of,
    padded_steps,
    random_step,
    step_of,
)

from hypar_opt import Instance, solve
from hypar_opt.count.jax_counter import TOLERANCE, count_all
from hypar_opt.export.halves import as_operators
from hypar_opt.export.jax.program import jax_program
from hypar_opt.export.jax.writer import UNPARTED
from hypar_opt.export.planned import planned_step
from hypar_opt.util.errors import Refusal
from hypar_opt.util.extras import installed
from tests.evaluation.operators.random_operators import random_strategies

pytestmark = pytest.mark.skipif(not installed("jax"), reason="JAX is not installed: pip install 'hypar-opt[jax]'")


def check(steps):
    for step, counted in zip(steps, count_all(steps, runs=steps), strict=True):
        assert not counted.different, (step.plan, counted.different)
        assert counted.run.most < TOLERANCE, (step.plan, counted.run)


def test_two_devices():
    words = {"fc1": "out", "fc2": "in", "fc3": "batch"}
    instance = instance_of(CHAIN, 8, gpu=2)
    step = step_of(instance, words)
    (counted,) = count_all([step], runs=[step])
    moved = Counter()
    for line in counted.lines:
        moved[line.tensor, line.kind] += line.counted
    assert moved == {("fc2", "reduce-scatter"): 8 * 96 * 4, ("fc2", "all-gather"): 8 * 96 * 4,
                     ("fc3.weight", "all-reduce"): 2 * 96 * 48 * 4}  # fmt: skip
    assert not counted.different
    assert counted.run.most < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("axes", [{"a": 2, "b": 2}, {"a": 2, "b": 3, "c": 2}, {"a": 4, "b": 4}], ids=str)
def test_chains(axes):
    instance = instance_of(CHAIN, 48, **axes)
    check([random_step(instance, seed, stored=seed % 2 == 1) for seed in range(10)])


@pytest.mark.slow
def test_random_plans_of_sfc():
    instance = instance_of(SFC, 32, a=2, b=2, c=2, d=2)
    check([random_step(instance, seed) for seed in range(12)])


def halves_of(network, batch, levels=2):
    return Instance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "halves",
            "batch": batch,
            "network": network,
            "array": {"topology": "h-tree", "levels": levels},
            "cost": {"accounting": "collective", "splits": "divisible", "choices": ["dp", "mp", "op"]},
        }
    )


@pytest.mark.slow
@pytest.mark.parametrize(("network", "levels"), [(SFC, 1), (LENET, 2)], ids=["sfc", "lenet"])
def test_letters(network, levels):
    steps = []
    instance = halves_of(network, 16, levels)
    for formulation in ("hypar-dp", "data-parallel", "model-parallel", "one-weird-trick", "joint-dp"):
        plan = solve(instance, formulation)
        if plan.strategies is None:  # model parallelism of one input channel
            continue
        step = planned_step(*as_operators(instance, plan.strategies))
        assert sum(one.bytes for one in step.movements) == plan.communication_bytes, formulation
        steps.append(step)
    check(steps)


@pytest.mark.slow
@pytest.mark.parametrize("network", [LENET, RESNET, TRANSFORMER], ids=["lenet", "resnet", "transformer"])
@pytest.mark.parametrize("axes", [{"a": 2, "b": 4}], ids=str)
def test_random_plans(network, axes):
    instance = instance_of(network, 8, **axes)
    steps = []
    for seed in range(4):
        step = random_step(instance, seed, stored=seed % 2 == 1)
        try:
            jax_program(step)
        except Refusal:  # rows of neighbours on axes that leave no common blocks, or too few for parts
            continue
        steps.append(step)
    assert len(steps) > 1
    check(steps)


@pytest.mark.slow
def test_three_that_read_a_tensor_alike():
    layers = [{"name": "first", "linear": {"features": 8}}]
    layers += [{"name": name, "inputs": ["first"], "linear": {"features": 8}} for name in "qkv"]
    instance = instance_of({"input": [8], "layers": [*layers, {"name": "sum", "inputs": [*"qkv"], "add": {}}]}, 8, a=4)
    words = {**dict.fromkeys(("first", "sum"), "batch"), **dict.fromkeys("qkv", "out")}
    step = step_of(instance, {**words, "first:forward": "batch", "first:gradient": "batch"})
    assert sum(one.kind == "all-gather" and one.tensor == "first" for one in step.movements) == 3
    check([step])


@pytest.mark.slow
@pytest.mark.parametrize("storage", ["replicated", "zero-1", "zero-2", "zero-3"])
def test_storages(storage):
    instance = instance_of(CHAIN, 8, a=2, b=2)
    words = {"fc1": "batch batch", "fc2": "batch out", "fc3": "batch in"}
    check([step_of(instance, words, dict.fromkeys(words, storage))])


@pytest.mark.slow
def test_blocks_that_run_once_more():
    instance = instance_of(BLOCKS, 8, a=2, b=2)
    words = random_strategies(1, instance.graph, instance.partition)
    steps = [
        random_step(instance, 1, stored=True, recompute="blocks"),
        step_of(instance, words, recompute="choose", again={"h.1": "yes"}),
    ]
    assert all(any(one.phase == "recompute" and one.bytes for one in step.movements) for step in steps)
    check(steps)


@pytest.mark.slow
@pytest.mark.parametrize("recompute", ["none", "blocks"])
def test_rows_that_are_needed_again(recompute):
    instance, found = instance_of(STAGES, 8, a=2, b=2), []
    for words in ("height batch", "height width"):
        step = random_step(instance, len(found), recompute=recompute)
        given = dict.fromkeys((one.name for one in instance.graph.operators), words)
        plan = replace(step.plan, words={name: tuple(word.split()) for name, word in given.items()})
        found.append(planned_step(instance, plan))
    assert any(one.kind == "halo" and one.phase == "recompute" for step in found for one in step.movements) == (
        recompute == "blocks"
    )
    check(found)


@pytest.mark.slow
def test_the_largest_of_positions_that_are_split():
    layers = [
        {"name": "conv", "conv": {"filters": 4, "kernel": 1}},
        {"name": "most", "global_pool": {"kind": "max"}},
        {"name": "fc", "linear": {"features": 4}},
    ]
    instance = instance_of({"input": [2, 4, 4], "layers": layers}, 4, a=2, b=2)
    check([step_of(instance, {"conv": "height batch", "most": one, "fc": "batch batch"})
           for one in ("height width", "batch height", "none width")])  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("recompute", ["none", "blocks"])
def test_masks_and_sums(recompute):
    instance = instance_of(MASKED, 8, a=2, b=2)
    check([random_step(instance, seed, recompute=recompute) for seed in range(4)])


@pytest.mark.slow
@pytest.mark.parametrize("network", [MAPS, ROWS, EXPERTS], ids=["maps", "rows", "experts"])
def test_other_kinds(network):
    instance = instance_of(network, 8, a=2, b=2)
    check([random_step(instance, 1)])


@pytest.mark.slow
def test_experts_know_the_shares_of_all():
    instance = instance_of(EXPERTS, 8, a=2, b=2)
    steps = [random_step(instance, seed) for seed in (0, 1, 4, 10)]
    assert all({"experts"} & {*step.plan.words["moe.dispatch"], *step.plan.words["moe"]} for step in steps)
    check(steps)


@pytest.mark.slow
def test_experts_are_exchanged_with_the_batch():
    words = {"fc": "batch", "moe.router": "batch", "moe.softmax": "batch", "moe.dispatch": "batch", "moe": "batch",
             "head": "batch", "loss": "batch"}  # fmt: skip
    instance = instance_of(EXPERTS, 8, gpu=4)
    words = {one.name: words.get(one.name, "experts") for one in instance.graph.operators}
    for name in ("fc", "moe.softmax", "moe.dispatch"):
        words[f"{name}:forward"] = words[f"{name}:gradient"] = "batch"
    words["moe.dispatch:forward"] = words["moe.dispatch:gradient"] = "experts"
    step = step_of(instance, words)
    (counted,) = count_all([step], runs=[step])
    exchanged = [(line.tensor, line.phase, line.counted) for line in counted.lines if line.kind == "all-to-all"]
    each = 4 * 16 * 16 * 4 * 3 // 4  # experts, slots and features, of which three quarters come from others
    assert exchanged == [("moe.dispatch", "forward", each), ("moe.dispatch", "backward", each),
                         ("moe.down", "forward", each), ("moe.down", "backward", each)]  # fmt: skip
    assert not counted.different
    assert counted.run.most < TOLERANCE


@pytest.mark.slow
def test_numbers_of_two_bytes():
    step = random_step(instance_of(ROWS, 8, {"bytes_per_element": 2}, a=2, b=2), 1)
    assert not count_all([step], runs=[None])[0].different


@pytest.mark.slow
@pytest.mark.parametrize(
    ("network", "batch", "axes", "count"),
    [(UNEVEN, 6, {"a": 4}, 2), (RESNET, 5, {"a": 2, "b": 2}, 1), (TRANSFORMER, 5, {"a": 2, "b": 2}, 1)],
    ids=["one axis", "maps", "rows"],
)
def test_parts_that_are_filled_up(network, batch, axes, count):
    instance = instance_of(network, batch, {"splits": "padded"}, **axes)
    steps = list(islice(padded_steps(instance, range(100)), count))
    assert any(step.layouts.dealt for step in steps) == (len(axes) > 1)
    check(steps)


@pytest.mark.slow
def test_sums_of_what_falls_into_no_equal_parts_say_so():
    """Of 3 x 5 x 9 numbers on each device half would be scattered; all are added up, and sent on."""
    instance = instance_of(UNEVEN, 6, {"splits": "padded"}, a=2, b=2)
    (step,) = islice(padded_steps(instance, range(100)), 1)
    (counted,) = count_all([step], runs=[step])
    assert {(line.tensor, line.phase, line.reader, line.why) for line in counted.different} == {
        ("fc3", "forward", "sum", UNPARTED)
    }
    assert counted.run.most < TOLERANCE


WINDOWS = [
    ("conv", {"kernel": [7, 1], "pad": [3, 0]}, (4, 8), {"a": 2}, "height"),
    ("conv", {"kernel": 5, "pad": 2}, (4, 8), {"a": 2, "b": 2}, "height height"),
    ("conv", {"kernel": 3, "pad": [2, 4], "dilation": [2, 4]}, (4, 8), {"a": 4, "b": 2}, "height width"),
    ("conv", {"kernel": 2, "pad": [1, 0, 0, 0], "stride": 2}, (8, 8), {"a": 4, "b": 2}, "height width"),
    ("transposed_conv", {"kernel": 4, "pad": 1, "stride": 2}, (4, 4), {"a": 4, "b": 2}, "height width"),
    ("transposed_conv", {"kernel": 3, "pad": 2, "stride": 2, "dilation": 2, "output_pad": 1}, (4, 4),
     {"a": 4, "b": 2}, "height width"),
]  # fmt: skip
"""A kind of layer, its window, the map that it reads, axes, and a word: rows come from further away, and not all do."""


@pytest.mark.slow
def test_rows_that_windows_read():
    steps = []
    for kind, window, size, axes, word in WINDOWS:
        layers = [("first", "conv", {"filters": 2, "kernel": 1}), ("it", kind, {"filters": 2, **window})]
        named = [{"name": name, what: fields} for name, what, fields in (*layers, ("last", "activation", {}))]
        instance = instance_of({"input": [2, *size], "layers": named}, 4, **axes)
        steps.append(step_of(instance, dict.fromkeys(("first", "it", "last"), word)))
    check(steps)


FILLED_ROWS = [
    {"name": "first", "conv": {"filters": 2, "kernel": 1}},
    {"name": "conv", "conv": {"filters": 3, "kernel": 5, "pad": 2}},
    {"name": "up", "transposed_conv": {"filters": 2, "kernel": 3, "pad": 1}},
    {"name": "most", "pool": {"kernel": 3, "stride": 1, "pad": 1}},
    {"name": "mean", "pool": {"kernel": 3, "stride": 1, "pad": 1, "kind": "avg"}},
    {"name": "last", "activation": {}},
]
"""Windows that are read at every row."""


@pytest.mark.slow
def test_rows_of_which_the_last_are_filled_up():
    """Six rows on four devices are two, two, two and none; seven on three are three, three and one."""
    steps = []
    for size, axes, word in (((6, 4), {"a": 4}, "height"), ((7, 5), {"a": 3, "b": 2}, "height width")):
        instance = instance_of({"input": [2, *size], "layers": FILLED_ROWS}, 4, {"splits": "padded"}, **axes)
        words = {one.name: word for one in instance.graph.operators}
        steps.append(step_of(instance, words, padded=True))
    check(steps)
