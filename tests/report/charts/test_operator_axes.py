"""Pictures of arrays of axes: whose colour is whose, and what joins a group."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import groupby

import pytest

from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.report.charts.export import picture
from hypar_opt.report.charts.operator_axes import axes_figure, beside_axes, is_drawable
from hypar_opt.report.charts.operator_axes_data import COLOURS, SWITCH, AxesDrawing
from hypar_opt.report.charts.operator_grid import operators_figure
from hypar_opt.util.errors import Refusal
from tests.report.operator_plans import named

RING = {"topology": "ring", "placement": [f"a{i}" for i in (0, 2, 4, 6, 1, 3, 5, 7)]}


def drawing(sizes=(2, 4), link=None, **array):
    """Return an array of axes a, b, ..., to be drawn."""
    axes = [{"name": name, "size": size} for name, size in zip("abcd", sizes, strict=False)]
    axes = [one | {"link": link} for one in axes] if link else axes
    layers = [{"name": "fc", "linear": {"features": 8}}]
    network = {"input": {"sequence": 4, "features": 8}, "layers": layers}
    document = {"schema": "hypar-opt/instance/1", "name": "one", "batch": 8, "network": network}
    one = OperatorInstance.from_dict(document | {"array": {"axes": axes} | array})
    return AxesDrawing.of_array(one.spec.array, one.standing)


@pytest.mark.parametrize("sizes", [(6,), (2, 4), (3, 2, 4)])
def test_a_group_is_a_device_and_those_that_differ_along_the_axis_alone(sizes):
    one = drawing(sizes)
    for axis in range(len(sizes)):
        for device in range(one.partition.leaves):
            mates = [
                other for other in range(one.partition.leaves) if one.group(other, axis) == one.group(device, axis)
            ]
            assert sorted({device, *one.partition.peers(device, axis)}) == mates
    rows = one.table("devices").rows
    assert len(rows) == one.partition.leaves


def test_accelerators_have_the_colour_of_the_group_that_stands_on_them():
    """Device 4, which is 1 of a and 0 of b, is on a1, next to device 0 on a0: the two are a group along a."""
    nodes = {node["n"]: node for node in drawing(**RING).nodes()}
    assert [nodes[name]["w"] for name in ("a0", "a1", "a2")] == ["00", "10", "01"]
    assert nodes["a0"]["c0"] == nodes["a1"]["c0"] == COLOURS[0] != nodes["a2"]["c0"]
    assert nodes["a0"]["c1"] == nodes["a2"]["c1"] == COLOURS[0] != nodes["a1"]["c1"]
    assert drawing(**RING).farthest == (1, 4)
    assert drawing(topology="ring", placement="identity").farthest == (4, 3)


def test_links_between_two_of_a_group_have_its_colour_and_others_none():
    strokes = list(drawing(**RING).links())
    along_a, along_b = ([one.get(f"c{axis}") for one in strokes] for axis in range(2))
    assert {colour: len(list(every)) for colour, every in groupby(sorted(filter(None, along_a)))} == dict.fromkeys(
        sorted(COLOURS[:4]), 2
    )
    assert not any(along_b)  # everyone's neighbours are in the other group
    assert all(one["real"] for one in strokes)


def test_switches_are_of_no_group():
    switches = [node for node in drawing(topology="binary-tree").nodes() if node["d"] == SWITCH]
    assert len(switches) == 7
    assert not any("c0" in node for node in switches)


def test_headings_say_what_joins_a_group():
    assert drawing((2, 8), {"bandwidth": 25e9, "latency": 2e-6}).headings(0) == ["a: 8 groups of 2", "25 GB/s, 2 us"]
    assert drawing((8,)).headings(0) == ["a: 1 group of 8"]
    assert drawing(topology="ring", placement="identity").headings(1)[1] == "at most 3 links between two of a group"
    assert "no placement is given" in drawing(topology="ring").said


def test_what_cannot_be_read_is_not_drawn():
    large = drawing((16, 32))
    assert not is_drawable(large)
    with pytest.raises(Refusal, match="512 nodes cannot be read, at most 256 are drawn"):
        axes_figure(large)


@pytest.mark.slow
def test_a_plan_on_a_graph_is_drawn_with_its_axes_below():
    one, graph = named(), drawing(**RING)
    whole = beside_axes(operators_figure(one), graph.array, graph.standing)
    svg = ElementTree.fromstring(picture(whole, "svg"))
    texts = {text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")}
    assert {"fc_proj", "node (2)", "a: 4 groups of 2", "13"} <= texts
    assert whole.alternative.endswith("at most 4 links between two of a group.")
