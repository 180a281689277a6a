"""What windows need of other parts: compiled, recounted, checked, and pixel by pixel on every device."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.cost.operators.borders import energy_of_borders, wait_at_borders
from hypar_opt.cost.operators.charges import Received
from hypar_opt.cost.operators.rows import needed_rows, total_rows
from hypar_opt.evaluation.operators.halos import filled_up, given_rows, halo, slowest
from hypar_opt.instance.operators import Operand, OperatorGraph, Tensor, Window
from hypar_opt.instance.operators.links import AxisLink
from hypar_opt.verification.certificate.check_operators.exact import WorkRoom
from hypar_opt.verification.certificate.check_operators.windows import rows_read
from tests.evaluation.operators.elements import parts_of_rows
from tests.helpers import each


@st.composite
def split_windows(draw):
    """Return a window, how many rows it slides over, and into how many parts these are split."""
    least, positions, rows = draw(st.tuples(st.integers(2, 9), st.integers(1, 3), st.integers(1, 3)))
    kernel, stride, dilation = draw(st.tuples(st.integers(1, 7), st.integers(1, 4), st.integers(1, 3)))
    before, spacing = draw(st.integers(-2, 12)), draw(st.integers(1, 3))
    window = Window(least * positions, kernel, stride, dilation, before, spacing)
    return window, least * rows, draw(st.integers(2, window.blocks(least * rows)))


@given(split_windows())
def test_rows_are_those_that_positions_read(drawn_window):
    window, rows, parts = drawn_window
    has, needs = zip(*(parts_of_rows(window, rows, parts, part) for part in range(parts)), strict=True)
    pairs = product(range(parts), repeat=2)
    counted = {(taker, giver): Fraction(int((needs[taker] & has[giver]).sum()), parts) for taker, giver in pairs}
    counted = {pair: count for pair, count in counted.items() if count}
    found = needed_rows(window, rows, parts, padded=False)
    assert {(taker, giver): count for taker, one in enumerate(found) for giver, count in one.items()} == counted
    assert given_rows(window, rows, parts, False) == counted
    total = tuple(parts * one for one in total_rows(window, rows, parts, padded=False))
    assert rows_read(window_fields(window), rows, parts, WorkRoom(), padded=False) == total


@given(split_windows())
def test_padded_parts_need_rows_that_are_there(drawn_window):
    window, rows, parts = drawn_window
    blocks = window.blocks(rows)
    longest = -(-blocks // parts)
    lies = {row: row // (rows // blocks) // longest for row in range(rows)}
    read = {
        (position // (window.positions // blocks) // longest, row)
        for position, tap, row in product(range(window.positions), range(window.kernel), range(rows))
        if window.spacing * row == window.stride * position + window.dilation * tap - window.before
    }
    counted = Counter((taker, lies[row]) for taker, row in read)
    found = needed_rows(window, rows, parts, padded=True)
    assert {(taker, giver): count for taker, one in enumerate(found) for giver, count in one.items()} == counted
    assert given_rows(window, rows, parts, True) == counted
    total = tuple(parts * one for one in total_rows(window, rows, parts, padded=True))
    assert rows_read(window_fields(window), rows, parts, WorkRoom(), padded=True) == total


def window_fields(window):
    return (window.positions, window.kernel, window.stride, window.dilation, window.before, window.spacing)


@pytest.mark.parametrize(
    ("kernel", "parts", "moved"),
    [(7, 2, 4), (5, 4, 10), (3, 2, 2), (3, 4, 6)],
    ids=["two rows of two", "from two away", "one row", "of inner parts two"],
)
def test_four_rows_under_a_kernel_that_keeps_their_number(kernel, parts, moved):
    needed, own = total_rows(Window(4, kernel, before=kernel // 2), 4, parts, padded=False)
    assert needed - own == moved


def drawn(seed):
    """Return a map with two dimensions of rows, how it is read, and a word on axes."""
    random = Random(seed)
    sizes = random.choice([(4,), (2, 3), (3, 2), (2, 2, 2), (2, 2, 3), (6,), (2, 4)])
    padded = seed % 2 == 1
    word = tuple(random.choice(["row", "row", "column", "batch", "none"]) for _ in sizes)
    shape, windows = [random.choice([1, 3, 8, 12])], {}
    for dim in ("row", "column"):
        parts = prod(size for size, one in zip(sizes, word, strict=True) if one == dim)
        rows = random.randrange(parts, 14) if padded else parts * random.randrange(1, 3)
        stride = 1 if padded else random.choice([1, 1, 2, 3])
        kernel, dilation = random.randrange(1, 6), random.choice([1, 1, 2])
        before = random.randrange(dilation * (kernel - 1) + 1)
        windows[dim] = Window(rows, kernel, stride, dilation, before)
        shape.append(rows * stride)
    if not padded:
        shape[0] = 24
    return Tensor("map", tuple(shape)), Operand("map", ("batch", "row", "column"), windows), word, sizes, padded


def by_pixel(tensor, operand, word, sizes):
    """Return by taker and giver the pixels that the one needs of the other, those of one part of the batch."""
    devices, owner, needs = list(product(*map(range, sizes))), {}, {}
    for dim, size in zip(operand.dims[1:], tensor.sizes[1:], strict=True):
        window, axes = operand.windows[dim], [axis for axis, one in enumerate(word) if one == dim]
        longest = -(-window.blocks(size) // prod(sizes[axis] for axis in axes))
        digits = list(product(*(range(sizes[axis]) for axis in axes)))
        owner[dim] = [digits[row // (size // window.blocks(size)) // longest] for row in range(size)]
        needs[dim] = {one: set() for one in digits}
        for position, tap in product(range(window.positions), range(window.kernel)):
            row, block = window.stride * position + window.dilation * tap - window.before, window.blocks(size)
            if 0 <= row < size:
                needs[dim][digits[position // (window.positions // block) // longest]].add(row)
        if not axes:
            needs[dim] = {(): set(range(size))}  # of what is not split each device has all, and gives all
    found = Counter()
    for taker in devices:
        rows, columns = (
            needs[dim][tuple(place for place, one in zip(taker, word, strict=True) if one == dim)]
            for dim in ("row", "column")
        )
        for row, column in product(rows, columns):
            own = {"row": iter(owner["row"][row]), "column": iter(owner["column"][column])}
            giver = tuple(next(own[one]) if one in own else place for one, place in zip(word, taker, strict=True))
            if giver != taker:
                found[taker, giver] += 1
    return found


@each("seed", range(800), quick=60)
def test_what_each_device_receives_pixel_by_pixel(seed):
    tensor, operand, word, sizes, padded = drawn(seed)
    pixels = by_pixel(tensor, operand, word, sizes)
    parts = prod(size for size, one in zip(sizes, word, strict=True) if one == "batch")
    each_pixel = -(-tensor.sizes[0] // parts) * tensor.element_bytes
    links = [AxisLink(Fraction(7 + axis), Fraction(axis + 1, 2), Fraction(axis + 2)) for axis in range(len(sizes))]
    by_axis, waits, energy = Counter(), Counter(), Fraction(0)
    for (taker, giver), count in pixels.items():
        axis = next(axis for axis, (here, there) in enumerate(zip(taker, giver, strict=True)) if here != there)
        moved = count * each_pixel
        by_axis[axis] += moved
        waits[taker] += moved / links[axis].bandwidth + links[axis].latency
        energy += moved * links[axis].energy
    need = [operand.dims.index(one) if one in operand.dims else -1 for one in word]
    charge = Received(OperatorGraph({"map": tensor}, ()), sizes, tuple(range(len(sizes)))[::-1] if padded else None)
    compiled = charge.halo(operand, tensor, np.array([need], dtype=np.int8))
    assert int(compiled[0]) == sum(by_axis.values()) * prod(sizes)
    costs = [(1 / one.bandwidth, one.latency) for one in links]
    assert wait_at_borders(operand, tensor, need, sizes, costs, padded=padded) == max(waits.values(), default=0)
    joules = [prod(sizes) * one.energy for one in links]
    assert energy_of_borders(operand, tensor, need, sizes, joules, padded=padded) == energy
    filled = filled_up(tensor, operand, word, sizes) if padded else tensor
    assert halo(filled, operand, word, sizes, is_padded=padded) == by_axis
    received = slowest(filled, operand, word, sizes, links, is_padded=padded)
    longest = [size / links[axis].bandwidth + count * links[axis].latency for axis, (size, count) in received.items()]
    assert sum(longest, start=Fraction(0)) == max(waits.values(), default=0)
