"""Vectors that are not dominated, in many sets at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formulations.label_setting.dominance import non_dominated


def rows(sets, values):
    return [(one, *vector) for one, *vector in zip(sets, *values, strict=True)]


def of(sets, *values, dtype=np.int64):
    return non_dominated(np.array(sets, dtype=np.intp), [np.array(column, dtype=dtype) for column in values]).tolist()


def by_pairs(sets, values):
    """Return the positions of vectors that none of the same set is nowhere above, the first of equal ones."""
    every = rows(sets, values)
    return [
        i
        for i, one in enumerate(every)
        if every.index(one) == i
        and not any(o[0] == one[0] and o != one and all(a <= b for a, b in zip(o, one, strict=True)) for o in every)
    ]


def test_a_staircase_by_hand():
    # (3, 3) is above (2, 2), (5, 1) and (1, 5) are not
    assert of([0] * 4, [5, 3, 2, 1], [1, 3, 2, 5]) == [3, 2, 0]


def test_vectors_of_other_sets_do_not_count():
    assert of([0, 1, 1], [1, 2, 3], [1, 2, 3]) == [0, 1]


def test_of_equal_vectors_the_first_is_kept():
    assert of([0, 0, 0], [4, 4, 4], [7, 7, 7]) == [0]


def test_of_one_first_coordinate_the_least_second_is_kept():
    assert of([0, 0, 0], [4, 4, 4], [9, 7, 8]) == [1]


def test_three_coordinates_that_two_would_not_tell_apart():
    assert of([0, 0, 0], [1, 2, 2], [1, 1, 1], [5, 4, 4]) == [0, 1]


def test_one_coordinate_keeps_the_least_of_each_set():
    assert of([1, 0, 1, 0], [3, 9, 2, 8]) == [3, 2]


@pytest.mark.parametrize("coordinates", [1, 2, 3])
def test_nothing_of_nothing(coordinates):
    assert of([], *[[]] * coordinates) == []


@pytest.mark.parametrize("coordinates", [1, 2, 3])
def test_numbers_beyond_64_bits(coordinates):
    columns = [[2**70 + 1, 2**70, 2**71], [0, 5, -(2**80)], [1, 1, 1]][:coordinates]
    assert sorted(of([0] * 3, *columns, dtype=object)) == by_pairs([0] * 3, columns)


def test_ranges_too_wide_to_shift_sets_apart():
    columns = [[0, 2**62, 2**62, 5], [2**62, 0, 1, 2**62]]
    assert of([0, 0, 1, 1], *columns) == [0, 1, 3, 2]


@pytest.mark.parametrize("coordinates", [1, 2, 3, 4, 5])
@given(data=st.data())
def test_any_vectors_as_by_pairs(coordinates, data):
    count = data.draw(st.integers(0, 30))
    top = data.draw(st.sampled_from([1, 3, 12]))
    sets = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    column = st.lists(st.integers(-2, top), min_size=count, max_size=count)
    values = [data.draw(column) for _ in range(coordinates)]
    found = of(sets, *values)
    assert sorted(found) == by_pairs(sets, values)
    every = rows(sets, values)
    assert [every[i] for i in found] == sorted(every[i] for i in found)


@pytest.mark.parametrize("coordinates", [2, 3, 4])
def test_many_vectors_as_by_comparing_with_all_before(coordinates):
    rng = np.random.default_rng(coordinates)
    sets = rng.integers(0, 3, 2000)
    values = [rng.integers(0, 60, 2000) for _ in range(coordinates)]
    every = np.stack(values, axis=1)
    kept = []
    for one in range(3):
        unique = np.unique(every[sets == one], axis=0)
        beaten = [np.any(np.all(unique <= row, axis=1) & np.any(unique != row, axis=1)) for row in unique]
        kept += [(one, *row) for row in unique[~np.array(beaten)].tolist()]
    found = non_dominated(sets, values)
    assert [(int(sets[i]), *every[i].tolist()) for i in found] == kept
