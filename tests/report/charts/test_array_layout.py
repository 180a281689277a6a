"""Pictures of arrays: nothing hidden, nothing overlapping, the same every time."""

from __future__ import annotations

import math
import re
from itertools import combinations

import pytest
from chart_data import drawn
from report.arrays import NAMES, array

from hypar_opt.report.arrays.layout import layout_of
from hypar_opt.report.arrays.shown import PlacedArray, show
from hypar_opt.report.charts.export import picture, printed_svg
from hypar_opt.report.charts.links import links_figure
from hypar_opt.report.charts.links_data import LinkLoads
from hypar_opt.report.charts.links_geometry import GROUPS, lines_of
from hypar_opt.util.errors import Refusal
from tests.evaluation.links.machines import line, measure, star, tree

SIZES = (2, 4, 6)
ADVANCE = 0.602
"""Of a letter of DejaVu Sans Mono, whose letters are all as wide, by its height."""


def shown(machine, placed):
    return show("of-a-test", machine, tuple(placed), "identity")


def loaded(name, levels):
    """Return an array on which each level carries three times as much as the one above."""
    machine = array(name, levels)
    measured = measure(machine, range(1 << levels), [3**h for h in range(levels)])
    return PlacedArray("of-a-test", machine, tuple(range(1 << levels)), "identity", measured)


def figure_of(one):
    return links_figure(one, lines=("a title",))


def texts(one):
    """Return every label with the corners of its box, in pixels."""
    inside, found = LinkLoads(one).geometry.inside, []
    for node in LinkLoads(one).nodes():
        if node["w"]:
            wide, tall = len(node["w"]) * ADVANCE * (10 if inside else 9), 10 if inside else 9
            x, y, angle = node.get("X", node["x"]), node.get("Y", node["y"]), math.radians(-node.get("a", 0))
            left = -wide / 2 if inside else -wide if node["e"] else 0
            flat = [(left, -tall / 2), (left + wide, -tall / 2), (left + wide, tall / 2), (left, tall / 2)]
            cos, sin = math.cos(angle), math.sin(angle)
            found.append((node["w"], [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in flat]))
    return found


def overlap(one, other):
    """Whether two convex polygons meet: no side of either separates them."""
    for polygon in (one, other):
        for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            sides = [[(by - ay) * (x - ax) - (bx - ax) * (y - ay) for x, y in corners] for corners in (one, other)]
            if max(sides[0]) < min(sides[1]) or max(sides[1]) < min(sides[0]):
                return False
    return True


def test_overlaps_are_seen():
    square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    turned = [(3, 1), (5, 3), (3, 5), (1, 3)]
    assert overlap(square, [(1, 1), (3, 1), (3, 3), (1, 3)])
    assert not overlap(square, [(x + 2.1, y) for x, y in square])
    assert not overlap(square, [(x + 0.6, y + 0.6) for x, y in turned])
    assert overlap(square, [(x - 0.6, y - 0.6) for x, y in turned])


@pytest.mark.slow
@pytest.mark.parametrize("levels", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_every_leaf_has_its_label_and_no_two_overlap(name, levels):
    one = loaded(name, levels)
    boxes = texts(one)
    assert sorted(word for word, _ in boxes) == [f"{leaf:0{levels}b}" for leaf in range(1 << levels)]
    assert not [(a, b) for (a, one), (b, other) in combinations(boxes, 2) if overlap(one, other)]
    left, low, right, high = LinkLoads(one).geometry.box
    for _, corners in boxes:
        assert all(left < x < right and low < y < high for x, y in corners)


@pytest.mark.parametrize("levels", SIZES)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("custom", "flat-mesh")])
def test_no_link_runs_through_a_node_that_it_does_not_join(name, levels):
    machine = array(name, levels)
    layout = layout_of(machine)
    points = layout.points
    if name in ("hypercube", "fully-connected") and levels > 4:
        return  # chords of a fine circle pass close to the node that they skip
    near = min(math.dist(*pair) for pair in combinations(points, 2))
    assert near > 0
    for number, link in enumerate(machine.links):
        if number in layout.stubs:
            continue
        for node, point in enumerate(points):
            if node not in link.ends:
                assert away(point, *(points[end] for end in link.ends)) > near / 6, (link.ends, node)


def away(point, first, second):
    """How far a point is from a straight line between two others."""
    (x, y), (ax, ay), (bx, by) = point, first, second
    length = math.dist(first, second) ** 2
    way = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
    return math.dist(point, (ax + way * (bx - ax), ay + way * (by - ay)))


@pytest.mark.parametrize("name", NAMES)
def test_every_link_is_drawn_from_end_to_end(name):
    machine = array(name, 4)
    layout = layout_of(machine)
    for number, (link, pieces) in enumerate(zip(machine.links, lines_of(machine, layout, 0.1), strict=True)):
        first, second = (layout.points[end] for end in link.ends)
        if number in layout.stubs:
            assert [piece[0] for piece in pieces] == [first, second]
            out, back = ((x - a, y - b) for (a, b), (x, y) in pieces)
            assert out == pytest.approx((-back[0], -back[1]))
        else:
            assert [pieces[0][0], pieces[0][-1]] == [pytest.approx(first), pytest.approx(second)]


def test_links_that_wrap_around_leave_the_border():
    machine = array("torus", 4)
    layout = layout_of(machine)
    assert len(layout.stubs) == 8
    for number, (dx, dy) in layout.stubs.items():
        first, second = (layout.points[end] for end in machine.links[number].ends)
        assert (second[0] - first[0]) * dx + (second[1] - first[1]) * dy < 0


@pytest.mark.slow
@pytest.mark.parametrize("form", ["png", "svg"])
@pytest.mark.parametrize("name", ["torus", "custom"])
def test_the_same_array_is_the_same_file(name, form):
    one, two = (picture(figure_of(loaded(name, 4)), form) for _ in range(2))
    assert one == two
    assert one.startswith(b"\x89PNG" if form == "png" else b"<svg")
    assert picture(figure_of(loaded("ring", 4)), form) != one


@pytest.mark.parametrize("name", ["ring", "h-tree", "bigraph"])
def test_no_label_is_upside_down(name):
    assert all(-90 <= node.get("a", 0) <= 90 for node in LinkLoads(loaded(name, 6)).nodes())


def test_a_picture_is_as_wide_as_it_needs_to_be_and_says_what_it_is_of():
    found = printed_svg(figure_of(loaded("torus", 4)), None)
    assert ">a title<" in found
    width = float(re.search(r'viewBox="0 0 ([\d.]+) ', found)[1])
    left, _, right, _ = LinkLoads(loaded("torus", 4)).geometry.box
    assert right - left < width < right - left + 150
    titled = printed_svg(links_figure(loaded("ring", 1), lines=("many words " * 20,)), None)
    assert titled.count("many words") > 3
    assert float(re.search(r'viewBox="0 0 ([\d.]+) ', titled)[1]) < 800


@pytest.mark.parametrize(
    ("machine", "placed", "expected"),
    [
        (line(4), range(4), ["group 00", "group 01", "group 10", "group 11"]),
        (line(4), range(2), ["group 0", "group 1", "unused"]),
        (star(2), range(1), ["the leaf", "unused", "switch"]),
    ],
)
def test_the_legend_says_what_there_is(machine, placed, expected):
    kinds = {node["g"] for node in drawn(figure_of(shown(machine, placed)), "g")}
    assert kinds == set(expected)
    svg = printed_svg(figure_of(shown(machine, placed)), None)
    assert all(f">{kind}<" in svg for kind in expected)


def test_groups_have_colours_of_their_own():
    assert len(set(GROUPS)) == 4


def test_a_large_graph_of_no_known_form_goes_round_a_circle():
    one = shown(tree(6), range(64))
    assert len(one.machine.names) == 127
    boxes = [corners for _, corners in texts(one)]
    assert len(boxes) == 64
    assert not any(overlap(*pair) for pair in combinations(boxes, 2))
    assert {round(math.hypot(*point), 6) for point in layout_of(one.machine).points} == {1.0}


@pytest.mark.parametrize("count", [1, 2])
def test_the_smallest_arrays(count):
    assert picture(figure_of(shown(line(count), range(count))), "png").startswith(b"\x89PNG")


def test_too_many_nodes_are_refused():
    figure_of(shown(line(256), (0, 1)))
    with pytest.raises(Refusal) as refused:
        figure_of(shown(line(257), (0, 1)))
    assert str(refused.value) == (
        "a picture of 257 nodes cannot be read, at most 256 are drawn; "
        "without a picture the array is shown as text, and as JSON in full"
    )


@pytest.mark.slow
def test_of_its_own_a_picture_may_have_more_links_than_a_page():
    one = loaded("fully-connected", 7)
    with pytest.raises(Refusal, match=r"^a picture of 8,128 links cannot be read, at most 2,048 are drawn$"):
        links_figure(one)
    assert len(drawn(figure_of(one), "b")) == 2 * 8128
