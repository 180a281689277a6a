"""Megatron's plan for a transformer block: its collectives, its bytes, and where none is better."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from hypar_opt.evaluation.operators import faults, movements, operator_plan, total
from hypar_opt.instance import load
from hypar_opt.solver.solve import solve
from hypar_opt.studies.operators.blocks import GPT_2, LLAMA_3, SMALL
from hypar_opt.studies.operators.formulae import megatron_block, sent_by
from hypar_opt.studies.operators.megatron import megatron, positions_up_to
from hypar_opt.util.errors import InputError
from tests.helpers import each


def moved(instance, tensor=("gpu",), *, sequence=False):
    """Return what Megatron's plan moves, which is a plan."""
    strategies = megatron(instance.graph, instance.partition, tensor, sequence=sequence)
    plan = operator_plan(instance.graph, instance.partition, strategies)
    assert list(faults(instance.graph, instance.partition, plan, divisible=True)) == []
    return movements(instance.graph, instance.partition, plan)


def collectives(found):
    counted = Counter()
    for one in found:
        counted[one.phase, one.axis, one.kind] += one.collectives
    return counted


def least(instance):
    plan = solve(instance, "joint-dp")
    assert plan.status == "OPTIMAL"
    return plan.communication_bytes


@each("case", [(GPT_2, 2), (GPT_2, 4), (GPT_2, 12), (LLAMA_3, 2), (LLAMA_3, 8)])
def test_two_all_reduces_forward_and_two_backward(case):
    block, devices = case
    instance = block.instance(2, {"gpu": devices})
    found = moved(instance)
    assert collectives(found) == {("forward", "gpu", "all-reduce"): 2, ("backward", "gpu", "all-reduce"): 2}
    printed = megatron_block(devices, 2, block.sequence, block.width)
    assert sent_by(found, instance.partition, block.element_bytes) == printed


def test_with_sequence_parallelism_each_all_reduce_is_a_reduce_scatter_and_an_all_gather():
    """And the sums of what norms learn, which only have shards of the sequence."""
    found = moved(GPT_2.instance(2, {"gpu": 4}), sequence=True)
    both = {(phase, "gpu", kind): 2 for phase in ("forward", "backward") for kind in ("reduce-scatter", "all-gather")}
    assert collectives(found) == {**both, ("update", "gpu", "all-reduce"): 4}
    norms = 4 * 2 * 3 * 768 * 4
    assert total(found) == total(moved(GPT_2.instance(2, {"gpu": 4}))) + norms


def test_the_batch_on_the_other_axis_adds_the_sums_of_gradients():
    found = moved(GPT_2.instance(4, {"node": 2, "gpu": 4}))
    counted = collectives(found)
    assert counted == {
        ("forward", "gpu", "all-reduce"): 2,
        ("backward", "gpu", "all-reduce"): 2,
        ("update", "node", "all-reduce"): 16,
    }
    split = 4 * 768**2 + 2 * 768 * 3072 + 3 * 768 + 3072  # matrices, and the biases of those by columns
    whole = 4 * 768 + 2 * 768  # norms, and the biases of those by rows
    updates = sum(one.bytes for one in found if one.phase == "update")
    assert updates == 2 * 4 * (split + 4 * whole)


@pytest.mark.parametrize(("axes", "plan", "best"), [((4,), 1_179_648, 983_040), ((2, 2), 786_432, 720_896)])
def test_the_block_whose_programs_were_counted(axes, plan, best):
    instance = SMALL.instance(8, dict(zip(("node", "gpu")[-len(axes) :], axes, strict=True)))
    assert total(moved(instance)) == plan
    assert least(instance) == best


@each("case", [(GPT_2, 4), (GPT_2, 12), (LLAMA_3, 4), (LLAMA_3, 8)])
def test_it_is_optimal_up_to_a_number_of_positions(case):
    """Behind that the matrix at attention's end is better split along the sequence than by rows."""
    block, devices = case
    most = positions_up_to(block, devices)
    assert most % devices == 0
    for positions, is_optimal in ((most, True), (most + devices, False)):
        instance = replace(block, sequence=positions).instance(1, {"gpu": devices})
        assert (least(instance) == total(moved(instance))) is is_optimal


def test_a_block_of_few_keys_is_better_split_along_the_sequence_first():
    """On two devices: 5 h + 4 against 3 n, as keys and values are gathered that are a quarter as wide."""
    assert positions_up_to(LLAMA_3, 2) == (5 * 4096 + 4) // 3 == 6828
    for positions, is_optimal in ((6828, True), (6830, False)):
        instance = replace(LLAMA_3, sequence=positions).instance(1, {"gpu": 2})
        assert (least(instance) == total(moved(instance))) is is_optimal


@pytest.mark.parametrize(("batch", "times"), [(1, 1), (2, 1.103), (4, 1.775), (32, 14.202)])
def test_of_a_large_batch_it_moves_many_times_the_least(batch, times):
    instance = GPT_2.instance(batch, {"gpu": 4})
    assert round(float(total(moved(instance)) / least(instance)), 3) == times


def test_shipped_networks_of_many_blocks():
    instance = load("llama-3-8b", axes="gpu=8")
    counted = collectives(moved(instance))
    # two a block; what the embedding writes, the loss and its sums; the gradient in front of the last matrix
    assert counted == {("forward", "gpu", "all-reduce"): 2 * 32 + 3, ("backward", "gpu", "all-reduce"): 2 * 32 + 1}


def test_an_axis_that_there_is_not():
    instance = SMALL.instance(8, {"node": 2, "gpu": 2})
    with pytest.raises(InputError, match="there is no axis 'gpus', but node, gpu; did you mean 'gpu'"):
        megatron(instance.graph, instance.partition, ["gpus"])
