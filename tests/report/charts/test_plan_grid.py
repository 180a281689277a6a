"""The picture of a plan: what it shows is the breakdown."""

import json
from random import Random

import pytest
from chart_data import drawn, rest_of
from plans_drawn import TEN, chain, drawn_words, number, planned, shipped

from hypar_opt.report.charts import plan_cells
from hypar_opt.report.charts.plan_grid import plan_figure

HOSTILE = "</script><b>\"'\\ ü datum.x"


@pytest.fixture(scope="module")
def vgg():
    """VGG-E with random words."""
    problem = shipped("vgg-e", accounting="receiver")
    return planned(problem, drawn_words(Random(1), problem))


def test_cells_are_the_breakdown(vgg):
    cells = iter(drawn(plan_figure(vgg), "h"))
    inter = {edge.reader: number for number, edge in enumerate(vgg.problem.work.boundaries)}
    for row, layer in enumerate(vgg.problem.work.layers):
        for h, letter in enumerate(vgg.strategies[layer.name]):
            datum = next(cells)
            assert (datum["l"], datum["h"], datum["a"]) == (layer.name, h + 1, letter)
            assert number(datum["i"]) == vgg.breakdown.intra[row][h]
            if row in inter:
                assert number(datum["f"]) == vgg.breakdown.forward[inter[row]][h]
                assert number(datum["e"]) == vgg.breakdown.backward[inter[row]][h]
    assert next(cells, None) is None


def test_bars_are_the_sums(vgg):
    bars = drawn(plan_figure(vgg), "T")
    assert [number(datum["I"]) for datum in bars] == [sum(row) for row in vgg.breakdown.intra]
    assert sum(number(datum["T"]) for datum in bars) == vgg.breakdown.total
    assert all((datum["i"], datum["i"] + datum["j"]) == (number(datum["I"]), datum["t"]) for datum in bars)


def test_the_table_has_what_hover_shows(vgg):
    figure = plan_figure(vgg)
    by_cell = {(row["layer"].value, row["level"].value): row for row in figure.table.rows}
    for datum in drawn(figure, "h"):
        row = by_cell[datum["l"], datum["h"]]
        assert [row[key].value for key in ("intra", "feature", "error")] == [number(datum[key]) for key in "ife"]
        assert row["choice"].value == datum["a"]
    for datum in drawn(figure, "T"):
        row = by_cell[datum["l"], None]
        assert row["level"].text == "all"
        assert row["choice"].value == vgg.strategies[datum["l"]]
        assert row["total"].value == number(datum["T"])


def test_in_words(vgg):
    small = planned(chain(8, 4), ["dd", "dm"], "mine")
    assert plan_figure(small).alternative == (
        "A grid of 2 layers and 2 levels with the choice in each cell, beside it bars of each layer's bytes. mine "
        "exchanges 2,048 bytes a step, 1,920 of them inside layers. By layer, root level first: fc1 dd; fc2 dm."
    )
    assert "exactly 2,048 bytes" in rest_of(plan_figure(small))


def test_names_are_data_and_never_part_of_the_chart():
    problem = chain(8, 4)
    layers = [{"name": HOSTILE, "linear": {"features": 8}}, {"name": "datum", "linear": {"features": 4}}]
    from helpers import document, problem_of

    problem = problem_of(document(layers, [8], batch=4, levels=2))
    figure = plan_figure(planned(problem, ["dd", "dm"], HOSTILE))
    assert {datum["l"] for datum in drawn(figure, "h")} == {HOSTILE, "datum"}
    assert json.dumps(HOSTILE)[1:-1] not in rest_of(figure)


def test_layers_beyond_the_limit_are_left_out_and_it_is_said(monkeypatch):
    monkeypatch.setattr(plan_cells, "MOST_ROWS", 2)
    figure = plan_figure(planned(chain(8, 4, 2), ["dd", "dm", "mm"]))
    said = "The first 2 of 3 layers; all of them stand in the plan file."
    assert [datum["l"] for datum in drawn(figure, "T")] == ["fc1", "fc2"]
    assert said in rest_of(figure)
    assert figure.alternative.endswith(said)
    assert figure.table.notes[-1] == said


def test_the_deeper_the_fewer_layers():
    assert (plan_cells.shown_rows(4), plan_cells.shown_rows(24), plan_cells.shown_rows(0)) == (150, 83, 150)


@pytest.mark.parametrize("levels", [0, 1, 20])
def test_any_depth_is_drawn(levels):
    import vl_convert

    named = planned(shipped("lenet-c", levels=levels), ["d" * levels] * 4)
    figure = plan_figure(named)
    svg = vl_convert.vegalite_to_svg(dict(figure.spec))
    assert svg.count('aria-roledescription="rect mark"') == 4 * levels
    assert all(datum["l"] in svg for datum in drawn(figure, "T"))
    assert ("nothing is exchanged" in svg) == (levels == 0)


def test_a_screen_reader_hears_what_hover_shows():
    import vl_convert

    svg = vl_convert.vegalite_to_svg(dict(plan_figure(planned(chain(8, 4), ["dd", "dm"])).spec))
    assert (
        'aria-label="fc2, level 2: m: model parallelism, splits the input dimension. Partial sums of F[l+1]: 8 '
        "elements a group: 128 bytes, 2^1 × 2 × 4 B × 16 / 2^1. Boundary before: fc1 d → m: F 64 bytes, "
        '2^1 × 2 × 4 B × 1/4 × 32 / 2^1; E 64 bytes, 2^1 × 2 × 4 B × 1/4 × 32 / 2^1"'
    ) in svg
    assert ' bytes, 2^0 × 2 × 4 B × 64 / 2^0. Boundary before: none: reads the input"' in svg
    assert 'aria-label="fc2: intra-layer 384 bytes, inter-layer before it 128"' in svg


@pytest.mark.parametrize("name", TEN)
def test_specifications_stay_small(name):
    problem = shipped(name, accounting="published")
    figure = plan_figure(planned(problem, drawn_words(Random(2), problem)))
    assert len(json.dumps(figure.spec, separators=(",", ":"))) < 40_000
