"""How a new point splits the zones that are left, and what is proven of what is in them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from formulations.label_setting.zones import LeastSum, excess_of, most_excess, open_zones, split

CORNER = st.tuples(*[st.integers(0, 5)] * 3)


def covered(zones, point):
    return any(all(a < b for a, b in zip(point, corner, strict=True)) for corner in zones)


def test_two_criteria_by_hand():
    assert split([(9, 9)], (4, 6), []) == [(4, 9), (9, 6)]
    assert split([(4, 9), (9, 6)], (2, 7), []) == [(9, 6), (2, 9), (4, 7)]


def test_a_part_within_another_zone_is_left_out():
    # (5, 9, 9) splits at (5, ...) would lie within (6, 9, 9)
    assert split([(6, 9, 3), (9, 9, 9)], (2, 2, 2), []).count((2, 9, 3)) == 0


def test_a_part_within_an_empty_zone_is_left_out():
    assert split([(9, 9)], (4, 6), [(4, 9)]) == [(9, 6)]


def test_a_point_outside_changes_nothing():
    assert split([(4, 9), (9, 6)], (4, 6), []) == [(4, 9), (9, 6)]


@given(points=st.lists(CORNER, max_size=6))
def test_the_zones_hold_exactly_what_no_point_is_at_or_below(points):
    zones = [(6, 6, 6)]
    for point in points:
        zones = split(zones, point, [])
    for vector in product(range(6), repeat=3):
        below = any(all(a <= b for a, b in zip(point, vector, strict=True)) for point in points)
        assert covered(zones, vector) == (not below)


@given(points=st.lists(CORNER, max_size=6))
def test_no_zone_is_within_another(points):
    zones = [(6, 6, 6)]
    for point in points:
        zones = split(zones, point, [])
    for i, one in enumerate(zones):
        for other in zones[:i] + zones[i + 1 :]:
            assert not all(a <= b for a, b in zip(one, other, strict=True))


def test_the_excess_by_hand():
    # no plan has less than 10 of one, 20 of the other, or 40 of their sum
    sums = [LeastSum((1, 0), 10), LeastSum((0, 1), 20), LeastSum((1, 1), 40)]
    zones = open_zones([(10, 32), (25, 20)], 2)
    assert sorted(zones) == [(10, inf), (25, 32), (inf, 20)]
    # (25, 32) is 25/10, 32/20 and 57/40 times the least
    assert [excess_of(zone, sums) for zone in sorted(zones)] == [0, Fraction(57, 40) - 1, 0]
    assert most_excess(zones, sums) == Fraction(17, 40)
    assert most_excess([], sums) == 0


def test_no_excess_is_known_without_a_bound_in_each_criterion():
    zones = open_zones([(10, 32)], 2)
    assert most_excess(zones, [LeastSum((1, 1), 40)]) is None
    assert most_excess(zones, [LeastSum((1, 0), 10), LeastSum((0, 1), 0)]) is None


def test_a_zone_that_no_plan_is_in_counts_for_nothing():
    zones = open_zones([(0, 9), (4, -3)], 2)
    sums = [LeastSum((1, 0), 0), LeastSum((0, 1), -3), LeastSum((2, 1), 5)]
    assert [excess_of(zone, sums) for zone in sorted(zones)] == [0, Fraction(17, 5) - 1, 0]


def test_the_zone_of_everything_has_no_excess_that_is_known():
    assert open_zones([], 2) == [(inf, inf)]
    assert most_excess(open_zones([], 2), [LeastSum((1, 0), 10), LeastSum((0, 1), 20)]) is None


VALUES = st.lists(st.tuples(*[st.integers(1, 30)] * 3), min_size=1, max_size=8)
WEIGHTS = st.lists(st.tuples(*[st.integers(0, 4)] * 3).filter(any), max_size=5)


@given(plans=VALUES, weights=WEIGHTS, known=st.integers(1, 8))
def test_for_every_plan_a_known_one_is_within_the_excess(plans, weights, known):
    units = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    sums = [
        LeastSum(one, min(sum(w * v for w, v in zip(one, plan, strict=True)) for plan in plans))
        for one in (*units, *weights)
    ]
    found = plans[:known]
    excess = most_excess(open_zones(found, 3), sums)
    for plan in plans:
        assert any(all(a <= (1 + excess) * b for a, b in zip(one, plan, strict=True)) for one in found)
