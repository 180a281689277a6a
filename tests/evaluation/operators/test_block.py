"""The figures of a transformer block that generated programs were seen to move."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from block import block, megatron, strategies

from hypar_opt.evaluation.operators import faults, movements, operator_plan, total
from hypar_opt.instance.operators import Statistic
from hypar_opt.util.partition import Axis, Partition

FOUR = Partition((Axis("gpu", 4),))
TWO_BY_TWO = Partition((Axis("node"), Axis("gpu")))
SCATTERED = megatron("sequence", "out", "in", "heads") | {"one": "none", "one:forward": "whole"}
BEST_ON_FOUR = strategies(
    "batch",
    **dict.fromkeys(("query", "key", "value", "up"), "out"),
    one="none",
    one_forward="whole",
    attention="heads",
    gelu="width",
    down="in",
)
BEST_ON_TWO_BY_TWO = strategies(
    "batch sequence",
    **dict.fromkeys(("query", "key", "value"), "out out"),
    one="none none",
    one_forward="whole whole",
    attention="heads heads",
    up="batch out",
    gelu="batch width",
    down="batch in",
)


@pytest.mark.parametrize(
    ("partition", "chosen", "expected"),
    [
        pytest.param(FOUR, strategies("batch"), 1_179_648, id="batch"),
        pytest.param(FOUR, megatron("none", "out", "in", "heads"), 1_179_648, id="megatron"),
        pytest.param(FOUR, SCATTERED, 1_179_648, id="megatron-with-sequence"),
        pytest.param(FOUR, strategies("sequence"), 1_966_080, id="sequence"),
        pytest.param(
            TWO_BY_TWO, megatron("batch none", "batch out", "batch in", "batch heads"), 786_432, id="batch-by-megatron"
        ),
        pytest.param(FOUR, BEST_ON_FOUR, 983_040, id="best-on-four"),
        pytest.param(TWO_BY_TWO, BEST_ON_TWO_BY_TWO, 720_896, id="best-on-two-by-two"),
    ],
)
def test_bytes(partition, chosen, expected):
    plan = operator_plan(block(), partition, chosen)
    assert not list(faults(block(), partition, plan, divisible=True))
    assert total(movements(block(), partition, plan)) == expected


def collectives(chosen):
    moved = movements(block(), FOUR, operator_plan(block(), FOUR, chosen))
    return Counter((one.phase, one.kind) for one in moved for _ in range(one.collectives))


def test_collectives_of_megatron():
    assert collectives(megatron("none", "out", "in", "heads")) == {
        ("forward", "all-reduce"): 2,
        ("backward", "all-reduce"): 1,
    }


def test_collectives_of_megatron_with_sequence_parallelism():
    assert collectives(SCATTERED) == {
        ("forward", "reduce-scatter"): 2,
        ("forward", "all-gather"): 1,
        ("backward", "reduce-scatter"): 1,
        ("backward", "all-gather"): 2,
    }


def test_the_statistics_of_norms_are_all_reduced():
    plan = operator_plan(block(), FOUR, strategies("batch", two="width"))
    sums = [one for one in movements(block(), FOUR, plan) if one.tensor == "two:statistic"]
    assert [(one.phase, one.kind, one.bytes) for one in sums] == [
        (phase, "all-reduce", 2 * 3 * 8 * 32 * 2 * 4) for phase in ("forward", "backward")
    ]


def test_no_collective_is_called_for_sums_of_nothing():
    graph = block()
    sums = replace(graph.operators[0], statistics=(Statistic(("batch", "sequence"), 2, 0),))
    graph = replace(graph, operators=(sums, *graph.operators[1:]))
    moved = movements(graph, FOUR, operator_plan(graph, FOUR, strategies("batch", one="width")))
    assert [one.phase for one in moved if one.tensor == "one:statistic"] == ["forward"]
