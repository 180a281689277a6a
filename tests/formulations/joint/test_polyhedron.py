"""Vertices cut by cut: hand-made cases, and the solutions of every square system of constraints."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formulations.joint.polyhedron import Generator, Polyhedron


def built(least, cuts):
    polyhedron = Polyhedron.above(least)
    for normal, bound in cuts:
        polyhedron = polyhedron.cut(normal, bound)
    return polyhedron


def solved(rows):
    """The only solution of a square system of (normal, bound), by elimination, or None."""
    rows = [[*map(Fraction, normal), Fraction(bound)] for normal, bound in rows]
    size = len(rows)
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [part / rows[column][column] for part in rows[column]]
        for i in range(size):
            if i != column:
                rows[i] = [a - rows[i][column] * b for a, b in zip(rows[i], rows[column], strict=True)]
    return tuple(row[-1] for row in rows)


def by_systems(least, cuts):
    """Every point at which as many independent constraints are tight as there are levels, and all hold."""
    levels = len(least)
    every = [(tuple(int(i == h) for i in range(levels)), least[h]) for h in range(levels)] + list(cuts)
    points = {solved(rows) for rows in combinations(every, levels)} - {None}
    return {point for point in points if all(sum(a * w for a, w in zip(n, point, strict=True)) >= b for n, b in every)}


def test_the_orthant_has_one_vertex():
    polyhedron = Polyhedron.above((2, 3))
    assert polyhedron.vertices == ((2, 3),)
    assert polyhedron.constraints == 3


def test_a_cut_of_a_corner():
    assert set(built((0, 0), [((1, 2), 4)]).vertices) == {(4, 0), (0, 2)}


def test_a_second_cut_meets_the_first():
    assert set(built((0, 0), [((1, 2), 4), ((2, 1), 4)]).vertices) == {(4, 0), (Fraction(4, 3), Fraction(4, 3)), (0, 4)}


def test_a_cut_through_a_vertex_changes_none_and_is_tight_there():
    before = built((0, 0), [((1, 1), 2)])
    after = before.cut((1, 0), 0)
    assert set(after.vertices) == set(before.vertices)
    assert {one.tight.bit_count() for one in after.generators if one.vertex == (0, 2)} == {3}


def test_a_cut_that_misses_a_level_leaves_its_direction():
    assert set(built((0, 0, 0), [((1, 1, 0), 2)]).vertices) == {(2, 0, 0), (0, 2, 0)}


def test_what_cuts_nothing_off_changes_nothing():
    assert built((1, 1), [((1, 1), 2)]).vertices == ((1, 1),)


def test_one_level():
    assert built((1,), [((3,), 7)]).vertices == ((Fraction(7, 3),),)


def test_no_levels():
    assert Polyhedron.above(()).vertices == ((),)


def test_directions_are_no_vertices():
    assert Generator((1, 0, 0), 0).vertex is None


@pytest.mark.parametrize(
    ("normal", "bound", "message"),
    [
        ((1, -1), 2, "expected a normal without negative entries, got (1, -1)"),
        ((0, 0), 2, "nothing has 0 >= 2"),
    ],
)
def test_bad_cuts(normal, bound, message):
    with pytest.raises(ValueError) as caught:
        Polyhedron.above((0, 0)).cut(normal, bound)
    assert str(caught.value) == message


@st.composite
def polyhedra(draw):
    levels = draw(st.integers(1, 4))
    numbers = st.integers(0, 3)
    least = draw(st.tuples(*[numbers] * levels))
    normals = st.tuples(*[numbers] * levels).filter(any)
    return least, draw(st.lists(st.tuples(normals, st.integers(0, 30)), max_size=5))


@given(polyhedra())
def test_vertices_are_the_points_of_tight_systems(given_one):
    least, cuts = given_one
    vertices = built(least, cuts).vertices
    assert len(vertices) == len(set(vertices))
    assert set(vertices) == by_systems(least, cuts)
