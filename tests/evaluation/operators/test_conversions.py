"""What a conversion moves in closed form, and what halos move, by hand."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random

import pytest
from helpers import each

from hypar_opt.evaluation.operators.conversion import converted
from hypar_opt.evaluation.operators.halos import halo
from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, AxisPlacement
from hypar_opt.instance.operators import Operand, Tensor, Window


def factors(size, have, need):
    """Return what a device has before sums are added up, what it needs, has after the sums, and keeps in exchanges."""
    part = Fraction(1, size)
    if need == PARTIAL or (have, need) == (WHOLE, WHOLE):
        return 1, 1, 1, 1
    if have == PARTIAL:
        return 1, 1 if need == WHOLE else part, part, part
    if need == WHOLE:
        return part, 1, part, part
    return part, part, part, part if have in (need, WHOLE) else part * part


@each("seed", range(3000), quick=200)
def test_closed_form(seed):
    random = Random(seed)
    sizes = tuple(random.choice([2, 3, 4, 5, 6, 8]) for _ in range(random.randrange(1, 4)))
    have = tuple(random.choice([AxisPlacement(0), AxisPlacement(1), AxisPlacement(2), WHOLE, PARTIAL]) for _ in sizes)
    need = tuple(
        random.choice(
            [AxisPlacement(0), AxisPlacement(1), AxisPlacement(2), WHOLE, *([PARTIAL] if one == PARTIAL else [])]
        )
        for one in have
    )
    each_axis = [factors(*one) for one in zip(sizes, have, need, strict=True)]
    before, needed, added, stayed = (prod(column, start=Fraction(1)) for column in zip(*each_axis, strict=True))
    shares = converted(sizes, have, need)
    assert sum((one.tensors for one in shares), start=Fraction(0)) == before + needed - added - stayed


@pytest.mark.parametrize("have", [WHOLE, AxisPlacement(1)])
def test_partial_sums_of_what_is_none_are_zeros(have):
    assert converted((2,), (have,), (PARTIAL,)) == ()


def test_an_exchange_along_two_axes_is_one():
    shares = converted((2, 4), (AxisPlacement(0), AxisPlacement(0)), (AxisPlacement(1), AxisPlacement(1)))
    # a device gets 1/64 from each of the seven others: from four across the outer axis
    assert [(one.kind, one.axis, one.tensors, one.calls) for one in shares] == [
        ("all-to-all", 0, Fraction(4, 64), 1),
        ("all-to-all", 1, Fraction(3, 64), 0),
    ]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # (8 + 2)(12 + 1) - 8 * 12 pixels: two rows, one column, two corners, which cross the outer axis
        (("row", "column"), {0: 2 * 12 + 2, 1: 8}),
        (("row", "row"), {0: 2 * 12, 1: 2 * 2 * 12}),
        (("row", "batch"), {0: 2 * 12}),
        (("none", "row"), {1: 2 * 2 * 12}),
        (("none", "batch"), {}),
    ],
)
def test_halos(word, expected):
    windows = {"row": Window(8, kernel=3, before=1), "column": Window(12, kernel=2)}
    operand = Operand("map", ("batch", "row", "column"), windows)
    found = halo(Tensor("map", (4, 8, 12)), operand, word, (2, 2))
    assert found == {axis: pixels * 4 * 4 for axis, pixels in expected.items()}
