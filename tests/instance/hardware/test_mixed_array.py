"""Which groups of an array of several kinds are unlike, by their leaves; and what its classes and halves make up."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance.hardware.accelerator import Accelerator
from hypar_opt.instance.hardware.mixed import ROOT, AcceleratorKind, MixedArray
from hypar_opt.studies.mixed.share_rules import shares_by_rate
from hypar_opt.util.partition import Axis, Partition, halves

KINDS = tuple(
    AcceleratorKind(name, Accelerator("as-evaluated", Fraction(rate)), Fraction(rate, 2))
    for name, rate in zip("abc", (4, 2, 6), strict=True)
)


def array(types, reads="accelerator"):
    return MixedArray(KINDS, Partition(halves(len(types).bit_length() - 1).axes, tuple(types)), reads)


def groups(mixed, level):
    """Return by address the two halves of the groups that a level cuts, leaf by leaf."""
    types = mixed.partition.types
    size = len(types) >> level
    found = {}
    for first in range(0, len(types), size):
        address = f"{first // size:0{level}b}" if level else ROOT
        found[address] = (types[first : first + size // 2], types[first + size // 2 : first + size])
    return found


MIXED = st.integers(0, 4).flatmap(lambda levels: st.lists(st.integers(0, 2), min_size=2**levels, max_size=2**levels))


@given(MIXED)
def test_splits_are_the_groups_with_unlike_halves_each_once(types):
    mixed = array(types)
    unlike = {
        address: pair for level in range(mixed.levels) for address, pair in groups(mixed, level).items()
        if pair[0] != pair[1]
    }  # fmt: skip
    assert {unlike[name] for name in mixed.splits} == set(unlike.values())  # of every one there is a copy
    assert mixed.may_idle == tuple(
        all(first != second for first, second in groups(mixed, level).values()) for level in range(mixed.levels)
    )


@given(MIXED)
def test_classes_and_halves_make_up_the_array(types):
    mixed = array(types)
    assert sum(one.count for one in mixed.classes) == len(types)
    for place in range(len(KINDS)):
        assert sum(one.count for one in mixed.classes if one.kind == place) == types.count(place)
    assert len({one.name for one in mixed.classes}) == len(mixed.classes)
    for level in range(mixed.levels):
        assert sum(mixed.halves(level).values()) == 2 ** (level + 1)


@given(MIXED)
def test_a_half_reads_as_its_accelerators_together_or_as_the_slowest(types):
    together, alone = array(types), array(types, "group")
    for level in range(together.levels):
        for first, second in groups(together, level).values():
            for half in (first, second):
                leaf = next(x for x in range(len(types)) if tuple(types[x : x + len(half)]) == half)
                if leaf % len(half) == 0:
                    each = [KINDS[place].bandwidth for place in half]
                    assert together.bandwidth(leaf, level) == sum(each)
                    assert alone.bandwidth(leaf, level) == min(each)


@pytest.mark.parametrize(("types", "side"), [((0, 1), 0), ((1, 0), 1), ((0, 1, 2, 1), 1), ((2, 1, 0, 0), 0)])
def test_the_half_that_computes_faster_is_busy_the_first_of_equals(types, side):
    assert array(types).busy_side(0) == side


def test_what_is_reached_of_the_peak_tells_who_is_faster():
    kinds = [replace(KINDS[0], accelerator=replace(KINDS[0].accelerator, utilisation=Fraction(1, 4))), KINDS[1]]
    slower_at_the_peak = MixedArray(tuple(kinds), Partition(halves(1).axes, (0, 1)))
    assert slower_at_the_peak.busy_side(0) == 1
    assert shares_by_rate(slower_at_the_peak, {ROOT: [Fraction(1, 3), Fraction(2, 3)]}) == {ROOT: Fraction(1, 3)}


def test_axes_that_halve_nothing_are_refused():
    with pytest.raises(ValueError, match="does not halve"):
        MixedArray(KINDS, Partition((Axis("x", 3),), (0, 1, 2)))
