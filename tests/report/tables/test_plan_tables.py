"""Plans and fronts as tables: what stands in them is what the evaluator and the front say."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction

import pytest
from pylatexenc.latexwalker import LatexWalker

from hypar_opt import Array, Conv, Instance, Layer, Linear, Network, load, pareto_front, solve
from hypar_opt.report.front_tables import front_tables
from hypar_opt.report.plan_tables import MOST_COLUMNS, plan_tables
from hypar_opt.report.tables import formats
from hypar_opt.report.tables.displayed import shown
from hypar_opt.solver.kinds import network_problem_of
from hypar_opt.util.errors import InputError
from hypar_opt.verification.claim import claim_of

HOSTILE = ("a_b & 5 %", r"\input{/etc/passwd}", "$x|y$", "=1+1")


def hostile():
    layers = [Layer(HOSTILE[0], Conv(4, kernel=3)), *(Layer(name, Linear(8)) for name in HOSTILE[1:])]
    return Instance(Network((3, 6, 6), layers), Array("h-tree", levels=2), batch=8, name=r"net_{1} \& more")


def document(instance):
    return plan_tables(instance, claim_of(solve(instance)))


def written(found, name):
    return formats()[name].write(found)


def rows_of(found):
    return list(csv.DictReader(io.StringIO(written(found, "csv"))))


CASES = {
    "levels": lambda: load("lenet-c"),
    "fractions": lambda: load("lenet-c", accounting="leaf-exact", batch=7),
    "joins": lambda: load("resnet-18", levels=2),
    "many levels": lambda: load("lenet-c", levels=MOST_COLUMNS + 1),
    "one accelerator": lambda: load("sfc", levels=0),
}


@pytest.mark.parametrize("case", CASES)
def test_data_has_all_bytes_of_each_part_and_level(case):
    instance = CASES[case]()
    problem, plan = network_problem_of(instance), solve(instance)
    breakdown, rows = problem.bytes_of(plan.strategies), rows_of(plan_tables(instance, claim_of(plan)))
    assert sum(Fraction(row["bytes"]) for row in rows) == plan.communication_bytes
    for h in range(instance.levels):
        assert sum(Fraction(row[f"level_{h + 1}_bytes"]) for row in rows) == breakdown.level(h)
    layers = {row["layer"]: row["levels"] for row in rows if not row["reader"]}
    assert layers == plan.strategies
    boundaries = [(row["layer"], row["reader"]) for row in rows if row["kind"] == "boundary"]
    names = [layer.name for layer in problem.work.layers]
    assert boundaries == [(names[edge.producer], names[edge.reader]) for edge in problem.work.boundaries]


def test_people_read_a_letter_a_level_and_the_bytes_in_all():
    grid, parts = document(load("lenet-c", levels=2)).tables
    assert [column.heading for column in grid.columns] == ["layer", "kind", "1", "2", "intra", "inter before"]
    assert [[entry.value for entry in row.values()][:4] for row in grid.rows][2] == ["fc1", "linear", "d", "m"]
    last = [entry.value for entry in parts.rows[-1].values()]
    assert last[0] == "in all"
    assert sum(last[1:-1]) == last[-1] == solve(load("lenet-c", levels=2)).communication_bytes
    assert "conv1 → conv2" not in [row["part"].value for row in parts.rows]
    assert parts.notes[-1] == "What is left out exchanges nothing"


def test_beyond_eight_levels_there_are_words_and_a_row_a_level():
    grid, levels = document(load("lenet-c", levels=MOST_COLUMNS + 1)).tables
    assert {len(row["levels"].value) for row in grid.rows} == {MOST_COLUMNS + 1}
    assert [row["level"].value for row in levels.rows] == list(range(1, MOST_COLUMNS + 2))
    assert sum(row["share"].value for row in levels.rows) == 1


@pytest.mark.parametrize("case", CASES)
def test_every_format_writes_it_and_latex_is_well_formed(case):
    found = document(CASES[case]())
    LatexWalker(written(found, "latex"), tolerant_parsing=False).get_latex_nodes()
    assert all(table.title in written(found, "markdown") for table in found.tables)


def test_names_from_files_stay_names():
    found = document(hostile())
    text = written(found, "latex")
    LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    assert r"\input{" not in text
    assert r"a\_b \& 5~\% & conv" in text
    assert r"\textbackslash{}input\{/etc/passwd\} & linear" in text
    assert r"\label{tab:plan-net-1-more}" in text
    assert r"a_b & 5 %" in written(found, "markdown")
    assert "'=1+1" in {row["layer"] for row in rows_of(found)}


def test_what_is_said_of_a_plan():
    instance = load("sfc", array="hypar-16", objective="time")
    plan = solve(instance)
    grid, _ = plan_tables(instance, claim_of(plan)).tables
    said = " ".join(grid.notes)
    assert f"({plan.communication_bytes:,} bytes) under the accounting published, recomputed" in said
    assert "d: dp, m: mp" in said
    assert "It costs time " in said
    assert "Its file says OPTIMAL by joint-dp; hypar-opt verify decides that" in said


def test_what_is_rounded_is_said_where_it_shows():
    exact = Instance(Network([4], [Layer("a", Linear(2)), Layer("b", Linear(3))]), Array("h-tree", levels=2), batch=8)
    for instance, expected in ((exact, 0), (load("lenet-c"), 1)):
        (_, found) = document(instance).tables
        said = [note for note in found.notes if note.startswith("Sums are of exact bytes: rounded to 4 digits")]
        assert len(said) == expected
    total = {column.key: shown(column, found.rows[-1][column.key]) for column in found.columns}
    assert total["bytes"] == "17,600"  # and the levels sum to 17,603
    assert sum(int(total[f"level_{h}"].replace(",", "")) for h in range(1, 5)) == 17_603


def test_neighbours_of_a_front_that_look_alike_have_more_digits(front):
    def with_times(*times):
        values = [(Fraction(5), Fraction(time), Fraction(9 - at)) for at, time in enumerate(times)]
        points = [replace(front.points[0], values=one) for one in values]
        (table,) = front_tables(replace(front, points=tuple(points))).tables
        column = next(one for one in table.columns if one.key == "cost time")
        return [shown(column, row[column.key]) for row in table.rows]

    assert with_times("1", "1.001", "3") == ["1.000", "1.001", "3.000"]
    assert with_times("1", "1.00000011", "3") == ["1.0000000", "1.0000001", "3.0000000"]
    assert with_times("1", "1", "3") == ["1.000", "1.000", "3.000"]
    near = Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30)
    assert len(set(with_times(*near))) == 2


def test_a_plan_of_another_instance_is_none():
    claim = claim_of(solve("lenet-c"))
    with pytest.raises(InputError, match="is a plan of 'lenet-c', not of 'sfc'"):
        plan_tables("sfc", claim)
    with pytest.raises(InputError, match="was made with overrides"):
        plan_tables(load("lenet-c", levels=2), claim)


@pytest.fixture(scope="module")
def front():
    return pareto_front(load("lenet-c", array="hypar-row-stationary-16"), ("communication", "time", "energy"))


def test_a_front_s_data_is_exact(front):
    rows = rows_of(front_tables(front))
    fields = ("cost.communication_bytes", "cost.time_s", "cost.energy_J")
    assert [tuple(Fraction(row[name]) for name in fields) for row in rows] == [one.values for one in front.points]
    assert [row["plan.fc1"] for row in rows] == [one.strategies["fc1"] for one in front.points]


def test_a_front_for_people_has_all_points_and_what_is_proven(front):
    (table,) = front_tables(front).tables
    assert [row["cost time"].value for row in table.rows] == [one.values[1] for one in front.points]
    assert [column.unit for column in table.columns][1:4] == ["MB", "ms", "mJ"]
    assert table.notes[0] == f"{len(front.points)} points, all there are, by {front.formulation}"
    LatexWalker(written(front_tables(front), "latex"), tolerant_parsing=False).get_latex_nodes()


def test_a_front_without_a_point_is_a_table_without_a_row(front):
    empty = front_tables(replace(front, points=(), note="nothing fits"))
    assert written(empty, "csv") == "\n"
    (table,) = empty.tables
    assert (table.rows, table.notes[1]) == ((), "nothing fits")
    LatexWalker(written(empty, "latex"), tolerant_parsing=False).get_latex_nodes()


def test_it_is_said_where_layers_that_change_are_left_out(front):
    many, few = "abcde", "ab"
    for layers, expected in ((many, 1), (few, 0)):
        plans = [dict.fromkeys(layers, letter) for letter in "dm"]
        points = [replace(front.points[0], plan=replace(front.points[0].plan, strategies=plan)) for plan in plans]
        notes = front_tables(replace(front, points=tuple(points))).tables[0].notes
        assert len([note for note in notes if "at most 3 are named" in note]) == expected
