"""The array with its links: every half of a link says what was measured."""

import json
import math
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from html import unescape
from itertools import pairwise

import pytest
from chart_data import drawn, rest_of
from helpers import document, linear_chain, problem_of
from plans_drawn import chain, number, planned, shipped

from hypar_opt.instance.hardware import TOPOLOGIES, Shape, Wire, custom, machine_of
from hypar_opt.report.arrays.shown import show
from hypar_opt.report.arrays.view import _fullest
from hypar_opt.report.charts import links
from hypar_opt.report.charts.links import links_figure, shown_of
from hypar_opt.report.charts.links_data import LinkLoads
from hypar_opt.report.charts.links_geometry import geometry_of
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import in_full

WIRE = Wire(Fraction(10**9), Fraction(0), Fraction(1, 10**9))
HOSTILE = "</script><b>\"'\\ ü datum.x"


def array(topology, levels, **given):
    """Return an array of a topology; a custom one is a row with one to spare and a hostile name."""
    if topology != "custom":
        return machine_of(topology, Shape(levels, wire=WIRE, **given))
    names = [HOSTILE, *(f"n{i}" for i in range(1 << levels))]
    nodes = [{"name": name, "kind": "accelerator"} for name in names]
    ends = pairwise(names)
    return custom(nodes, [{"ends": pair} for pair in ends], WIRE, levels)


def of_routes(machine, levels):
    """Return an array with a byte from every accelerator at every level."""
    return show("of-a-test", machine, tuple(range(1 << levels)), "identity")


def svg_of(figure, level=0):
    """Return the picture at a level."""
    import vl_convert

    spec = json.loads(json.dumps(figure.spec))
    spec["params"][0]["value"] = level
    return vl_convert.vegalite_to_svg(spec)


@pytest.fixture(scope="module")
def vgg():
    """VGG-E on a torus, all data parallelism but the last level."""
    problem = shipped("vgg-e", array="torus-16", placement="identity", accounting="published")
    return planned(problem, ["dddm"] * 16 + ["mmmd"] * 3)


def test_loads_are_those_measured(vgg):
    shown = shown_of(vgg)
    figure = links_figure(shown)
    place = {name: node for node, name in enumerate(shown.machine.names)}
    halves = drawn(figure, "b")
    assert len(halves) == 2 * len(shown.machine.links)
    for datum in halves:
        hop = place[datum["s"]], place[datum["t"]]
        assert datum["b"] == [loads.get(hop, 0) for loads in (shown.measured.loads, *shown.measured.levels)]
        assert datum["b"][0] == sum(datum["b"][1:])
    assert sum(datum["b"][0] for datum in halves) == shown.measured.hop_bytes


def test_the_table_has_what_hover_shows(vgg):
    figure = links_figure(shown_of(vgg))
    rows = {(row["from"].value, row["to"].value): row for row in figure.table.rows}
    for datum in drawn(figure, "b"):
        row = rows[datum["s"], datum["t"]]
        assert [row["load"].value, *(row[f"level_{h}"].value for h in range(1, 5))] == datum["b"]
        assert float(row["seconds"].value) == pytest.approx(datum["b"][0] / datum["r"])
    assert len(json.dumps(figure.spec, separators=(",", ":"))) < 20_000


def test_levels_are_switched(vgg):
    figure = links_figure(shown_of(vgg))
    level, by = figure.spec["params"]
    assert (by["name"], by["value"], by["bind"]["options"]) == ("links", "time", ["time", "bytes"])
    assert level["bind"]["labels"][:3] == ["all levels", "level 1: 1 group halved", "level 2: 2 groups halved"]
    assert level["bind"]["options"] == [0, 1, 2, 3, 4]
    datum = next(datum for datum in drawn(figure, "b") if 0 < datum["b"][2] != datum["b"][0])
    for shown in (0, 2):
        assert f'aria-label="{datum["s"]} → {datum["t"]}: {datum["b"][shown]:,} bytes, about ' in svg_of(figure, shown)


def test_nodes_are_leaves_and_groups():
    figure = links_figure(of_routes(array("h-tree", 2), 2))
    nodes = [(datum["n"], datum["w"], datum["g"]) for datum in drawn(figure, "g")]
    assert nodes[:4] == [(f"a{i}", f"{i:02b}", f"group {i:02b}") for i in range(4)]
    assert {node[1:] for node in nodes[4:]} == {("", "switch")}
    assert 'aria-label="a3, group 11, leaf 11"' in svg_of(figure)


def test_a_placement_moves_the_leaves():
    machine = array("ring", 2)
    moved = links_figure(show("of-a-test", machine, (2, 0, 3, 1), "given"))
    assert [datum["w"] for datum in drawn(moved, "g")] == ["01", "11", "00", "10"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("levels", [0, 2, 1, 4])
def test_every_topology_is_drawn(topology, levels):
    shown = of_routes(array(topology, levels), levels)
    svg, names = svg_of(links_figure(shown)), shown.machine.names
    found = re.findall(r'aria-label="([^"]*) → ([^"]*): ([^" ]*) routes"', svg)
    assert Counter(tuple(map(unescape, one)) for one in found) == Counter(
        (names[hop[0]], names[hop[1]], in_full(shown.measured.loads.get(hop, 0))) for hop in LinkLoads(shown).hops
    )
    assert svg.count('aria-roledescription="point"') == len(names)
    assert "NaN" not in svg


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_halves_meet_and_nothing_is_outside(topology):
    machine = array(topology, 4)
    found = geometry_of(machine, 4)
    left, low, right, high = found.box
    for number_of, link in enumerate(machine.links):
        first, second = (found.halves[hop] for hop in (link.ends, link.ends[::-1]))
        for strokes, node in ((first, link.ends[0]), (second, link.ends[1])):
            assert strokes[0][:2] == pytest.approx(found.layout.points[node])
        if number_of in found.layout.stubs:
            assert math.dist(first[-1][2:], second[-1][2:]) > found.dot
        else:
            assert first[-1][2:] == pytest.approx(second[-1][2:])
        assert all(left < x < right and low < y < high for one in (*first, *second) for x, y in (one[:2], one[2:]))


@pytest.mark.parametrize("dims", [(4, 4), (2, 2, 4), (2, 2, 2, 2), (2, 1, 2, 2, 2)])
def test_grids_of_any_dimensions_bow_around_what_stands_between(dims):
    machine = array("torus", 4, dims=dims)
    found = geometry_of(machine, 4)
    for number_of, link in enumerate(machine.links):
        first, second = (found.halves[hop] for hop in (link.ends, link.ends[::-1]))
        assert len(first) == len(second) == (4 if number_of in found.layout.bends else 1)


def test_names_are_data():
    figure = links_figure(of_routes(array("custom", 2), 2))
    assert HOSTILE in {datum["n"] for datum in drawn(figure, "g")}
    assert json.dumps(HOSTILE)[1:-1] not in rest_of(figure)


def test_loads_that_a_browser_cannot_hold_are_text():
    problem = problem_of(
        {
            **document(linear_chain(8192, 8), [8], batch=2**40, levels=4),
            "array": {"topology": "ring", "levels": 4, "placement": "identity", "link": {"bandwidth": 1}},
        }
    )
    shown = shown_of(planned(problem, ["dddd", "mmmm"]))
    halves = drawn(links_figure(shown), "B")
    assert max(shown.measured.loads.values()) >= 2**53
    place = {name: node for node, name in enumerate(shown.machine.names)}
    for datum in halves:
        assert number(datum["B"][0]) == shown.measured.loads[place[datum["s"]], place[datum["t"]]]
    assert f"{halves[0]['B'][0]} bytes" in svg_of(links_figure(shown))


def test_in_words():
    figure = links_figure(of_routes(array("ring", 2), 2))
    assert figure.alternative == (
        "A graph of 4 accelerators and 0 switches with 4 links (ring), every accelerator labelled with its leaf. "
        "The fullest link, a0 -> a1, carries 3 routes of all levels together."
    )
    assert links_figure(of_routes(array("star", 0), 0)).alternative.endswith("No link carries anything.")


def test_too_large_to_be_read(monkeypatch):
    monkeypatch.setattr(links, "MOST_NODES", 3)
    with pytest.raises(Refusal, match=r"^a picture of 4 nodes cannot be read, at most 3 are drawn$"):
        links_figure(of_routes(array("ring", 2), 2))
    monkeypatch.setattr(links, "MOST_NODES", 4)
    monkeypatch.setattr(links, "MOST_LINKS", 3)
    with pytest.raises(Refusal, match=r"^a picture of 4 links cannot be read, at most 3 are drawn$"):
        links_figure(of_routes(array("ring", 2), 2))


def test_plans_without_a_place_are_refused():
    free = problem_of({**document(linear_chain(8), [8], batch=4), "array": {"topology": "ring", "levels": 1}})
    with pytest.raises(Refusal) as caught:
        shown_of(planned(free, ["d"], "mine"))
    assert str(caught.value) == ("neither the instance nor mine says where the groups stand; try --placement identity")


def test_under_leaf_exact_nobody_knows_who_sends():
    with pytest.raises(Refusal) as caught:
        shown_of(planned(chain(8, 8, accounting="leaf-exact"), ["dd", "mm"]))
    assert str(caught.value) == (
        "accounting 'leaf-exact' does not say who sends at which level, so that no link has a load; "
        "expected a plan of another accounting"
    )


def test_deep_arrays_are_walked_only_where_the_objective_asks():
    whole = document(linear_chain(8), [8], batch=2**11)
    deep = problem_of({**whole, "array": {"topology": "ring", "levels": 11, "placement": "identity"}})
    with pytest.raises(Refusal) as caught:
        shown_of(planned(deep, ["d" * 11]))
    assert str(caught.value) == (
        "the routes of 2,048 accelerators are not walked where the objective does not ask for them; "
        "try --objective hop-bytes"
    )


def test_a_plan_s_own_placement_is_shown():
    named = planned(
        problem_of({**document(linear_chain(8), [8], batch=4), "array": {"topology": "ring", "levels": 1}}), ["d"]
    )
    placed = replace(named, plan=replace(named.plan, placement=("a1", "a0")))
    shown = shown_of(placed)
    assert (shown.placed, shown.placement) == ((1, 0), "of the plan")
    assert "placement of the plan" in rest_of(links_figure(shown))


def rails(slow):
    """Return a plan on two pairs: links within them that are fast, one between them that has a bandwidth of its own."""
    names = ["a", "b", "c", "d"]
    joined = [("a", "b", 1000), ("c", "d", 1000), ("b", "c", slow)]
    links = [{"ends": [one, other], "bandwidth": rate} for one, other, rate in joined]
    graph = {"nodes": [{"name": name} for name in names], "links": links}
    array = {"topology": "custom", "levels": 2, "placement": "identity", "graph": graph}
    # partial sums of many samples cross the links within the pairs, gradients the one between them
    problem = problem_of({**document(linear_chain(8, 8), [8], batch=256, levels=2), "array": array})
    return shown_of(planned(problem, ["dm", "dm"]))


def busiest_drawn(shown):
    """Return the ends of the half that is drawn last, over all others, and the widest stroke's."""
    figure = links_figure(shown)
    last = drawn(figure, "b")[-1]
    widths = {}
    for label, width in re.findall(r'aria-label="([^"]*) → [^"]*"[^>]*stroke-width="([\d.]+)"', svg_of(figure)):
        widths[unescape(label)[-1]] = float(width)
    return {last["s"], last["t"]}, max(widths, key=widths.__getitem__)


def test_a_slow_link_that_all_wait_for_is_the_widest():
    slow = rails(10)
    fullest = max(slow.measured.loads, key=slow.measured.loads.__getitem__)
    assert set(fullest) != {1, 2}, "by bytes it would be another"
    ends, widest = busiest_drawn(slow)
    assert ends == {"b", "c"} and widest in ends
    figure = links_figure(slow)
    assert "The busiest link, b -> c, takes " in figure.alternative
    assert "colour and width: the time that a link takes, bytes / bandwidth; or bytes" in svg_of(figure)
    assert "links: 1 of 10 B/s, 2 of 1 kB/s" in svg_of(figure)
    assert ">time or bytes<" in svg_of(figure)
    assert ">time<" in svg_of(links_figure(slow, lines=("a picture of its own",)))


def widths_of(figure):
    """Return how wide every half of a link is drawn, by the ends of the link."""
    found = re.findall(r'aria-label="([^"]*) → ([^":]*): [^"]*"[^>]*stroke-width="([\d.]+)"', svg_of(figure))
    return {frozenset(one[:2]): float(one[2]) for one in found}


def test_links_can_be_compared_by_bytes():
    slow = rails(10)
    by_bytes = replace(slow, links_by="bytes")
    widths = widths_of(links_figure(by_bytes))
    assert max(widths, key=widths.__getitem__) != frozenset("bc"), "which is the busiest by time only"
    assert max(widths_of(links_figure(slow)).items(), key=lambda one: one[1])[0] == frozenset("bc")
    assert "colour and width: bytes" in svg_of(links_figure(by_bytes, lines=("a picture",)))
    assert "The fullest link, " in links_figure(by_bytes).alternative


def test_speeds_and_times_of_links_are_in_their_table():
    rows = {(row["from"].value, row["to"].value): row for row in links_figure(rails(10)).table.rows}
    slow, fast = rows["b", "c"], rows["a", "b"]
    assert (slow["bandwidth"].value, fast["bandwidth"].value) == (10, 1000)
    assert slow["seconds"].value == Fraction(slow["load"].value, 10)


def test_many_speeds_are_told_as_a_range():
    machine = array("ring", 3)
    links = tuple(replace(link, bandwidth=Fraction(at + 1)) for at, link in enumerate(machine.links))
    assert of_routes(replace(machine, links=links), 3).speeds == "links of 1 B/s to 8 B/s each way"
    assert of_routes(machine, 3).speeds == "links of 1 GB/s each way"
    assert of_routes(machine_of("ring", Shape(3, wire=replace(WIRE, bandwidth=None))), 3).speeds == ""


def test_the_list_of_the_busiest_is_by_time_unless_bytes_are_asked_for():
    (first, *_) = _fullest(rails(10))
    assert list(first)[:4] == ["busiest links", "time", "bytes", "speed"]
    assert set(first["busiest links"].split(" -> ")) == {"b", "c"}
    assert first["speed"] == "10 B/s"
    (first, *_) = _fullest(replace(rails(10), links_by="bytes"))
    assert list(first)[:4] == ["fullest links", "bytes", "time", "speed"]
    assert set(first["fullest links"].split(" -> ")) != {"b", "c"}


def test_names_of_switches_are_shown_beside_them():
    nodes = [{"name": f"gpu-number-{at}"} for at in range(2)] + [{"name": "nvswitch0", "kind": "switch"}]
    ends = [[f"gpu-number-{at}", "nvswitch0"] for at in range(2)]
    svg = svg_of(links_figure(of_routes(custom(nodes, [{"ends": pair} for pair in ends], WIRE, 1), 1)))
    assert ">nvswitch0<" in svg and ">gpu-number-0<" not in svg
