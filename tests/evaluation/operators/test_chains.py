"""Chains of linear layers on halves: the closed formula that programs with explicit collectives agree with."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from helpers import each

from hypar_opt.evaluation.operators import movements, operator_plan, total
from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor
from hypar_opt.util.partition import Axis, Partition

LETTERS = {"d": "batch", "m": "in", "o": "out"}


def chain(batch, widths):
    operators = []
    for number, (read, written) in enumerate(pairwise(widths)):
        name, before = f"l{number}", f"l{number - 1}" if number else "x"
        operands = (Operand(before, ("batch", "in")), Operand(f"{name}.weight", ("in", "out")))
        sizes = {"batch": batch, "in": read, "out": written}
        output = Operand(name, ("batch", "out"), saved=False)
        operators.append(Operator(name, "linear", name, sizes, tuple(sizes), operands, output))
    tensors = [
        Tensor("x", (batch, widths[0]), "input", has_gradient=False),
        *(Tensor(one.name, (batch, one.sizes["out"])) for one in operators),
        *(Tensor(f"{one.name}.weight", (one.sizes["in"], one.sizes["out"]), "parameter") for one in operators),
    ]
    return OperatorGraph({one.name: one for one in tensors}, tuple(operators))


def formula(batch, widths, words):
    """Return sum 2 b |W| (2^d - 1) + sum 2 b |F| (2^m + 2^o - 1 - 2^-z), and of the last layer 2 b |F| (2^m - 1)."""
    found = sum(
        8 * read * written * (2 ** word.count("d") - 1)
        for (read, written), word in zip(pairwise(widths), words, strict=True)
    )
    for (one, other), width in zip(pairwise(words), widths[1:], strict=False):
        fused = sum(pair in (("d", "m"), ("o", "d")) for pair in zip(one, other, strict=True))
        found += 8 * batch * width * (2 ** one.count("m") + 2 ** other.count("o") - 1 - 1 / 2**fused)
    return found + 8 * batch * widths[-1] * (2 ** words[-1].count("m") - 1)


@each("seed", range(1000), quick=60)
def test_formula(seed):
    random = Random(seed)
    levels, length = random.randrange(1, 5), random.randrange(1, 5)
    batch, *widths = (16 * random.randrange(1, 9) for _ in range(length + 2))
    words = ["".join(random.choices("dmo", k=levels)) for _ in range(length)]
    graph = chain(batch, widths)
    partition = Partition(tuple(Axis(f"level{level}") for level in range(levels)))
    chosen = {f"l{number}": " ".join(LETTERS[letter] for letter in word) for number, word in enumerate(words)}
    moved = movements(graph, partition, operator_plan(graph, partition, chosen))
    assert total(moved) == formula(batch, widths, words)


def of_kind(moved, kind):
    return [(one.axis, one.bytes, one.collectives) for one in moved if one.kind == kind]


def test_which_axis_carries_what():
    graph = chain(4, (4, 4))
    partition = Partition((Axis("node"), Axis("gpu", 4)))
    plan = operator_plan(graph, partition, {"l0": "batch batch"})
    whole, kind = 8 * 4 * 4 * 4, "all-reduce"
    inner, outer = whole * 3 // 4, whole // 8
    # gpu scatters the whole and gathers in the end; node adds up quarters
    assert of_kind(movements(graph, partition, plan), kind) == [("node", 2 * outer, 1), ("gpu", 2 * inner, 1)]


@pytest.mark.parametrize(
    ("storage", "expected"),
    [
        ("replicated", {("update", "all-reduce"): 2}),
        ("zero-1", {("update", "reduce-scatter"): 1, ("update", "all-gather"): 1}),
        ("zero-2", {("update", "reduce-scatter"): 1, ("update", "all-gather"): 1}),
        ("zero-3", {("forward", "all-gather"): 1, ("backward", "all-gather"): 1, ("update", "reduce-scatter"): 1}),
    ],
)
def test_parameters_by_storage(storage, expected):
    graph, partition = chain(12, (4, 4)), Partition((Axis("node"), Axis("gpu", 3)))
    moved = movements(graph, partition, operator_plan(graph, partition, {"l0": "batch batch"}, {"l0": storage}))
    found = Counter()
    for one in moved:
        found[one.phase, one.kind] += one.bytes
    assert found == {key: times * 5 * 4 * 4 * 4 for key, times in expected.items()}
