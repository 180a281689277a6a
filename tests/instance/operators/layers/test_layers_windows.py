"""Convolutions and pooling along one, two and three dimensions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators import Window
from hypar_opt.instance.operators.layers.windows import Sliding, linear_upsampling
from hypar_opt.util.errors import NetworkError
from tests.instance.operators.made import graph_of, one, reads


def windows(operator):
    return dict(operator.operands[0].windows)


def test_a_convolution_of_one_group():
    operator, sizes = one("conv", [3, 8, 8], filters=5, kernel=[3, 1], pad=[1, 0], bias=True)
    assert sizes == (4, 5, 8, 8)
    assert set(operator.splits) == {"batch", "in", "out", "height", "width"}
    assert reads(operator) == {
        "input": ("batch", "in", "height", "width"),
        "it.weight": ("out", "in", None, None),
        "it.bias": ("out",),
    }
    assert windows(operator) == {"height": Window(8, kernel=3, before=1)}
    assert operator.multiply_adds == 4 * 5 * 64 * 3 * 3


def test_a_grouped_convolution_is_split_along_its_groups():
    operator, sizes = one("conv", [6, 8, 8], filters=12, kernel=3, groups=3)
    assert sizes == (4, 12, 6, 6)
    assert operator.sizes["groups"] == 3
    assert not {"in", "out"} & set(operator.splits)
    assert reads(operator)["it.weight"] == ("groups", None, None, None)
    assert operator.multiply_adds == 4 * 12 * 36 * 2 * 9


@pytest.mark.parametrize(
    ("shape", "kernel", "names"),
    [([3, 9], 3, ("length",)), ([3, 9, 9, 9], [3, 3, 3], ("depth", "height", "width"))],
)
def test_convolutions_of_one_and_three_dimensions(shape, kernel, names):
    operator, sizes = one("conv", shape, filters=2, kernel=kernel, pad=1)
    assert sizes == (4, 2, *shape[1:])
    assert set(names) <= set(operator.splits)


def test_padding_of_four_sides():
    assert one("pool", [3, 8, 8], kernel=3, stride=2, pad=[0, 0, 1, 1])[1] == (4, 3, 4, 4)
    assert one("conv", [3, 8, 8], filters=2, kernel=3, pad=[2, 1, 0, 0])[1] == (4, 2, 8, 7)


def test_pooling_rounds_up_where_told():
    assert one("pool", [3, 8, 8], kernel=3, stride=2)[1] == (4, 3, 3, 3)
    assert one("pool", [3, 8, 8], kernel=3, stride=2, ceil=True)[1] == (4, 3, 4, 4)


def test_the_largest_is_remembered_and_a_mean_is_not():
    for kind, saved in (("max", True), ("avg", False)):
        conv, pool = {"filters": 3, "kernel": 1}, {"kernel": 2, "kind": kind}
        layers = [{"name": "conv", "conv": conv}, {"name": "it", "pool": pool}]
        assert graph_of(layers, [3, 8, 8]).operators[-1].operands[0].saved == saved


def test_a_transposed_convolution_doubles_a_map():
    operator, sizes = one("transposed_conv", [6, 4, 4], filters=3, kernel=2, stride=2)
    assert sizes == (4, 3, 8, 8)
    assert windows(operator) == {}
    assert operator.sizes["height"] == 4


def test_upsampling_reads_neighbours_where_it_weighs_them():
    operator, sizes = one("upsample", [3, 4, 4], factor=2, kind="linear")
    assert sizes == (4, 3, 8, 8)
    assert set(windows(operator)) == {"height", "width"}
    assert windows(one("upsample", [3, 4, 4], factor=2)[0]) == {}


def test_the_largest_of_all_positions_is_asked_for_in_both_phases():
    conv = {"name": "conv", "conv": {"filters": 3, "kernel": 1}}
    found = graph_of([conv, {"name": "it", "global_pool": {"kind": "max"}}], [3, 4, 4]).operators[-1]
    assert [(one.dims, one.forward, one.backward) for one in found.statistics] == [(("batch", "channels"), 1, 1)]
    assert one("global_pool", [3, 4, 4], kind="max")[0].statistics[0].backward == 0  # nothing in front is trained


def test_global_pooling_sums_over_positions():
    operator, sizes = one("global_pool", [3, 4, 4])
    assert sizes == (4, 3)
    assert {"height", "width"} <= set(operator.splits)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kernel": [1, 1, 1]}, "expected one number or 2, got 3"),
        ({"kernel": 9}, "a kernel that spans 9 does not fit 8 with padding 0"),
        ({"kernel": 1, "groups": 2}, "3 input channels are not divisible into 2 groups"),
        ({"kernel": 1, "pad": [1, 1, 1]}, "expected one number or 2, got 3"),
    ],
)
def test_windows_have_to_fit(fields, message):
    with pytest.raises(NetworkError, match=f"layer 'it': {message}"):
        one("conv", [3, 8, 8], filters=4, **fields)


def test_a_convolution_reads_maps():
    with pytest.raises(NetworkError, match=r"layer 'it': conv reads \[channels, height, width\]"):
        one("conv", filters=4, kernel=1)


sliding = st.builds(
    Sliding, st.integers(1, 5), st.integers(1, 4), st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(1, 3)
)


@given(window=sliding, size=st.integers(1, 20))
def test_positions_are_as_many_as_there_are(window, size):
    last = size + sum(window.margin) - window.span
    expected = len(range(0, last + 1, window.stride))
    if expected:
        assert window.positions(size) == expected
    else:
        with pytest.raises(ShapeError, match="does not fit"):
            window.positions(size)


@given(kernel=st.integers(1, 7), stride=st.integers(1, 4), pad=st.integers(0, 6), dilation=st.integers(1, 3))
def test_a_transposed_convolution_reads_the_rows_that_write_to_a_place(kernel, stride, pad, dilation):
    rows, sliding = 6, Sliding(kernel, stride, (pad, 0), dilation)
    try:
        window = sliding.transposed_over(rows, 0)
    except ShapeError:
        return
    writes = {(i, stride * i + dilation * j - pad) for i in range(rows) for j in range(kernel)}
    assert read(window, rows) == {(i, place) for i, place in writes if 0 <= place < window.positions}


def read(window, rows):
    """Return rows with the positions that read them."""
    return {
        (row, position)
        for row in range(rows)
        for position in range(window.positions)
        for tap in range(window.kernel)
        if window.spacing * row == window.stride * position + window.dilation * tap - window.before
    }


@pytest.mark.parametrize("factor", [2, 3, 4, 5])
def test_weighted_means_take_the_rows_around_a_place(factor):
    window = linear_upsampling(4, factor)
    middles = ((position, Fraction(2 * position + 1, 2 * factor) - Fraction(1, 2)) for position in range(4 * factor))
    assert read(window, 4) == {(row, place) for place, at in middles for row in range(4) if abs(row - at) < 1}


@given(
    kernel=st.integers(1, 6), stride=st.integers(1, 4), pad=st.integers(0, 5), dilation=st.integers(1, 3),
    rows=st.integers(1, 24), positions=st.integers(1, 24), spacing=st.integers(1, 3),
)  # fmt: skip
def test_blocks_of_an_aligned_window_read_their_own_rows(kernel, stride, pad, dilation, rows, positions, spacing):
    window = Window(positions, kernel, stride, dilation, pad, spacing)
    blocks = window.blocks(rows)
    pairs = {(row * blocks // rows, place * blocks // positions) for row, place in read(window, rows)}
    apart = {pair for pair in pairs if pair[0] != pair[1]}
    assert not (window.is_aligned(rows) and apart)
    if dilation == spacing == 1 and kernel >= stride:
        assert window.is_aligned(rows) == (not apart) or not pairs
