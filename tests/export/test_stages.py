"""Stages of conversions, and the order of axes that they need."""

from __future__ import annotations

import pytest
from exported import CHAIN, LENET, instance_of, step_of

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, AxisPlacement
from hypar_opt.export.jax.program import jax_program
from hypar_opt.export.lying import Dealing, DealtAxes, Digit
from hypar_opt.export.stages import ConversionStage, lacks_parts, stages
from hypar_opt.util.errors import Refusal

ROWS, COLUMNS = AxisPlacement(0), AxisPlacement(1)


def found(have, need, orders=((0, 1), (0, 1))):
    return tuple(stages((8, 8), orders, (2, 4), have, need, (1, 0)))


@pytest.mark.parametrize(
    ("have", "need", "expected"),
    [
        ((ROWS, WHOLE), (ROWS, WHOLE), ()),
        ((WHOLE, WHOLE), (ROWS, WHOLE), (ConversionStage("slice", (0,), (Digit(0, 0),)),)),
        # the outer axis's digit is there as long as it does not split: two blocks lie before
        ((WHOLE, WHOLE), (WHOLE, ROWS), (ConversionStage("slice", (1,), (Digit(1, 0, 2),)),)),
        ((PARTIAL, PARTIAL), (WHOLE, WHOLE), (ConversionStage("all-reduce", (0, 1)),)),
        ((ROWS, COLUMNS), (WHOLE, COLUMNS), (ConversionStage("all-gather", (0,), (Digit(0, 0),)),)),
        # both change at once, and each puts its digit back where the other axis's is still missing or is there
        (
            (ROWS, COLUMNS),
            (COLUMNS, ROWS),
            (ConversionStage("all-to-all", (0, 1), (Digit(0, 1), Digit(1, 0)), (Digit(0, 0), Digit(1, 1))),),
        ),
        ((WHOLE, ROWS), (PARTIAL, ROWS), None),
    ],
)
def test_stages(have, need, expected):
    if expected is None:
        assert [one.name for one in found(have, need)] == ["slice", "embed"]
    else:
        assert found(have, need) == expected


def test_sums_are_scattered_where_something_comes_between():
    names = [one.name for one in found((PARTIAL, ROWS), (WHOLE, WHOLE))]
    assert names == ["reduce-scatter", "all-gather"]


def test_parts_that_are_filled_up_are_cut_to_size_between():
    # five rows are three on two devices, and two on four: the fast axis's digit is the outer one
    gathers = tuple(stages((5,), ((1, 0),), (2, 2), (ROWS, ROWS), (WHOLE, WHOLE), (1, 0)))
    assert gathers == (
        ConversionStage("all-gather", (0,), (Digit(0, 0, 1, 3),)),
        ConversionStage("all-gather", (1,), (Digit(1, 0, 1, 5),)),
    )
    (slices,) = stages((5,), ((1, 0),), (2, 2), (WHOLE, WHOLE), (ROWS, ROWS), (1, 0))
    assert slices.cuts == (Digit(1, 0, 1, 5), Digit(0, 0, 1, 3))


def test_parts_that_are_filled_up_in_another_order_are_refused():
    with pytest.raises(Refusal, match="in another order"):
        list(stages((5,), ((0, 1),), (2, 2), (ROWS, ROWS), (WHOLE, WHOLE), (1, 0)))
    # the outer axis goes to columns while the inner one, which is gathered at last, has parts of its parts
    ways = (2, 2), (ROWS, ROWS), (WHOLE, COLUMNS), (1, 0)
    with pytest.raises(Refusal, match="in another order"):
        list(stages((5, 4), ((1, 0), (1,)), *ways))
    assert [one.name for one in stages((5, 4), (DealtAxes((1, 0)), (1,)), *ways)] == ["all-to-all", "all-gather"]


def test_what_two_axes_cut_into_no_equal_parts_is_dealt_out():
    orders = (DealtAxes((1, 0)),)
    # of five rows a device has three, along either axis alone, and two along both
    turned = tuple(stages((5,), orders, (2, 2), (ROWS, WHOLE), (WHOLE, ROWS), (1, 0)))
    assert turned == (
        ConversionStage("slice", (1,), (Digit(1, 0, 1, 3, Dealing(5, (1, 0), (0,))),)),
        ConversionStage("all-gather", (0,), (Digit(0, 0, 1, 3, Dealing(5, (1, 0), (1,))),)),
    )


def test_sums_are_scattered_along_what_stays_as_it_is():
    # five rows on the other axis become five columns; of the four planes half are summed up on each device
    (summed, *_, gathered) = stages((5, 5, 4), ((1,), (1,), ()), (2, 2), (PARTIAL, ROWS), (WHOLE, COLUMNS), (1, 0))
    assert (summed.name, gathered.name) == ("reduce-scatter", "all-gather")
    assert summed.cuts == gathered.cuts == (Digit(0, 2),)
    whole = tuple(stages((5, 5, 3), ((1,), (1,), ()), (2, 2), (PARTIAL, ROWS), (WHOLE, COLUMNS), (1, 0)))
    assert [one.name for one in whole] == ["all-reduce", "all-to-all"]
    assert lacks_parts(whole)
    assert not lacks_parts(whole[:1])


def test_outermost_axis_first_where_nothing_else_is_needed():
    step = step_of(instance_of(CHAIN, 8, a=2, b=2), {"fc1": "batch batch", "fc2": "batch out", "fc3": "batch in"})
    assert step.layouts.orders["fc1", 0] == (0, 1)


def test_rows_under_windows_lie_side_by_side():
    words = {"conv1": "out height", "pool1": "channels height", "conv2": "batch out", "pool2": "batch channels",
             "fc1": "in batch", "fc2": "batch batch"}  # fmt: skip
    orders = step_of(instance_of(LENET, 8, a=2, b=2), words).layouts.orders
    assert orders["conv1", 2] == (1,)


@pytest.mark.parametrize(
    ("layer", "said"),
    [
        (
            {"conv": {"filters": 2, "kernel": 3, "pad": 4, "dilation": 4}},
            "'it' slides over height, 10, .* without gaps",
        ),
        (
            {"pool": {"kernel": 3, "stride": 1, "pad": 1}},
            "'it' slides over parts of an input, 'input', that are filled up",
        ),
    ],
)
def test_rows_that_are_filled_up_and_refused(layer, said):
    instance = instance_of({"input": [2, 10, 4], "layers": [{"name": "it", **layer}]}, 4, {"splits": "padded"}, a=4)
    with pytest.raises(Refusal, match=said):
        jax_program(step_of(instance, {"it": "height"}, padded=True))


def test_rows_on_axes_that_leave_no_common_blocks_are_refused():
    words = {"conv1": "height out", "pool1": "channels height", "conv2": "batch out", "pool2": "batch channels",
             "fc1": "in batch", "fc2": "batch batch"}  # fmt: skip
    with pytest.raises(Refusal, match="leave no common blocks"):
        _ = step_of(instance_of(LENET, 8, a=2, b=4), words).layouts
