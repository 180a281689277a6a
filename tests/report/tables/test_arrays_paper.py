"""Networks x arrays as tables: two arrays and two networks, by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypar_opt.formulation.solution import Status
from hypar_opt.report.compare.notes import PLACED_ALONE
from hypar_opt.report.compare_arrays import MEAN, NO_SPEED, document, grid, paper_tables, rows, write_files
from hypar_opt.report.tables import displayed, formats
from hypar_opt.solver.plan import Plan
from hypar_opt.studies.compare_arrays import ArrayCell, equal_link


def plan(seconds, status=Status.OPTIMAL, native="bounds meet"):
    return Plan(
        "x", "sha", "f", status, native, {"fc": "d"}, 8, Fraction(seconds), None, 0.5, 0,
        placement=("a0", "a1"), decided="both",
    )  # fmt: skip


def cell(instance, array, found, *, row, link=1, total=4, refusal=""):
    return ArrayCell(instance, array, None if link is None else Fraction(link), Fraction(total), found, refusal, row)


CELLS = [
    cell("a", "tree", plan(2), row=0),
    cell("a", "ring", plan(4), row=0, total=2),
    cell("b", "tree", plan(1), row=1),
    cell("b", "ring", plan(Fraction(1, 2), Status.FEASIBLE, "time limit"), row=1, total=2),
]


def texts(table):
    return [[f"{one.text}{one.mark}{' best' if one.best else ''}" for one in row] for row in displayed(table).rows]


def test_times_and_ratios_under_both_assumptions():
    link_time, link_ratio, total_time, total_ratio = paper_tables(CELLS)
    assert texts(link_time) == [["a", "2.000* best", "4.000*"], ["b", "1.000*", "0.5000 best"]]
    # twice and half as long: the geometric mean is as long
    assert texts(link_ratio) == [
        ["a", "1.00 best", "2.00"],
        ["b", "1.00", "0.500 best"],
        [MEAN, "1.00 best", "1.00 best"],
    ]
    # the ring has half the bandwidth: with as much as the tree it takes half as long
    assert texts(total_time) == [["a", "2.000* best", "2.000* best"], ["b", "1.000*", "0.2500 best"]]
    assert texts(total_ratio)[-1] == [MEAN, "1.00", "0.500 best"]
    assert displayed(link_time).footnotes == ("not proven: time limit",)
    assert [column.unit for column in link_time.columns] == ["", "s", "s"]


def test_what_has_no_time_has_a_reason_and_no_mean():
    cells = [*CELLS[:3], cell("b", "ring", None, row=1, refusal="too large")]
    time, ratio, *_ = paper_tables(cells)
    assert texts(time)[1] == ["b", "1.000*", "-"]
    assert displayed(time).footnotes == ("too large",)
    assert texts(ratio)[-1] == [MEAN, "1.00", "-"]


def test_a_proof_that_there_is_no_plan_is_one():
    nothing = replace(plan(0, Status.INFEASIBLE, "no allowed strategies"), objective=None, strategies=None)
    without = replace(nothing, status=Status.NO_SOLUTION, native_status="stopped")
    cells = [CELLS[0], cell("a", "ring", nothing, row=0), cell("a", "torus", without, row=0)]
    time, ratio, *_ = paper_tables(cells)
    assert texts(time) == [["a", "2.000*", "infeasible*", "none found"]]
    assert displayed(time).footnotes == ("stopped",)
    assert texts(ratio)[0] == ["a", "1.00", "infeasible", "none found"]
    assert [row["ring"].value for row in grid(cells, equal_link).rows] == ["infeasible*", ""]
    assert [row["torus"].value for row in grid(cells, equal_link).rows] == ["none found", ""]


def test_a_proof_of_the_placement_alone_says_so():
    cells = [CELLS[0], cell("a", "ring", replace(plan(3), decided="placement", note="given"), row=0)]
    time, *_ = paper_tables(cells)
    assert texts(time) == [["a", "2.000* best", "3.000+"]]
    assert displayed(time).footnotes == ("given",)
    assert PLACED_ALONE in time.notes
    assert PLACED_ALONE not in paper_tables(CELLS)[0].notes
    assert [row["ring"].value for row in grid(cells, equal_link).rows] == ["3 s+ (1.5)", "(1.5)"]


def test_means_of_equal_products_are_equal():
    cells = [cell(name, "tree", plan(1), row=row) for row, name in enumerate("ab")]
    cells += [cell("a", "ring", plan(Fraction(1, 49)), row=0), cell("b", "ring", plan(49), row=1)]
    _, ratio, *_ = paper_tables(cells)
    assert texts(ratio)[-1] == [MEAN, "1.00 best", "1.00 best"]


def test_links_that_differ_have_no_common_speed():
    time, *_ = paper_tables([CELLS[0], cell("a", "custom", plan(3), row=0, link=None)])
    assert texts(time) == [["a", "2.000*", "-"]]
    assert displayed(time).footnotes == (NO_SPEED,)


def test_files(tmp_path):
    written = write_files(CELLS, tmp_path)
    assert [path.name for path in written] == ["arrays.csv", "arrays.md", "arrays.tex", "arrays.json"]
    header, *lines = (tmp_path / "arrays.csv").read_text(encoding="utf-8").splitlines()
    assert header.split(",")[6:10] == ["comm_time_s", "bound_s", "comm_time_s_equal_link", "comm_time_s_equal_total"]
    assert [line.split(",")[6:10] for line in lines] == [
        ["2", "", "2", "2"],
        ["4", "", "4", "2"],
        ["1", "", "1", "1"],
        ["0.5", "", "0.5", "0.25"],
    ]
    assert "plan" not in header.split(",")
    assert rows(CELLS)[0]["placement"] == ["a0", "a1"]
    assert (
        formats()["markdown"]
        .write(document(CELLS))
        .endswith("How it ended:\n\n- tree: bounds meet\n- ring: bounds meet\n- ring: time limit\n")
    )
    assert write_files([], tmp_path / "none") == []
    assert not (tmp_path / "none").exists()
