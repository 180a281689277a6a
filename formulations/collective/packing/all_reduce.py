"""All-reduces along trees: added up towards the root of each, and passed on from there.

Without switches trees that span all accelerators do best, see `strength`. Through switches, or where some accelerators
only pass on, trees of a gathering are there too: those that have the sums of each chunk where it would begin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from formulations.collective.packing.gather import dealt, gathered
from formulations.collective.packing.optimum import gathering, narrowest
from formulations.collective.packing.strength import spanning_trees
from hypar_opt.costgraph.collective.bandwidth import BandwidthBound, bandwidth_bound
from hypar_opt.costgraph.collective.mirror import gathering_of
from hypar_opt.costgraph.collective.pieces import TreePiece, busiest, pieces_written

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from fractions import Fraction

    from formulations.collective.packing.strength import SpanningTrees
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.costgraph.collective.pieces import Way
    from hypar_opt.formulation.run import Run


def reduced_and_gathered(graph: CollectiveGraph, run: Run) -> tuple[BandwidthBound, Sequence[TreePiece]]:
    """Return the best bound of an all-reduce, and the best trees.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    asked = gathering(gathering_of(graph))
    narrow = narrowest(asked, run)
    through = BandwidthBound(narrow.ratio * asked.unit, "cut", tuple(sorted(narrow.inside)))
    bounds, packings = [through, bandwidth_bound(graph)], []
    if graph.shifts:
        # where all accelerators are alike, halves mostly do
        packings.append(_halves(graph, run))
    if not graph.switches and not _met(graph, packings, bounds):
        run.phase("packing spanning trees")
        found = spanning_trees(graph.nodes, asked.rates, run)
        packings.append(_spread(graph, found, asked.targets))
        if len(asked.targets) == graph.nodes:
            value = len(graph.demands) * asked.unit / found.strength
            bounds.append(BandwidthBound(value, "partition", parts=tuple(tuple(sorted(part)) for part in found.parts)))
    if not graph.shifts and not _met(graph, packings, bounds):
        packings.append(_halves(graph, run))
    return max(bounds, key=lambda one: one.value), min(packings, key=lambda pieces: _time(graph, pieces))


def _time(graph: CollectiveGraph, pieces: Sequence[TreePiece]) -> Fraction:
    return busiest(graph, pieces_written(pieces))


def _met(graph: CollectiveGraph, packings: Sequence[Sequence[TreePiece]], bounds: Sequence[BandwidthBound]) -> bool:
    """Return whether one of the packings is as good as can be."""
    least = max(one.value for one in bounds)
    return any(_time(graph, pieces) == least for pieces in packings)


def _halves(graph: CollectiveGraph, run: Run) -> Sequence[TreePiece]:
    """Return the trees of a gathering, along which chunks are summed up before."""
    return [along(one, turned(one).ways + one.ways) for one in gathered(gathering_of(graph), run).pieces]


def turned(piece: TreePiece) -> TreePiece:
    """Return a tree along which is added up what it would bring to all."""
    return along(piece, tuple((way[::-1], True) for way, _ in reversed(piece.ways)))


def along(piece: TreePiece, ways: tuple[Way, ...]) -> TreePiece:
    """Return a piece that goes by other branches."""
    return piece._replace(ways=ways)


def _spread(graph: CollectiveGraph, found: SpanningTrees, members: Collection[int]) -> list[TreePiece]:
    """Return all chunks along spanning trees, of which only what leads to a member is taken."""
    chunks, each = len(graph.demands), sum(tree.count for tree in found.trees)
    trees = [replace(tree, count=tree.count * chunks, ways=_useful(tree.ways, members)) for tree in found.trees]
    pieces = dealt(trees, range(chunks), each)
    return [along(one, turned(one).ways + one.ways) for one in pieces]


def _useful(ways: Sequence[tuple[int, ...]], members: Collection[int]) -> tuple[tuple[int, ...], ...]:
    """Return the branches of a tree that lead to a member, from where they part on."""
    kept, wanted = [], set(members)
    for way in reversed(ways):
        if way[-1] in wanted:
            wanted.add(way[0])
            kept.append(way)
    while kept and kept[-1][0] not in members and sum(way[0] == kept[-1][0] for way in kept) == 1:
        kept.pop()
    return tuple(reversed(kept))
