"""Tables of plans of operators on narrow terminals: folded between columns, and never inside of one."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from hypar_opt.report.console import show_folded
from hypar_opt.report.operators.plan import show_operator_plan, strategy_rows
from tests.report.operator_plans import named

ROWS = [
    {"tensor": "x", "": "lies", "a": "batch", "b": "features", "calls": 3, "bytes": "1 kB"},
    {"tensor": "x", "": "its gradient lies", "a": "partial", "b": "whole", "calls": 1, "bytes": "12 kB"},
]


def folded(width, *least):
    """Return the rows as a terminal has them."""
    text = io.StringIO()
    show_folded(Console(file=text, width=width), ROWS, least)
    return [line.rstrip() for line in text.getvalue().splitlines()]


def test_columns_that_have_no_room_stand_below_beside_what_names_the_rows():
    assert folded(44) == [
        "tensor                     a        b",
        "x       lies               batch    features",
        "x       its gradient lies  partial  whole",
        "",
        "tensor                     calls  bytes",
        "x       lies                   3  1 kB",
        "x       its gradient lies      1  12 kB",
    ]


def test_what_matters_least_goes_first_and_is_named():
    lines = folded(52, "calls")
    assert lines[0].split() == ["tensor", "a", "b", "bytes"]
    assert lines[-1] == "(too narrow for: calls; --json has all)"
    assert folded(100, "calls")[0].split() == ["tensor", "a", "b", "calls", "bytes"]


def test_rows_that_look_alike_below_have_what_tells_them_apart():
    rows = [
        {"operator": "a", "moved": moved, "collective": "all-reduce", "axis": axis, "bytes": size}
        for moved, axis, size in (("output", "node", "1 kB"), ("output", "gpu", "2 kB"), ("gradient", "node", "3 kB"))
    ]
    text = io.StringIO()
    show_folded(Console(file=text, width=39), rows)
    below = [line.split() for line in text.getvalue().splitlines()][5:]
    assert below == [
        ["operator", "moved", "axis", "bytes"],
        ["a", "output", "node", "1", "kB"],
        ["a", "output", "gpu", "2", "kB"],
        ["a", "gradient", "node", "3", "kB"],
    ]


@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_plan_has_all_of_its_words_in_lines_that_fit(width):
    one, text = named(array="a100-2x8"), io.StringIO()
    show_operator_plan(Console(file=text, width=width, highlight=False), one.problem, one.plan)
    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert "…" not in text.getvalue()
    for row in strategy_rows(one.problem, one.strategies, one.blocks):
        assert any([*map(str, row.values())] == line.split()[: len(row)] for line in lines)
