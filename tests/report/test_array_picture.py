"""Pictures of arrays: nothing hidden, nothing overlapping, the same every time."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from report.arrays import NAMES, array
from traffic.machines import line, ring, star, tree

from hypar_opt.errors import Refusal
from hypar_opt.report.arrays.drawing import both_ways
from hypar_opt.report.arrays.layout import layout_of
from hypar_opt.report.arrays.lines import lines_of
from hypar_opt.report.arrays.picture import Picture, _figure, draw
from hypar_opt.report.arrays.style import GROUPS, UNUSED, group_colour
from hypar_opt.traffic import measure

SIZES = (2, 4, 6)


def picture(name, levels):
    machine = array(name, levels)
    loads = measure(machine, range(1 << levels), [3**h for h in range(levels)]).loads
    return Picture(machine, tuple(range(1 << levels)), ("a title",), loads)


def measuring(figure):
    """Return what tells the sizes of texts without drawing anything."""
    return FigureCanvasAgg(figure).get_renderer()


def texts(figure):
    renderer = measuring(figure)
    return {text: _corners(text, renderer) for text in figure.axes[0].texts}


def _corners(text, renderer):
    """Return the corners of a text in dots, turned as it is."""
    angle = text.get_rotation()
    x, y = text.get_transform().transform(text.get_position())
    text.set_rotation(0)
    box = text.get_window_extent(renderer)
    text.set_rotation(angle)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    flat = [(box.x0 - x, box.y0 - y), (box.x1 - x, box.y0 - y), (box.x1 - x, box.y1 - y), (box.x0 - x, box.y1 - y)]
    return [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in flat]


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


@pytest.mark.parametrize("levels", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_every_leaf_has_its_label_and_no_two_overlap(name, levels):
    figure = _figure(picture(name, levels))
    boxes = texts(figure)
    assert sorted(text.get_text() for text in boxes) == [f"{leaf:0{levels}b}" for leaf in range(1 << levels)]
    assert not [pair for pair in combinations(boxes, 2) if overlap(*(boxes[text] for text in pair))]
    width, height = figure.get_size_inches() * figure.dpi
    for corners in boxes.values():
        assert all(0 < x < width and 0 < y < height for x, y in corners)


@pytest.mark.parametrize("levels", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_title_legend_and_bar_are_inside_and_apart(name, levels):
    figure = _figure(picture(name, levels))
    renderer = measuring(figure)
    title, legend = figure.texts[0], figure.legends[0]
    nodes, bar = figure.axes
    parts = [title.get_window_extent(renderer), legend.get_window_extent(renderer),
             nodes.get_window_extent(renderer), bar.get_tightbbox(renderer)]  # fmt: skip
    width, height = figure.get_size_inches() * figure.dpi
    for part in parts:
        assert part.x0 >= -1 and part.y0 >= -1 and part.x1 <= width + 1 and part.y1 <= height + 1
    for one, other in combinations(parts, 2):
        apart = one.x1 <= other.x0 + 1 or other.x1 <= one.x0 + 1 or one.y1 <= other.y0 + 1 or other.y1 <= one.y0 + 1
        assert apart


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


@pytest.mark.parametrize("form", ["png", "svg"])
@pytest.mark.parametrize("name", ["torus", "custom"])
def test_the_same_array_is_the_same_file(name, form):
    one, two = (draw(picture(name, 4), form) for _ in range(2))
    assert one == two
    assert one.startswith(b"\x89PNG" if form == "png" else b"<?xml")
    assert b"date>" not in one
    assert b"Software" not in one
    assert draw(picture("ring", 4), form) != one


def test_the_fuller_link_is_darker_wider_and_on_top():
    loads = {(0, 1): Fraction(1), (2, 1): Fraction(4)}
    drawn = _figure(Picture(line(4), (0, 1, 2, 3), (), loads)).axes[0].collections[0]
    assert list(drawn.get_linewidth()) == [1.0, 2.0, 5.0]  # the last of them is drawn last
    middles = [segment.mean(axis=0)[0] for segment in drawn.get_segments()]
    assert middles[1] < middles[2] < middles[0]  # on the line they stand light, heavy, idle
    idle, light, heavy = drawn.get_linestyle()
    assert idle[1] is not None
    assert light == heavy == (0, None)
    brightness = [sum(colour[:3]) for colour in drawn.get_color()]
    assert brightness[1] > brightness[2]


def test_of_both_directions_the_busier_counts():
    loads = {(0, 1): Fraction(1), (1, 0): Fraction(3), (2, 1): Fraction(2)}
    assert both_ways(Picture(line(3), (0, 1), (), loads)) == [3, 2]


def test_without_traffic_links_are_alike_and_there_is_no_bar():
    figure = _figure(Picture(ring(8), tuple(range(8))))
    assert len(figure.axes) == 1
    lines = figure.axes[0].collections[0]
    assert len(lines.get_segments()) == 8
    assert set(lines.get_linewidth()) == {1.0}
    assert len({tuple(colour) for colour in lines.get_color()}) == 1


def test_a_plan_that_exchanges_nothing_has_no_bar():
    assert len(_figure(Picture(ring(8), tuple(range(8)), (), {})).axes) == 1


def legend(one):
    return [text.get_text() for text in _figure(one).legends[0].get_texts()]


@pytest.mark.parametrize("name", ["ring", "h-tree", "bigraph"])
def test_no_label_is_upside_down(name):
    figure = _figure(picture(name, 6))
    assert {-90 <= round(text.get_rotation() if text.get_rotation() <= 180 else text.get_rotation() - 360) <= 90
            for text in figure.axes[0].texts} == {True}  # fmt: skip


def test_the_legend_says_what_there_is():
    assert legend(Picture(line(4), (0, 1, 2, 3))) == ["group 00", "group 01", "group 10", "group 11"]
    assert legend(Picture(line(4), (0, 1))) == ["group 0", "group 1", "unused"]
    assert legend(Picture(star(2), (0,))) == ["the leaf", "unused", "switch"]
    assert legend(Picture(line(3), (0, 1), (), {(0, 1): Fraction(1)}))[-1] == "idle link"


def test_groups_have_colours_of_their_own():
    assert [group_colour(leaf, 3) for leaf in range(8)] == [GROUPS[leaf // 2] for leaf in range(8)]
    assert [group_colour(leaf, 1) for leaf in range(2)] == list(GROUPS[:2])
    assert (group_colour(0, 0), group_colour(None, 3)) == (GROUPS[0], UNUSED)
    assert len({*GROUPS, UNUSED}) == 5


def test_a_large_graph_of_no_known_form_goes_round_a_circle():
    one = Picture(tree(6), tuple(range(64)))
    assert len(one.machine.names) == 127
    boxes = list(texts(_figure(one)).values())
    assert len(boxes) == 64
    assert not any(overlap(*pair) for pair in combinations(boxes, 2))
    assert {round(math.hypot(*point), 9) for point in layout_of(one.machine).points} == {1.0}


@pytest.mark.parametrize("count", [1, 2])
def test_the_smallest_arrays(count):
    assert draw(Picture(line(count), tuple(range(count))), "png")


def test_too_many_nodes_are_refused():
    draw(Picture(line(256), (0, 1)), "svg")
    with pytest.raises(Refusal) as refused:
        draw(Picture(line(257), (0, 1)), "svg")
    assert str(refused.value) == (
        "a picture of 257 nodes cannot be read, at most 256 are drawn; "
        "without a picture the array is shown as text, and as JSON in full"
    )


def test_a_bar_of_times_says_so():
    loads = {(0, 1): Fraction(3, 1000)}
    _, bar = _figure(Picture(line(4), (0, 1, 2, 3), (), loads, by_time=True)).axes
    assert bar.get_ylabel() == "a step's time, the busier direction; at most 3 ms"
    assert {text.get_text()[-2:] for text in bar.get_yticklabels()[1:]} <= {"ms", "us"}
