"""Where the nodes of an array stand in a picture, as its topology says."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

import networkx as nx

from hypar_opt.instance.hardware import TOPOLOGIES, Machine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


Point: TypeAlias = tuple[float, float]
BOW = 0.12
"""Of links between blocks, so that they pass what stands between."""


def _grid(machine: Machine) -> NodeLayout:
    """Set a grid, with stubs for links that wrap around; of one dimension it is a circle or a row."""
    dims = machine.dims
    if len(dims) == 1:
        return _circle(machine) if machine.topology == "torus" else _row(machine)
    steps, places = _steps(dims), list(product(*map(range, dims)))
    points = []
    for place in places:
        at = list(zip(place, steps, strict=True))
        points.append((sum(c * x for c, (x, _) in at), sum(c * y for c, (_, y) in at)))
    stubs: dict[int, Point] = {}
    bends: dict[int, float] = {}
    for number, link in enumerate(machine.links):
        first, second = (places[end] for end in link.ends)
        along = next(i for i in range(len(dims)) if first[i] != second[i])
        if abs(first[along] - second[along]) > 1:
            sign = 1 if first[along] else -1
            stubs[number] = (sign * steps[along][0], sign * steps[along][1])
        elif along < len(dims) - 3:
            bends[number] = BOW
    return NodeLayout(tuple(points), (), stubs, bends)


def _steps(dims: Sequence[int]) -> list[Point]:
    """Return where one step along each dimension leads: the last one right, the one before down."""
    width, height = float(dims[-1]), float(dims[-2])
    found: list[Point] = [(1.0, 0.0), (0.0, -1.0)]
    if len(dims) > 2:
        slant = max(dims[-3], 2.4)
        found.append((1.08 / slant, 0.88 / slant))
        width, height = width + 0.9, height + 0.9
    for place, size in enumerate(reversed(dims[:-3])):
        if place % 2 == 0:
            found.append((width, 0.0))
            width *= size
        else:
            found.append((0.0, -height))
            height *= size
    return found[::-1]


SEED: Final = 1
"""Of the layouts that begin at random places."""
MOST_SPRINGS: Final = 80
"""Nodes up to which springs are quick and leave room for labels."""
CUBE: Final[tuple[Point, ...]] = ((1.0, 0.0), (0.0, 1.0), (0.45, 0.38))
"""Where the bits of a hypercube of up to three lead."""


@dataclass(frozen=True)
class NodeLayout:
    """A picture's geometry, in units of its own.

    Parameters
    ----------
    points
        Of every node.
    outward
        Of every accelerator, the direction in which its label has room; empty if that is inside the node.
    stubs
        By link, the direction in which it leaves its first end and enters the second behind the opposite border;
        it is drawn as two ends.
    bends
        By link, how far it bows, as a share of its length.
    """

    points: tuple[Point, ...]
    outward: tuple[Point, ...] = ()
    stubs: Mapping[int, Point] = field(default_factory=dict)
    bends: Mapping[int, float] = field(default_factory=dict)

    def times(self, scale: float) -> NodeLayout:
        """Return the layout larger or smaller."""
        points = tuple((scale * x, scale * y) for x, y in self.points)
        return replace(self, points=points)


def layout_of(machine: Machine) -> NodeLayout:
    """Return where the nodes stand; the same for the same array."""
    known = TOPOLOGIES.get(machine.topology)
    return LAYOUTS["springs" if known is None else known.layout](machine)


def _circle(machine: Machine, order: Sequence[int] | None = None) -> NodeLayout:
    """Accelerators on a circle, clockwise from the top, in their own order if in no other; a hub in its middle."""
    order = range(len(machine.accelerators)) if order is None else order
    # of one node it says that it is in the middle
    placed = nx.circular_layout(nx.empty_graph(order)) if len(order) > 1 else {order[0]: (1.0, 0.0)}
    points = [placed.get(node, (0.0, 0.0)) for node in range(len(machine.names))]
    around = tuple((float(x), float(y)) for y, x in points)  # networkx begins on the right and goes to the left
    return NodeLayout(around, around[: len(machine.accelerators)])


def _cube(machine: Machine) -> NodeLayout:
    """Project a cube; from four dimensions on put it on a circle in the order of the reflected Gray code."""
    count = len(machine.accelerators)
    if count > 2 ** len(CUBE):
        return _circle(machine, [place ^ place >> 1 for place in range(count)])
    chosen = [[vector for bit, vector in enumerate(CUBE) if node >> bit & 1] for node in range(count)]
    return NodeLayout(tuple((sum(x for x, _ in steps), sum(y for _, y in steps)) for steps in chosen))


def _row(machine: Machine) -> NodeLayout:
    """Set a row that turns back where it gets long."""
    count = len(machine.accelerators)
    width = count if count <= 8 else math.ceil(math.sqrt(count))
    rows = [divmod(node, width) for node in range(count)]
    return NodeLayout(tuple((float(x if y % 2 == 0 else width - 1 - x), -float(y)) for y, x in rows))


def _tree(machine: Machine) -> NodeLayout:
    """Leaves side by side, every switch above the middle of what hangs below it."""
    root = min(range(len(machine.accelerators), len(machine.names)), default=0)
    depth = nx.single_source_shortest_path_length(machine.graph, root)
    order = list(nx.dfs_preorder_nodes(machine.graph, root))
    leaves = [node for node in order if node != root and len(machine.neighbours[node]) == 1] or [root]
    x = {node: float(place) for place, node in enumerate(leaves)}
    height = max(depth.values())
    for node in reversed(order):
        if node not in x:
            below = [x[other] for other in machine.neighbours[node] if depth[other] > depth[node]]
            x[node] = sum(below) / len(below)
    rise = max(1.0, len(machine.accelerators) / 12)
    points = tuple((x[node], (height - depth[node]) * rise) for node in range(len(machine.names)))
    return NodeLayout(points, ((0.0, -1.0),) * len(machine.accelerators))


def _layers(machine: Machine) -> NodeLayout:
    """Accelerators in a row, above them switches by their distance from them."""
    count = len(machine.accelerators)
    rows = [sorted(row) for row in nx.bfs_layers(machine.graph, range(count))]
    return _rows(machine, rows, ((0.0, -1.0),) * count)


def _two_sides(machine: Machine) -> NodeLayout:
    """One side's switches above the other's, the accelerators of each beyond them."""
    count = len(machine.accelerators)
    middle = (count + len(machine.names)) // 2
    below = [node for node in range(count) if machine.neighbours[node][0] < middle]
    above = [node for node in range(count) if machine.neighbours[node][0] >= middle]
    rows = [below, list(range(count, middle)), list(range(middle, len(machine.names))), above]
    lower = set(below)
    outward = tuple((0.0, -1.0 if node in lower else 1.0) for node in range(count))
    return _rows(machine, [row for row in rows if row], outward)


def _rows(machine: Machine, rows: Sequence[Sequence[int]], outward: tuple[Point, ...]) -> NodeLayout:
    """Rows from below, each spread over the whole width."""
    width = float(max(map(len, rows)))
    rise = max(1.5, width / 8)
    points: list[Point] = [(0.0, 0.0)] * len(machine.names)
    for height, row in enumerate(rows):
        for place, node in enumerate(row):
            points[node] = ((place + 0.5) * width / len(row), height * rise)
    return NodeLayout(tuple(points), outward)


def _springs(machine: Machine) -> NodeLayout:
    """Let networkx spread any graph, with lengths like the numbers of hops; a large one goes round a circle."""
    if len(machine.names) == 1:
        return NodeLayout(((0.0, 0.0),))
    if len(machine.names) > MOST_SPRINGS:
        return _circle(machine, list(nx.dfs_preorder_nodes(machine.graph, 0)))
    begin = nx.spring_layout(machine.graph, seed=SEED)
    found = nx.kamada_kawai_layout(machine.graph, pos=begin)
    return NodeLayout(tuple((float(found[node][0]), float(found[node][1])) for node in range(len(machine.names))))


LAYOUTS: Final[Mapping[str, Callable[[Machine], NodeLayout]]] = {
    "circle": _circle, "cube": _cube, "grid": _grid, "layers": _layers, "row": _row, "springs": _springs,
    "tree": _tree, "two-sides": _two_sides,
}  # fmt: skip
"""By the name that a topology has for it."""
