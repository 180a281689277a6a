"""Rows of memory in the programme."""

from __future__ import annotations

import numpy as np
from helpers import each
from random_tables import assignments, least, random_tables

from formulations.local_polytope.programme import programme_of
from formulations.local_polytope.rows import broken, cover_of, row_of, shortage, taken_by, taken_in_part


def one_hot(tables, choices):
    weights = np.zeros(len(tables.unary), dtype=np.int64)
    weights[tables.starts[:-1] + choices] = 1
    return weights


def kept(programme, row, choices):
    """Return whether an assignment keeps within a programme's row."""
    weights = one_hot(programme.tables, choices)
    columns = np.zeros(programme.values, dtype=np.int64)
    columns[programme.columns[programme.columns >= 0]] = weights[programme.columns >= 0]
    return int(columns[row.columns] @ row.factors) <= row.most


@each("seed", range(25))
def test_a_row_says_what_the_memory_says(seed):
    tables = random_tables(seed, forbidden=0.0)
    programme = programme_of(tables)
    for choices in assignments(tables):
        used = tables.memory.used(choices)
        for number in range(3):
            assert kept(programme, row_of(programme, number), choices) == (used[number] <= tables.memory.room[number])


def test_a_row_has_no_common_divisor():
    tables = random_tables(3, forbidden=0.0)
    memory = tables.memory
    larger = tables.replace(
        memory=type(memory)(
            memory.holders, memory.spans, memory.starts, memory.usages * 60, memory.room * 60 + 59, memory.moments
        )
    )
    one, two = (row_of(programme_of(each), 1) for each in (tables, larger))
    assert two.unit == 60 * one.unit
    assert (two.factors.tolist(), two.most) == (one.factors.tolist(), one.most)


@each("seed", range(25), quick=5)
def test_a_cover_cuts_off_an_assignment_and_nothing_that_fits(seed):
    tables = random_tables(seed, forbidden=0.0, room=9)
    programme = programme_of(tables)
    everything = assignments(tables)
    for choices in everything:
        for number in broken(tables.memory, taken_by(tables, choices)).tolist():
            row = cover_of(programme, number, choices)
            assert not kept(programme, row, choices)
            assert all(kept(programme, row, one) for one in everything if tables.fits(one))


def test_of_a_stretch_of_broken_rows_the_worst_is_named():
    tables = random_tables(1)
    memory = type(tables.memory)(
        np.zeros(3, dtype=np.int64),
        np.array([[0, 3], [1, 2], [4, 5]]),
        np.arange(4),
        np.ones(3, dtype=np.int64),
        np.array([9, 9, 9, 9, 9]),
        np.arange(5),
    )
    assert broken(memory, np.array([10, 3, 10])).tolist() == [1, 4]
    assert broken(memory, np.array([9.0, 0.5, 0.0]), 0.1).tolist() == []
    assert broken(memory, np.array([9, 0, 9])).tolist() == []


@each("seed", range(10))
def test_parts_of_values_take_parts(seed):
    tables = random_tables(seed)
    choices = assignments(tables)[-1]
    taken = taken_in_part(tables, one_hot(tables, choices).astype(float))
    np.testing.assert_allclose(taken, taken_by(tables, choices))


def test_a_shortage_names_the_moment():
    tables = random_tables(2, room=-1)
    found = shortage(tables)
    assert found is not None
    assert found.startswith("at time 0 no less than ")
    assert found.endswith("is needed, and -1 available")
    assert shortage(random_tables(2, room=1000)) is None
    assert least(tables) is None
