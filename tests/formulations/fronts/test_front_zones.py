"""How a new point splits the zones that are left."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from formulations.fronts.zones import split

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
