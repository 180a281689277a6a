"""The chart of an exploration."""

import json
import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from chart_data import drawn, rest_of
from helpers import linear_chain, problem_of
from machines_drawn import MACHINE, whole

from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.surface import drawn_ranks, surface_figure
from hypar_opt.report.charts.surface_marks import CELL, grid_of
from hypar_opt.studies.sweep import explore

HOSTILE = "</script><b>\"'\\ ü"


@pytest.fixture(scope="module")
def found():
    """All sixteen combinations of two layers at two levels."""
    return explore(problem_of(whole(MACHINE)), ["fc1", "fc2"])


def refused(found, *indices):
    allowed = found.allowed.copy()
    allowed[list(indices)] = False
    return replace(found, allowed=allowed)


def test_every_combination_has_its_exact_cost_in_its_place(found):
    figure = surface_figure(found)
    grid = grid_of(found)
    cells = {row["i"]: row for row in drawn(figure, "i")}
    assert sorted(cells) == list(range(16))
    for i, index in enumerate(index for row in grid.indices for index in row):
        assert Fraction(cells[i]["cost"].removesuffix(" s")) == found.value("time", index)
        assert cells[i]["gain"] == pytest.approx(float(found.gain("time", index)), rel=1e-6)
        words = found.space.strategies(index)
        assert (grid.row_words[i // 4], grid.column_words[i % 4]) == (words["fc1"], words["fc2"])
    params = {one["name"]: one["value"] for one in figure.spec["params"]}
    assert params == {
        "rowWords": list(grid.row_words),
        "columnWords": list(grid.column_words),
        "names": ["fc1", "fc2"],
    }


def test_words_are_drawn_in_their_places(found):
    aria = printed_svg(surface_figure(found), "column")
    for index in range(16):
        words = found.space.strategies(index)
        assert f'"fc1: {words["fc1"]}, fc2: {words["fc2"]}, gain ' in aria


def marked(figure):
    return {(row["i"], row["mark"]) for row in drawn(figure, "mark")}


def test_the_base_plan_and_the_best_are_marked_by_shapes(found):
    figure = surface_figure(found)
    assert marked(figure) == {(found.space.base_index, "base plan"), *((index, "best") for index in found.best)}
    svg = printed_svg(figure, "column")
    assert ">base plan</text>" in svg
    assert ">best</text>" in svg
    assert ">not allowed</text>" not in svg
    rows = {row["mark"].value for row in figure.table.rows}
    assert any("best" in (mark or "") for mark in rows)
    assert any("base plan" in (mark or "") for mark in rows)


def test_the_legend_shows_the_shapes_as_large_as_a_cell(found):
    svg = printed_svg(surface_figure(found), "column")
    shapes = re.findall(r'role-legend-symbol".*?<path[^>]* d="([^"]*)" fill="white"', svg)
    widths = [
        max(numbers) - min(numbers) for numbers in ([float(x) for x in re.findall(r"-?[\d.]+", d)] for d in shapes)
    ]
    assert len(widths) == 2
    assert CELL - 3 < widths[0] < CELL  # the frame
    assert widths[1] > CELL / 3
    edge = re.findall(r"-?[\d.]+,-?[\d.]+", shapes[0].split("M")[1])
    assert edge[0] == edge[-1]  # all around


def test_what_is_not_allowed_has_no_gain_and_a_cross(found):
    figure = surface_figure(refused(found, 5, 6))
    assert {(5, "not allowed"), (6, "not allowed")} <= marked(figure)
    gone = [row for row in drawn(figure, "i") if row["i"] in (5, 6)]
    assert all("gain" not in row for row in gone)
    assert ">not allowed</text>" in printed_svg(figure, "column")
    assert "2 combinations do not fit" in figure.alternative
    assert [row["mark"].value for row in figure.table.rows[-2:]] == ["not allowed"] * 2
    assert [row["rank"].value for row in figure.table.rows[-2:]] == [None, None]


def test_in_words(found):
    figure = surface_figure(found)
    assert figure.title == f"Gain in time over {found.against}: 16 combinations"
    assert figure.alternative.startswith(f"{figure.title}. A map of fc1 (rows) by fc2 (columns). Best time ")


def test_three_free_layers_are_a_curve():
    found = explore(problem_of(whole(MACHINE)), levels=[1])
    figure = surface_figure(found)
    rows = [row for row in drawn(figure, "rank") if "mark" not in row]
    gains = [row["gain"] for row in rows]
    assert len(rows) == 8
    assert gains == sorted(gains, reverse=True)
    (base,) = [row for row in drawn(figure, "rank") if "mark" in row]
    assert base["rank"] == found.rank(found.space.base_index)
    assert "A curve of the sorted gains" in figure.alternative
    assert ">base plan</text>" in printed_svg(figure, "column")


@pytest.mark.parametrize("count", [0, 1, 400, 401, 4096, 1_000_000])
def test_ranks_that_are_drawn(count):
    ranks = drawn_ranks(count)
    assert len(ranks) <= 400
    assert ranks[:100] == list(range(min(count, 100)))
    assert not count or ranks[-1] == count - 1
    if count <= 400:
        assert ranks == list(range(count))


def test_nothing_is_allowed(found):
    for one in (found, explore(problem_of(whole(MACHINE)))):
        none = replace(one, allowed=np.zeros_like(one.allowed))
        assert printed_svg(surface_figure(none), "column").startswith("<svg")


def test_names_are_data():
    layers = [{"name": f"{HOSTILE}{i}", "linear": {"features": 4}} for i in range(2)]
    figure = surface_figure(explore(problem_of(whole(MACHINE, layers))))
    assert {row["text"] for row in drawn(figure, "text")} == {f"{HOSTILE}0", f"{HOSTILE}1"}
    params = [one for one in figure.spec["params"] if one["name"] == "names"]
    assert params[0]["value"] == [f"{HOSTILE}0", f"{HOSTILE}1"]
    rest = rest_of(figure).replace(json.dumps(params[0]["value"]), "")
    assert "<b>" not in rest
    svg = printed_svg(figure, "page")
    assert "&lt;/script&gt;&lt;b&gt;" in svg
    assert "<b>" not in svg


def test_the_largest_map_is_small():
    found = explore(problem_of({**whole({**MACHINE, "levels": 5}, linear_chain(64, 64)), "batch": 64}))
    assert found.space.count == 1024
    assert len(json.dumps(surface_figure(found).spec, separators=(",", ":"))) < 60_000


def test_two_free_levels_are_a_map():
    found = explore(problem_of(whole(MACHINE)))
    figure = surface_figure(found)
    assert len(drawn(figure, "i")) >= found.space.count == 64
    assert "A map of level 1: fc1, fc2, fc3 (rows) by level 2: fc1, fc2, fc3 (columns)" in figure.alternative
