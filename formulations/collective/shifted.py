"""Trees that are shifts of one another, on arrays that look the same from every accelerator.

If the chunk of the first accelerator goes over a link, then in the same step the chunk of each other goes over the link
that the shift to it takes that one to. So the links of one direction, which are shifts of each other, are all used
alike: as often as the one tree uses any of them in the step. What is left to find is one tree whose every step uses a
direction no more often than a link carries chunks: N - 1 sends, d a step. If it takes ceil((N - 1) / d) steps, no
schedule takes fewer. Of several chunks each there are as many trees, which share the directions.

A tree grows by a node for every direction in every step, as long as there is one, from near to far, and by chance where
several are as far; it is tried again until it meets the bound or the limits are over.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from formulations.collective.finish import concluded
from formulations.collective.halves import constructed
from hypar_opt.costgraph.collective import Move
from hypar_opt.costgraph.collective.bounds import distances
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

Hop: TypeAlias = tuple[int, int]
MOST_TRIES: Final = 64


@dataclass(frozen=True)
class _Directions:
    """The links of an array by direction, and what a link of each carries in a step."""

    number: Mapping[Hop, int]
    messages: Sequence[int]

    @classmethod
    def of(cls, graph: CollectiveGraph) -> _Directions:
        """Return directions, numbered by the neighbours of the first accelerator."""
        number = {
            (shift[0], shift[other]): place for shift in graph.shifts for place, other in enumerate(graph.after[0])
        }
        return cls(number, [graph.link_of[0, other].messages for other in graph.after[0]])


def declined(graph: CollectiveGraph) -> str | None:
    """Return why there are no shifted trees, or None."""
    if not graph.shifts:
        return (
            "its trees are shifts of each other, and this array does not look the same from everywhere; try multitree"
        )
    chunks = Counter(one.sources if len(one.sources) == 1 else one.targets[:1] for one in graph.demands)
    everyone = range(graph.accelerators)
    whole = all(max(len(one.sources), len(one.targets)) == graph.accelerators for one in graph.demands)
    if not whole or (not _is_of_all(graph) and {*chunks} != {(node,) for node in everyone}):
        return "its trees are shifts of each other, and here not all take part alike; try multitree"
    return None


def _is_of_all(graph: CollectiveGraph) -> bool:
    """Return whether every chunk is a sum that all have to have."""
    return all(min(len(one.sources), len(one.targets)) == graph.accelerators for one in graph.demands)


def shifted(graph: CollectiveGraph, run: Run) -> list[Move]:
    """Return the sends of a gathering by shifted trees, in as few steps as were found."""
    directions, random = _Directions.of(graph), Random(run.limits.seed)
    own = [number for number, one in enumerate(graph.demands) if one.sources == (0,)]
    sends = len(own) * (graph.accelerators - 1)
    fewest = max(-(-sends // sum(directions.messages)), max(distances(graph, 0)))
    best: list[tuple[int, int, Hop]] = []
    for tried in range(MOST_TRIES):
        if tried and (run.limits.over or best[-1][0] < fewest):
            break
        found = _grown(graph, directions, len(own), random)
        if not best or found[-1][0] < best[-1][0]:
            best = found
    numbers: dict[int, list[int]] = {}
    for number, one in enumerate(graph.demands):
        numbers.setdefault(one.sources[0], []).append(number)
    return [
        Move(step, step + 1, numbers[start][tree], (shift[hop[0]], shift[hop[1]]))
        for step, tree, hop in best
        for start, shift in enumerate(graph.shifts)
    ]


def _grown(graph: CollectiveGraph, directions: _Directions, trees: int, random: Random) -> list[tuple[int, int, Hop]]:
    """Return the steps, trees and links by which trees from the first accelerator grow to all."""
    far = distances(graph, 0)
    rank = {node: (far[node], random.random()) for node in range(graph.accelerators)}
    reached = [{0} for _ in range(trees)]
    open_hops: list[dict[int, list[Hop]]] = [_leaving(graph, directions, 0) for _ in range(trees)]
    found: list[tuple[int, int, Hop]] = []
    step = 0
    while any(len(one) < graph.accelerators for one in reached):
        new: list[tuple[int, int]] = []
        free = [(place, carried) for place, count in enumerate(directions.messages) for carried in range(count)]
        # the direction with the fewest ways chooses first, and takes the nearest node; trees take turns
        free.sort(key=lambda one: sum(len(hops.get(one[0], ())) for hops in open_hops))
        for place, carried in free:
            for turn in range(trees):
                tree = (turn + step + carried) % trees
                hops = [hop for hop in open_hops[tree].get(place, ()) if hop[1] not in reached[tree]]
                open_hops[tree][place] = hops
                if hops:
                    hop = min(hops, key=lambda one: rank[one[1]])
                    reached[tree].add(hop[1])
                    new.append((tree, hop[1]))
                    found.append((step, tree, hop))
                    break
        for tree, node in new:
            for place, hops in _leaving(graph, directions, node).items():
                open_hops[tree].setdefault(place, []).extend(hops)
        step += 1
    return found


def _leaving(graph: CollectiveGraph, directions: _Directions, node: int) -> dict[int, list[Hop]]:
    found: dict[int, list[Hop]] = {}
    for other in graph.after[node]:
        found.setdefault(directions.number[node, other], []).append((node, other))
    return found


@dataclass(frozen=True)
class ShiftedTrees:
    """One tree, shifted to all."""

    name: ClassVar[str] = "shifted-trees"
    summary: ClassVar[str] = "one tree shifted to all accelerators, on rings, tori and hypercubes"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False, decides="sends", rank=403, default_for={"collective": 1}
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline arrays and collectives that do not look the same from every accelerator."""
        return declined(graph)

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Grow a tree, and shift it."""
        return concluded(graph, run, constructed(graph, lambda gathering: shifted(gathering, run)), "shifted trees")


FORMULATION = ShiftedTrees()
