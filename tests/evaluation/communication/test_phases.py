"""Which bytes move in which phase, by hand and against the formulas."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from bank.random_networks import random_document
from cost.direct_formula import BEHIND_CHANNELS, QUARTERS, count, keeps
from helpers import document, each, linear_chain, problem_of

from hypar_opt.evaluation.communication import PHASES, PhaseExchange, by_phase

TWO = linear_chain(4, 4)


def parts_of(problem, strategies):
    return by_phase(problem.work, strategies, problem.bytes_of(strategies))


@pytest.mark.parametrize(("accounting", "error"), [("published", (32, 16)), ("receiver", (32, 32))])
def test_two_layers_by_hand(accounting, error):
    # |W| = 16, |F| = 8 (batch 2); the amounts are those of test_boxes, told apart: fc1's m sums F[2] forward,
    # its d the gradient; m -> d lacks half of E, 8 x 4; d -> m a quarter each of F and E
    problem = problem_of(document(TWO, [4], batch=2, levels=2, accounting=accounting))
    assert parts_of(problem, {"fc1": "md", "fc2": "dm"}) == (
        PhaseExchange("fc1", "layer", "forward", (64, 0)),
        PhaseExchange("fc1", "layer", "gradient", (0, 128)),
        PhaseExchange("fc2", "layer", "forward", (0, 64)),
        PhaseExchange("fc2", "layer", "gradient", (128, 0)),
        PhaseExchange("fc1 -> fc2", "boundary", "forward", (0, 16)),
        PhaseExchange("fc1 -> fc2", "boundary", "backward", error),
    )


def test_output_parallelism_sums_backward():
    problem = problem_of(document(linear_chain(4), [4], batch=2, choices=["dp", "mp", "op"]))
    assert parts_of(problem, {"fc1": "o"}) == (PhaseExchange("fc1", "layer", "backward", (64,)),)


def test_what_as_evaluated_leaves_out_is_in_no_phase():
    problem = problem_of(document(TWO, [4], batch=2, accounting="as-evaluated"))
    assert {part.kind for part in parts_of(problem, {"fc1": "m", "fc2": "d"})} == {"layer"}


def test_a_join_sums_nothing():
    layers = [
        {"name": "a", "conv": {"filters": 2, "kernel": 1}, "inputs": ["input"]},
        {"name": "b", "conv": {"filters": 2, "kernel": 1}, "inputs": ["input"]},
        {"name": "sum", "add": {}, "inputs": ["a", "b"]},
    ]
    parts = parts_of(problem_of(document(layers, [2, 2, 2])), {"a": "d", "b": "d", "sum": "m"})
    assert {part.name for part in parts} == {"a", "b", "a -> sum", "b -> sum"}


@each("seed", range(6000, 6200), quick=10)
def test_the_parts_are_the_breakdown(seed):
    problem, strategies = drawn(seed)
    breakdown = problem.bytes_of(strategies)
    parts = by_phase(problem.work, strategies, breakdown)
    for h in range(problem.instance.levels):
        assert sum(part.levels[h] for part in parts) == breakdown.level(h)
    assert {part.phase for part in parts} <= set(PHASES)
    assert all(any(part.levels) for part in parts)


@each("seed", range(6000, 6200), quick=10)
def test_f_and_e_are_as_in_the_tables(seed):
    problem, strategies = drawn(seed)
    if problem.instance.accounting == "leaf-exact":
        problem = problem_of(random_document(seed, most_layers=10, most_levels=5), accounting="published")
    breakdown, layers = problem.bytes_of(strategies), problem.work.layers
    for edge, *rows in zip(problem.work.boundaries, breakdown.forward, breakdown.backward, strict=True):
        words = [strategies[layers[i].name] for i in (edge.producer, edge.reader)]
        assert [list(row) for row in rows] == tables(problem, edge, words)


def tables(problem, edge, words):
    """Quarters of F, boxed by the reader, and of E, boxed by the reader or the receiver; bytes at each level."""
    one, joins = problem.instance, keeps(problem.work.layers[edge.producer])
    rows = [[], []]
    for h, pair in enumerate(zip(*words, strict=True)):
        free = one.accounting == "as-evaluated" and pair[0] == "m" and not joins
        quarters = (0, 0) if free else (BEHIND_CHANNELS if joins else QUARTERS)["".join(pair)]
        reader = 2 ** count(words[1][:h], "dm")
        producer = 2 ** count(words[0][:h], "dm" if joins else "do")
        boxes = (reader, producer if one.accounting == "receiver" else reader)
        for row, quarter, box in zip(rows, quarters, boxes, strict=True):
            row.append(Fraction(quarter * one.batch * edge.feature * 2**h * 2 * one.bytes_per_element, 4 * box))
    return rows


def drawn(seed):
    problem = problem_of(random_document(seed, most_layers=10, most_levels=5))
    rng = Random(seed)
    choices = tuple(rng.randrange(variable.size) for variable in problem.graph.variables)
    return problem, problem.strategies(choices)


def test_fractions_of_a_byte_stay_exact_and_whole_sums_are_integers():
    problem = problem_of(
        document(linear_chain(1, 1), [1], batch=1, levels=3, accounting="leaf-exact", bytes_per_element=2)
    )
    breakdown = problem.bytes_of({"fc1": "ddd", "fc2": "mmm"})
    # F and E each: 2 bytes x 8 leaves x (1/8 - 1/64), half of it at the first level, then half of the half
    assert breakdown.forward == breakdown.backward == ((1, Fraction(1, 2), Fraction(1, 4)),)
    assert breakdown.inter == ((2, 1, Fraction(1, 2)),)
    assert [type(count) for count in breakdown.inter[0]] == [int, int, Fraction]


def test_rows_that_do_not_belong_together_are_not_cut_short():
    problem = problem_of(document(TWO, [4], levels=1))
    strategies = {"fc1": "d", "fc2": "m"}
    breakdown = problem.bytes_of(strategies)
    with pytest.raises(ValueError, match="shorter"):
        by_phase(problem.work, strategies, replace(breakdown, backward=()))
