"""A partition against counting: every leaf spelt out as its coordinates."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.util.partition import Axis, Partition, halved_to, halves

SIZES = st.lists(st.integers(2, 4), max_size=3)


def partition_of(sizes):
    return Partition(tuple(Axis(f"axis {i}", size) for i, size in enumerate(sizes)))


@given(SIZES)
def test_leaves_are_numbered_with_the_last_axis_fastest(sizes):
    cut, every = partition_of(sizes), list(product(*map(range, sizes)))
    assert (cut.leaves, cut.levels) == (len(every), len(sizes))
    assert [cut.coordinates(leaf) for leaf in range(cut.leaves)] == every
    assert [cut.address(leaf) for leaf in range(cut.leaves)] == ["".join(map(str, one)) for one in every]


@given(SIZES)
def test_peers_differ_in_one_coordinate(sizes):
    cut, every = partition_of(sizes), list(product(*map(range, sizes)))
    for level in range(len(sizes)):
        expected = [
            (one, other)
            for one, other in permutations(range(len(every)), 2)
            if [a != b for a, b in zip(every[one], every[other], strict=True)]
            == [i == level for i in range(len(sizes))]
        ]
        found = [(leaf, peer) for leaf in range(cut.leaves) for peer in cut.peers(leaf, level)]
        assert found == expected
        assert len(found) == cut.routes(level)
        assert list(cut.pairs(level)) == [(one, other) for one, other in expected if one < other]


@given(SIZES)
def test_groups_are_leaves_of_what_is_above(sizes):
    cut = partition_of(sizes)
    for level in range(len(sizes) + 2):
        above = cut.above(level)
        assert cut.groups(level) == above.leaves == prod(sizes[:level])
        for leaf in range(cut.leaves):
            assert above.coordinates(cut.group(leaf, level)) == cut.coordinates(leaf)[:level]


@given(st.integers(0, 6))
def test_halves_are_bits(levels):
    cut = halves(levels)
    assert cut == halved_to(2**levels)
    assert cut.leaves == 1 << levels
    assert cut.bits == tuple(1 << levels - 1 - h for h in range(levels))
    for h, bit in enumerate(cut.bits):
        assert all(cut.peers(leaf, h) == (leaf ^ bit,) for leaf in range(cut.leaves))
    assert [cut.address(leaf) for leaf in range(cut.leaves)] == (
        [f"{leaf:0{levels}b}" for leaf in range(cut.leaves)] if levels else [""]
    )
    assert [axis.name for axis in cut.axes] == [f"level {h + 1}" for h in range(levels)]


def test_shares_and_types():
    third, two = Fraction(1, 3), Fraction(2, 3)
    cut = Partition((Axis("board", 3), Axis("chip", 2, (two, third))), (0, 1) * 3)
    assert [cut.share(leaf, 0) for leaf in range(6)] == [third] * 6
    assert [cut.share(leaf, 1) for leaf in range(6)] == [two, third] * 3
    assert [cut.accelerator(leaf) for leaf in range(6)] == [0, 1] * 3
    assert sum(cut.share(leaf, 0) * cut.share(leaf, 1) for leaf in range(6)) == 1
    assert not cut.uniform
    assert halves(2).accelerator(3) == 0
    assert Partition((Axis("chip", 2, (Fraction(1, 2),) * 2),), (1, 1)).uniform
    assert not Partition((Axis("chip", 2),), (0, 1)).uniform


def test_addresses_of_large_axes_can_be_told_apart():
    cut = partition_of((2, 12))
    assert len({cut.address(leaf) for leaf in range(24)}) == 24
    assert cut.address(23) == "1.11"


@pytest.mark.parametrize("axis", [Axis("gpu", 3), Axis("gpu", 2, (Fraction(2, 3), Fraction(1, 3)))])
def test_what_is_no_half_has_no_bits(axis):
    with pytest.raises(ValueError, match="axis 'gpu' does not halve every group, and this is about halves"):
        _ = Partition((Axis("node"), axis)).bits
    assert Partition((Axis("node", 2, (Fraction(1, 2),) * 2),)).bits == (1,)


@pytest.mark.parametrize(
    ("size", "shares", "message"),
    [
        (1, (), "axis 'gpu' has size 1, expected at least 2"),
        (2, (1, 1), "axis 'gpu' needs 2 shares above 0 that add up to 1"),
        (2, (1,), "axis 'gpu' needs 2 shares above 0 that add up to 1"),
        (3, (1, -1, 1), "axis 'gpu' needs 3 shares above 0 that add up to 1"),
    ],
)
def test_axes_that_cannot_be(size, shares, message):
    with pytest.raises(ValueError, match=message):
        Axis("gpu", size, tuple(map(Fraction, shares)))


def test_a_type_for_every_leaf():
    with pytest.raises(ValueError, match="3 types of accelerators for 4 leaves"):
        Partition(halves(2).axes, (0, 0, 1))
