"""Comparisons as tables: what is the best, and what is said of cells that say less than a proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.report.compare.notes import OTHER_ACCOUNTING, PLACED_ALONE, labels
from hypar_opt.report.compare.table import (
    COLUMNS,
    PROVEN,
    cost_table,
    flat_table,
    rows,
    time_table,
    write_files,
)
from hypar_opt.report.tables import csv_text, displayed
from hypar_opt.report.tables.displayed import UNSEEN
from hypar_opt.solver.plan import Plan
from hypar_opt.studies.compare import Cell


def plan(status=Status.OPTIMAL, cost=1_000_000_000, bound=None, native="done", seconds=0.5, **fields):
    strategies = None if cost is None else {"fc": "d"}
    value = None if cost is None else Fraction(cost)
    limit = None if bound is None else Fraction(bound)
    return Plan("x", "sha", "f", status, native, strategies, cost, value, limit, seconds, 7, **fields)


def cell(name="f", found=None, row=0, **fields):
    return replace(Cell("x", "published", 8, 1, name, found, row=row), **fields)


def notes(table):
    """Return, by column, the footnotes of its heading and those of its cells."""
    found = displayed(table)
    said = {heading.text: [[found.footnotes[i - 1] for i in heading.notes]] for heading in found.headings}
    for row in found.rows:
        for heading, one in zip(found.headings, row, strict=True):
            said[heading.text].append([found.footnotes[i - 1] for i in one.notes])
    return said


def texts(table):
    return [[f"{one.text}{one.mark}{' best' if one.best else ''}" for one in row] for row in displayed(table).rows]


def test_the_least_of_a_row_is_the_best_whoever_proved_it():
    cells = [
        cell("proves", plan(cost=2_000_000_000)),
        cell("finds", plan(Status.FEASIBLE, 2_000_000_000, native="greedy")),
        cell("worse", plan(Status.FEASIBLE, 3_000_000_000, native="a rule")),
    ]
    table = cost_table(cells)
    assert texts(table) == [["x", "2.000* best", "2.000 best", "3.000"]]
    assert {column.unit for column in table.columns[1:]} == {"GB"}
    assert table.notes[-1] == "All rows: accounting published, batch 8, levels 1, objective communication"


@pytest.mark.parametrize(
    ("found", "text", "said"),
    [
        (plan(Status.FEASIBLE, 12, 10, "stopped"), "12.00", ["not proven (20 % above the bound): stopped"]),
        (plan(Status.FEASIBLE, 12, 0, "stopped"), "12.00", ["not proven: stopped"]),
        (plan(Status.FEASIBLE, 12, None, ""), "12.00", ["not proven: FEASIBLE"]),
        (plan(Status.OPTIMAL, 12, 12, note="proven within 1e-9"), "12.00*", ["proven within 1e-9"]),
        (plan(Status.OPTIMAL, 12, 12, decided="placement"), "12.00+", []),
        (plan(Status.OPTIMAL, 12, 12, decided="both"), "12.00*", []),
        (plan(Status.INFEASIBLE, None, native="done"), "infeasible*", []),
        (plan(Status.NO_SOLUTION, None, native="stopped at level 2"), "none found", ["stopped at level 2"]),
        (plan(Status.ERROR, 12, native="by zero"), "error", ["by zero"]),
        (None, "-", ["f declines: too large"]),
    ],
    ids=lambda value: value.status.value if isinstance(value, Plan) else None,
)
def test_what_is_said_of_a_cell(found, text, said):
    refusal = "" if found else "f declines: too large"
    # beside a row of which nothing is to be said, so that the note stays with its cell
    table = cost_table([cell(found=found, refusal=refusal), cell(found=plan(cost=12), row=1, instance="y")])
    assert texts(table)[0] == ["x", text]
    assert notes(table)["f"] == [[], said, []]


def test_an_error_has_no_cost_that_could_be_the_best():
    table = cost_table([cell("a", plan(Status.ERROR, 1)), cell("b", plan(cost=3)), cell("c", plan(cost=2))])
    assert texts(table) == [["x", "error", "3.000*", "2.000* best"]]


def test_what_holds_for_a_whole_column_is_said_at_its_head():
    cells = [cell(found=plan(Status.FEASIBLE, 5, native="a rule"), row=row, instance=str(row)) for row in range(2)]
    assert notes(cost_table(cells))["f"] == [["not proven: a rule"], [], []]


def test_costs_that_differ_in_digits_that_are_not_shown_say_so():
    table = cost_table([cell("a", plan(cost=10**9)), cell("b", plan(Status.FEASIBLE, 10**9 + 1, native="near"))])
    assert texts(table) == [["x", "1.000* best", "1.000"]]
    assert notes(table)["b"] == [["not proven: near"], [UNSEEN]]


def test_another_accounting_is_a_column_with_a_footnote():
    cells = [
        cell(found=plan(cost=5)),
        cell(found=plan(cost=4), row=1, accounting="receiver"),
        cell(found=plan(cost=3), row=2),
    ]
    table = cost_table(cells)
    assert [column.key for column in table.columns] == ["instance", "accounting", "f"]
    assert notes(table)["accounting"] == [[], [], [OTHER_ACCOUNTING], []]


def test_rows_of_one_name_are_told_apart():
    cells = [cell(row=0), cell(row=1), cell(row=2, instance="x #1"), cell(row=3, batch=4)]
    assert labels(cells) == ["x #1'", "x #2", "x #1", "x"]


def test_a_cell_that_was_not_reached_says_so():
    table = cost_table([cell("a", plan()), cell("b", plan()), cell("a", plan(), row=1, instance="y")])
    assert notes(table)["b"] == [[], [], ["not reached before the stop"]]


@pytest.mark.parametrize(
    ("objective", "cost", "heading", "text"),
    [
        ("comm-time", Fraction(3, 1000), ("comm-time", "ms"), "3.000*"),
        ("hop-bytes", Fraction(5_000_000), ("hop-bytes", "MB x hops"), "5.000*"),
        ("energy", Fraction(5000), ("energy", "kJ"), "5.000*"),
        ("time,energy=0.5", Fraction(5, 3), ("time,energy=0.5", ""), "1.66667*"),
        ("communication=2", Fraction(1_546_215_424), ("communication=2", ""), "1,546,215,424*"),
    ],
)
def test_other_objectives_have_their_own_units(objective, cost, heading, text):
    found = replace(plan(), objective=cost)
    table = cost_table([cell(found=found, objective=objective)])
    assert (table.columns[1].group, table.columns[1].unit) == heading
    assert texts(table) == [["x", text]]


@pytest.mark.parametrize(
    ("objective", "title"), [("energy", "Energy of"), ("product:time,energy", "Objective product:time,energy of")]
)
def test_a_title_says_what_is_compared(objective, title):
    found = replace(plan(), objective=Fraction(2))
    assert cost_table([cell(found=found, objective=objective)]).title.startswith(f"{title} the plans")


def test_different_objectives_are_a_column():
    one, other = replace(plan(), objective=Fraction(2)), replace(plan(), objective=Fraction(3))
    table = cost_table([cell(found=one, objective="time"), cell(found=other, row=1, objective="energy")])
    assert [column.key for column in table.columns] == ["instance", "objective", "f"]
    assert (table.columns[2].group, table.columns[2].unit) == ("objective", "")


def test_the_best_time_is_of_those_that_end_with_a_proof():
    cells = [
        cell("rule", plan(Status.FEASIBLE, seconds=0.0001)),
        cell("fast", plan(seconds=0.25)),
        cell("slow", plan(seconds=0.5)),
        cell("placed", plan(decided="placement", seconds=0.125)),
        cell("declined", None, refusal="too large"),
    ]
    table = time_table(cells)
    assert table.notes[1:3] == (PROVEN, PLACED_ALONE)
    assert PLACED_ALONE not in time_table(cells[:3]).notes
    assert texts(table) == [["x", "0.100", "250* best", "500*", "125+", "-"]]
    assert notes(table)["declined"] == [[], ["too large"]]


def test_the_rows_for_machines_have_the_fields_that_scripts_rely_on():
    (row,) = rows([cell(found=plan(cost=12, bound=11, note="n", versions={"python": "3"}))])
    assert row == {
        "instance": "x", "accounting": "published", "batch": 8, "levels": 1, "axes": None, "formulation": "f",
        "status": "OPTIMAL",
        "communication_bytes": 12, "objective": 12, "bound": 11, "runtime_s": 0.5, "native_status": "done", "note": "n",
        "seed": 7, "instance_sha256": "sha", "versions": {"python": "3"},
    }  # fmt: skip
    assert list(row) == [column.key for column in COLUMNS]


def test_axes_stand_where_levels_do_not_say_how_an_array_is_cut():
    one, other = cell(axes="node 2 x gpu 4", levels=2), cell(row=1)
    alone = cost_table([one])
    assert "All rows: accounting published, batch 8, axes node 2 x gpu 4" in " ".join(alone.notes)
    both = cost_table([one, other])
    assert [[row["levels"].value, row["axes"].value] for row in both.rows] == [[None, "node 2 x gpu 4"], [1, None]]
    assert rows([one])[0]["levels"] == 2


def test_what_is_unknown_is_empty_in_csv():
    header, line = csv_text(flat_table([cell(refusal="too large")])).splitlines()
    assert header == ",".join(column.key for column in COLUMNS if column.key != "versions")
    assert line == "x,published,8,1,f,DECLINED,,,,,,too large,,,"


@pytest.mark.parametrize(("expected", "said"), [(None, False), (1, False), (4, True)])
def test_what_was_stopped_says_so(tmp_path, expected, said):
    write_files([cell(found=plan())], tmp_path, expected)
    for name in ("comparison.md", "comparison.tex"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.count("Stopped after 1 of 4 solves.") == (2 if said else 0)


def test_one_alone_is_not_the_best_and_nothing_says_so():
    table = time_table([cell(found=plan())])
    assert texts(table) == [["x", "500*"]]
    assert table.notes[0] == PROVEN
    two = time_table([cell(found=plan()), cell("g", plan(seconds=0.25))])
    assert texts(two) == [["x", "500*", "250* best"]]
    assert two.notes[0] == "The least time to a proof of each row is in bold"
