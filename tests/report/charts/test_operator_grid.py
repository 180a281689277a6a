"""The picture of a plan of operators: cells, bars, colours, and what it says to those who cannot see it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.instance.read import load
from hypar_opt.report.charts.operator_grid import BARS, CELLS, SUMS, operators_figure
from hypar_opt.report.charts.operator_rows import MOST_ROWS, PALE, WHOLE, PictureRows, colours
from hypar_opt.report.charts.registry import drawings, figures
from hypar_opt.solver.plan import Plan
from tests.report.operator_plans import named


@pytest.fixture(scope="module")
def block():
    return named(batch=8)


def data_of(figure, name):
    return figure.spec["datasets"][name]


def test_every_operator_and_axis_has_a_cell(block):
    figure = operators_figure(block)
    cells = {(one["row"], one["x"]): one["dim"] for one in data_of(figure, CELLS)}
    names = [one.name for one in block.problem.instance.graph.operators]
    assert {name for name, _ in cells} == set(names)
    for name in names:
        assert f"{cells[name, 'node (2)']} {cells[name, 'gpu (4)']}" == block.strategies[name]


def test_bars_add_up_to_what_is_exchanged(block):
    figure = operators_figure(block)
    total = sum(int(one["e"].replace(",", "")) for one in data_of(figure, BARS))
    assert total == block.plan.communication_bytes
    assert sum(one["t"] for one in data_of(figure, SUMS)) == float(total)
    assert sum(row["total"].value for row in figure.table.rows) == total
    assert f"{total:,} bytes" in figure.alternative


def test_equal_blocks_share_rows():
    rows = PictureRows(named("gpt2-small", batch=8)).all
    assert len(rows) < 60
    plan = named("gpt2-small", batch=8)
    assert sum(row.count for row in rows) == len(plan.problem.instance.graph.operators)
    assert sum((row.total for row in rows), start=Fraction(0)) == plan.plan.communication_bytes


def test_colours_are_those_of_the_network_whatever_a_plan_uses(block):
    other = PictureRows(named(batch=8, choices="heads,features,out,in,none")).colours
    for name, colour in PictureRows(block).colours.items():
        assert other.get(name, colour) == colour
    assert colours(["a", WHOLE, "b"])[WHOLE] == PALE
    assert len(set(colours("abcdefgh").values())) == 9


def test_a_large_network_says_what_is_left_out(monkeypatch, block):
    monkeypatch.setattr("hypar_opt.report.charts.operator_rows.MOST_ROWS", 5)
    figure = operators_figure(block)
    assert MOST_ROWS > 5
    assert len(data_of(figure, SUMS)) == 5
    assert f"The first 5 of {len(figure.table.rows)} rows" in figure.alternative


def test_figures_of_networks_are_not_drawn_of_operators(block):
    known = {"plan": block, "plans": [block]}
    assert set(drawings(known, kind="operators")) == {"operators", "operator-memory", "operator-time"}
    ours = {name for name, one in figures().items() if "operators" in one.of}
    assert ours == {"operators", "operator-memory", "operator-time", "front", "axes", "anytime"}
    assert all(figures()[name].of == ("operators",) for name in ours - {"front", "anytime"})


def test_bars_of_memory_and_time():
    plan = named(batch=64, array="h100-8x8", objective="time")
    drawn = {name: draw() for name, draw in drawings({"plans": [plan]}, kind="operators").items()}
    (memory,), (time,) = (drawn[name].table.rows for name in ("operator-memory", "operator-time"))
    assert memory["all"].value == plan.problem.kept_in_all(plan.problem.plan_of(plan.strategies))
    assert memory["parameters"].value == plan.kept["parameters"]
    assert time["all"].value == plan.plan.costs["time"]
    assert "Each device has 80 GB" in drawn["operator-memory"].alternative


def test_a_plan_draws_itself(tmp_path, block):
    alone, beside = block.plan.plot().to_dict(), block.plan.plot(load("gpt2-block", batch=8)).to_dict()
    assert len(alone["datasets"][CELLS]) == 2 * len(block.strategies)
    assert len(beside["hconcat"]) == 2
    block.plan.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json").plot().to_dict() == alone
