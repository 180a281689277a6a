"""All-to-alls by ways that are shifts of one another, on rings, tori and hypercubes.

As for shifted trees, a direction's links are used in a step as often as the chunks of the first accelerator use any of
them. The shifts commute, so that a chunk may take the directions of a shortest way in any order: which step which of
them is taken in is a colouring of the edges of a bipartite graph, of chunks on one side and directions on the other, an
edge for every hop. As many colours do as the largest degree is (König, 1916): the longest way, or what the busiest
direction has to carry. Where there are several shortest ways the one is taken by which the busiest has least.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from formulations.collective.finish import concluded
from formulations.collective.timing import as_soon_as_possible
from hypar_opt.costgraph.collective import Move
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

Counts: TypeAlias = tuple[int, ...]
"""How often a way takes each direction."""
Edge: TypeAlias = tuple[int, int]
"""A chunk, and what carries one in a step: a direction has as many of these as a link carries chunks."""


def shortest(graph: CollectiveGraph) -> list[list[Counts]]:
    """Return for every accelerator the shortest ways to it from the first, by how often they take each direction."""
    directions = graph.after[0]
    found: list[set[Counts]] = [set() for _ in range(graph.accelerators)]
    found[0].add((0,) * len(directions))
    reached = [0]
    while reached:
        new: dict[int, set[Counts]] = {}
        for node in reached:
            for place, first in enumerate(directions):
                other = graph.shifts[node][first]
                if not found[other]:
                    ways = ((*way[:place], way[place] + 1, *way[place + 1 :]) for way in found[node])
                    new.setdefault(other, set()).update(ways)
        for node, ways_to in new.items():
            found[node] = ways_to
        reached = sorted(new)
    return [sorted(ways) for ways in found]


def balanced(ways: Sequence[Sequence[Counts]], targets: Iterable[int]) -> list[Counts]:
    """Return a way for every target, by which the busiest direction has little: those without a choice come first."""
    load = [0] * len(ways[0][0])
    chosen: list[tuple[int, Counts]] = []
    for place, target in sorted(enumerate(targets), key=lambda one: (len(ways[one[1]]), one[0])):
        way = min(ways[target], key=lambda one: sorted((x + y for x, y in zip(load, one, strict=True)), reverse=True))
        load = [x + y for x, y in zip(load, way, strict=True)]
        chosen.append((place, way))
    return [way for _, way in sorted(chosen)]


def coloured(edges: Sequence[Edge]) -> list[int]:
    """Return a colour for every edge of a bipartite graph, none twice at a node; as many as the largest degree."""
    degrees = Counter(end for chunk, carrier in edges for end in ((0, chunk), (1, carrier)))
    colours = range(max(degrees.values(), default=0))
    at: dict[tuple[int, int], dict[int, int]] = {end: {} for end in degrees}
    found = [-1] * len(edges)
    for number, (chunk, carrier) in enumerate(edges):
        near, far = at[0, chunk], at[1, carrier]
        own = next(one for one in colours if one not in near)
        theirs = next(one for one in colours if one not in far)
        end, wanted, other = (1, carrier), own, theirs
        path = []
        while wanted in at[end]:  # the path from the far end whose edges have the two colours in turn
            edge = at[end][wanted]
            path.append(edge)
            end = (0, edges[edge][0]) if end[0] else (1, edges[edge][1])
            wanted, other = other, wanted
        for edge in path:
            for place in ((0, edges[edge][0]), (1, edges[edge][1])):
                if at[place].get(found[edge]) == edge:
                    del at[place][found[edge]]
            found[edge] = own + theirs - found[edge]
        for edge in path:
            for place in ((0, edges[edge][0]), (1, edges[edge][1])):
                at[place][found[edge]] = edge
        found[number] = own
        near[own] = far[own] = number
    return found


def paths(graph: CollectiveGraph) -> list[Move]:
    """Return the sends of all chunks, shifts of those of the first accelerator."""
    number: dict[tuple[int, int], list[int]] = {}
    for chunk, demand in enumerate(graph.demands):
        number.setdefault((demand.sources[0], demand.targets[0]), []).append(chunk)
    each = len(number[0, 1])
    targets = [target for target in range(1, graph.accelerators) for _ in range(each)]
    ways = balanced(shortest(graph), targets)
    carriers = [
        (place, lane) for place, first in enumerate(graph.after[0]) for lane in range(graph.link_of[0, first].messages)
    ]
    lanes: Counter[int] = Counter()
    edges: list[Edge] = []
    for chunk, way in enumerate(ways):
        for place, count in enumerate(way):
            for _ in range(count):
                lane = lanes[place] % graph.link_of[0, graph.after[0][place]].messages
                edges.append((chunk, carriers.index((place, lane))))
                lanes[place] += 1
    hops: list[list[tuple[int, int]]] = [[] for _ in targets]
    for (chunk, carrier), step in zip(edges, coloured(edges), strict=True):
        hops[chunk].append((step, carriers[carrier][0]))
    found = []
    for chunk, (target, own) in enumerate(zip(targets, hops, strict=True)):
        node = 0
        for step, place in sorted(own):
            other = graph.shifts[node][graph.after[0][place]]
            for start, shift in enumerate(graph.shifts):
                whole = number[start, shift[target]][chunk % each]
                found.append(Move(step, step + 1, whole, (shift[node], shift[other])))
            node = other
    return found


def not_shifted(graph: CollectiveGraph) -> str | None:
    """Return why there are no shifted ways, or None."""
    pairs = {(one.sources[0], one.targets[0]) for one in graph.demands}
    alone = all(len(one.sources) == len(one.targets) == 1 for one in graph.demands)
    if not alone or len(pairs) != graph.accelerators * (graph.accelerators - 1):
        return "it is for an all-to-all among all accelerators; try multitree"
    if not graph.shifts:
        return "its ways are shifts of each other, and this is no ring, torus or hypercube; try collective-cp-sat"
    return None


@dataclass(frozen=True)
class ShiftedPaths:
    """The ways of one accelerator's chunks, shifted to all."""

    name: ClassVar[str] = "shifted-paths"
    summary: ClassVar[str] = "an all-to-all by shortest ways shifted to all accelerators, on rings, tori and hypercubes"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False, decides="sends", rank=404, default_for={"collective": 3}
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline all but all-to-alls among all, on arrays with shifts."""
        return not_shifted(graph)

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Find the ways of one, and shift them."""
        found = paths(graph)
        moves = as_soon_as_possible(graph, found) if graph.goal == "time" else found
        return concluded(graph, run, moves, "shifted ways")


FORMULATION = ShiftedPaths()
