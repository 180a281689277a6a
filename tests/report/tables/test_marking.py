"""The best of rows and columns, and notes that are said once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.report.tables import Column, Entry, Table, best_in_columns, best_in_rows, displayed, notes_lifted
from hypar_opt.report.tables.displayed import UNSEEN


def table(*rows, best="least", digits=None):
    columns = tuple(Column(name, name, digits=digits, best=best) for name in "abc"[: len(rows[0])])
    made = [dict(zip("abc", row, strict=False)) for row in rows]
    return Table("t", "T", columns, tuple(made))


def best(found):
    return [[entry.best for entry in row.values()] for row in found.rows]


@pytest.mark.parametrize(
    ("which", "values", "expected"),
    [
        ("least", (3, 1, 2), [False, True, False]),
        ("most", (3, 1, 2), [True, False, False]),
        ("least", (1, Fraction(1), 1.0), [True, True, True]),
        ("least", (Fraction(1, 3), 0.333, None), [False, True, False]),
        ("least", (1, None, None), [False, False, False]),  # there is nothing that it is better than
        ("least", (1, "0", None), [False, False, False]),
        ("least", (2, 1, float("nan")), [False, True, False]),
        (None, (3, 1, 2), [False, False, False]),
    ],
)
def test_the_best_of_a_row(which, values, expected):
    assert best(best_in_rows(table([Entry(value) for value in values], best=which))) == [expected]


def test_the_best_of_a_column():
    found = best_in_columns(table([Entry(3), Entry(1)], [Entry(2), Entry(5)], [Entry(2), Entry(None)]))
    assert best(found) == [[False, True], [True, False], [True, False]]


def test_what_cannot_be_compared_is_not_the_best_and_takes_no_part():
    found = best_in_rows(table([Entry(1, comparable=False), Entry(3), Entry(2)]))
    assert best(found) == [[False, False, True]]


def test_what_looks_like_the_best_and_is_not_says_so():
    found = best_in_rows(table([Entry(1_000_001), Entry(1_000_000), Entry(2_000_000)], digits=4))
    (row,) = found.rows
    assert [entry.notes for entry in row.values()] == [(UNSEEN,), (), ()]
    assert best(found) == [[False, True, False]]


def test_a_note_of_all_that_have_a_value_is_of_the_column():
    rows = [
        [Entry(1, notes=("rule", "one")), Entry(1, notes=("x",))],
        [Entry(2, notes=("rule",)), Entry(2)],
        [Entry(None, notes=("declined",)), Entry(3, notes=("x",))],
    ]
    found = notes_lifted(table(*rows))
    assert [column.notes for column in found.columns] == [("rule",), ()]
    assert [[entry.notes for entry in row.values()] for row in found.rows] == [
        [("one",), ("x",)],
        [(), ()],
        [("declined",), ("x",)],
    ]


def test_a_note_that_is_said_twice_has_one_number():
    rows = [[Entry(1, notes=("b",)), Entry(1, notes=("a", "b"))], [Entry(2, notes=("a",)), Entry(2)]]
    found = displayed(table(*rows))
    assert found.footnotes == ("b", "a")
    assert [[cell.notes for cell in row] for row in found.rows] == [[(1,), (1, 2)], [(2,), ()]]


def test_rows_are_sorted_by_numbers_where_there_are_some():
    (row,) = displayed(table([Entry(Fraction(1, 2), "half"), Entry("text"), Entry(None)])).rows
    assert [cell.sort for cell in row] == [0.5, "text", None]
    assert [cell.text for cell in row] == ["half", "text", "-"]


def test_a_row_with_other_columns_is_refused():
    with pytest.raises(ValueError, match="row 0 of t has b, expected a"):
        Table("t", "T", (Column("a", "a"),), ({"b": Entry(1)},))


def test_what_is_said_in_words_is_not_told_of_the_column():
    said = Entry(None, "infeasible", mark="*")
    found = notes_lifted(table([Entry(3, notes=("not proven",))], [said], [Entry(None, notes=("declined",))]))
    assert found.columns[0].notes == ()
    assert [row["a"].notes for row in found.rows] == [("not proven",), (), ("declined",)]
