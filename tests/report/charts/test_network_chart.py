"""The network as a graph: every layer in a place of its own, every boundary a line that passes beside layers."""

from fractions import Fraction

import pytest
from chart_data import drawn
from plans_drawn import chain, planned, shipped

from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.network import NetworkDrawing, network_figure
from hypar_opt.report.charts.network_layout import NetworkLayout
from hypar_opt.util.numbers import in_full

NETWORKS = ("lenet-c", "vgg-e", "resnet-18", "resnet-50")


def with_words(name, word="dddm"):
    problem = shipped(name)
    return planned(problem, [word] * len(problem.work.layers))


@pytest.mark.parametrize("name", NETWORKS)
def test_no_line_runs_through_a_layer_and_readers_stand_below(name):
    work = shipped(name).work
    found = NetworkLayout(work, len(work.layers))
    places = {(lane, found.rows[layer]): layer for layer, lane in found.lanes.items()}
    assert len(places) == len(work.layers)
    for edge, path in zip(found.edges, found.paths, strict=True):
        assert path[0] == (found.lanes[edge.producer], found.rows[edge.producer])
        assert path[-1] == (found.lanes[edge.reader], found.rows[edge.reader])
        rows = [row for _, row in path]
        assert rows == sorted(rows) and rows[0] < rows[-1]
        passed = [(lane, row) for lane, row in path[1:-1]]
        if passed:
            (lane, top), (_, low) = passed[0], passed[-1]
            assert not any((lane, row) in places for row in range(top, low + 1))


def test_a_chain_stands_in_one_lane_and_branches_beside_it():
    work = shipped("vgg-e").work
    assert set(NetworkLayout(work, len(work.layers)).lanes.values()) == {0}
    work = shipped("resnet-50").work
    found = NetworkLayout(work, len(work.layers))
    lanes = {work.layers[at].name: lane for at, lane in found.lanes.items()}
    assert {name for name, lane in lanes.items() if lane} == {name for name in lanes if name.endswith("proj")}
    assert found.width <= 2


@pytest.mark.parametrize("name", NETWORKS)
def test_every_layer_has_its_choices_and_every_boundary_its_bytes(name):
    named = with_words(name)
    figure, work = network_figure(named), named.problem.work
    assert [row["n"] for row in drawn(figure, "w")] == [layer.name for layer in work.layers]
    assert "".join(row["a"] for row in drawn(figure, "a")) == "dddm" * len(work.layers)
    said = {row["k"]: row["b"] for row in drawn(figure, "k")}
    for edge, row in zip(work.boundaries, named.breakdown.inter, strict=True):
        assert said[f"{work.layers[edge.producer].name} → {work.layers[edge.reader].name}"] == in_full(sum(row))
    assert len(said) == len(work.boundaries)
    rows = figure.table.rows
    assert [row["layer"].value for row in rows] == [layer.name for layer in work.layers]
    assert sum(Fraction(row["bytes"].value) for row in rows) == sum(map(sum, named.breakdown.inter))


def test_joins_are_framed_and_told():
    figure = network_figure(with_words("resnet-18"))
    framed = {row["n"] for row in drawn(figure, "w") if row["j"]}
    assert framed and all(name.endswith("add") for name in framed)
    assert "8 layers join branches" in figure.alternative
    assert "s3b1_add reads s3b1_conv2, s3b1_proj" in figure.alternative
    reads = {row["layer"].value: row["reads"].value for row in figure.table.rows}
    assert reads["conv1"] == "the input"
    assert reads["s2b1_add"] == "s2b1_conv2, conv1"
    assert "a chain" in network_figure(with_words("lenet-c")).alternative


def test_all_is_inside_and_names_do_not_meet_layers():
    for name in NETWORKS:
        drawing = NetworkDrawing(with_words(name))
        width, height = drawing.size
        for row in drawing.lines():
            assert min(row["x"], row["X"]) >= 0 and max(row["x"], row["X"]) <= width
            assert 0 <= row["y"] < row["Y"] <= height
        for row in drawing.layers():
            assert row["t"] < row["x"] if row["f"] else row["t"] > row["X"]


def test_it_is_printed_and_one_accelerator_has_no_choices():
    svg = printed_svg(network_figure(with_words("resnet-18")), "page")
    assert "s5b2_add" in svg and "NaN" not in svg
    alone = network_figure(planned(chain(8, 4, levels=0), ["", ""]))
    assert drawn(alone, "a") == []
    assert printed_svg(alone, "column").startswith("<svg")


def test_of_a_large_network_the_first_layers_are_drawn_and_it_is_said(monkeypatch):
    from hypar_opt.report.charts import plan_cells

    monkeypatch.setattr(plan_cells, "MOST_ROWS", 5)
    figure = network_figure(with_words("resnet-18"))
    assert len(drawn(figure, "w")) == 5
    assert figure.alternative.endswith("24 more layers stand in the plan file.")
    assert len(figure.table.rows) == 29
