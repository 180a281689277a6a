"""Values that an edge does not tell apart."""

from __future__ import annotations

import numpy as np
from helpers import each

from formulations.local_polytope.merging import merged
from hypar_opt.costgraph import FORBIDDEN

F = FORBIDDEN


def restored(found, shape):
    """Return the table that the classes stand for, FORBIDDEN where they forbid."""
    table = np.full(shape, F)
    for a, b in np.ndindex(*shape):
        one, two = int(found.first.labels[a]), int(found.second.labels[b])
        if one >= 0 and two >= 0 and found.table[one, two] < F:
            table[a, b] = found.first.shifts[a] + found.second.shifts[b] + found.table[one, two]
    return table


@each("seed", range(40))
def test_classes_stand_for_the_table(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 6, 2))
    table = rng.integers(0, 3, shape)
    table[rng.random(shape) < 0.2] = F
    first, second = (rng.random(size) < 0.8 for size in shape)
    found = merged(table, first, second)
    expected = np.where(first[:, None] & second, table, F)
    np.testing.assert_array_equal(restored(found, shape), expected)


def test_rows_that_differ_by_a_constant_are_one():
    found = merged(np.array([[0, 4, 9], [2, 6, 11], [0, 5, 9]]), np.ones(3, bool), np.ones(3, bool))
    assert found.first.labels.tolist() == [0, 0, 1]
    assert found.second.labels.tolist() == [0, 1, 0]
    assert found.table.shape == (2, 2)
    assert not found.separable


def test_what_is_forbidden_tells_rows_apart():
    found = merged(np.array([[1, 1], [1, F]]), np.ones(2, bool), np.ones(2, bool))
    assert found.table.shape == (2, 2)


def test_a_separable_table_needs_no_pairs():
    found = merged(np.arange(3)[:, None] + 5 * np.arange(4), np.ones(3, bool), np.ones(4, bool))
    assert found.separable
    assert restored(found, (3, 4))[2, 3] == 17


def test_a_value_that_does_not_count_has_no_class():
    found = merged(np.array([[0, 1], [7, F]]), np.array([True, False]), np.ones(2, bool))
    assert found.first.labels.tolist() == [0, -1]
    assert found.separable
