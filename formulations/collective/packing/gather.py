"""From a gathering to the trees that reach its optimum: the cut, switches removed, trees packed, chunks dealt out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import TYPE_CHECKING

from formulations.collective.packing.arborescences import Packer
from formulations.collective.packing.optimum import gathering, optimum
from formulations.collective.packing.shifted import shifted_trees
from formulations.collective.packing.splitting import Splitter
from hypar_opt.costgraph.collective.pieces import TreePiece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formulations.collective.packing.arborescences import Tree
    from formulations.collective.packing.optimum import Gathering, TightestRatio
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class Packed:
    """The least time of a gathering, what shows it, and trees that take no longer.

    Parameters
    ----------
    value
        In the graph's unit.
    inside
        The nodes behind the tightest cut.
    pieces
        Of all chunks.
    """

    value: Fraction
    inside: frozenset[int]
    pieces: tuple[TreePiece, ...]


def gathered(graph: CollectiveGraph, run: Run) -> Packed:
    """Return the optimum of a collective whose chunks begin in one place each and all get to the same.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    asked = gathering(graph)
    run.phase("searching the tightest cut")
    alike = bool(graph.shifts) and len(set(asked.begins.values())) == 1 and len(asked.begins) == graph.accelerators
    least = optimum(asked, run, alike=alike)
    value = least.ratio * asked.unit
    run.bound(value)
    if alike:
        shifted = _shifted(graph, asked, least)
        if shifted is not None:
            return Packed(value, least.inside, shifted)
    trees, each = packed(asked, least, run)
    chunks: dict[int, list[int]] = {}
    for number, one in enumerate(graph.demands):
        chunks.setdefault(one.sources[0], []).append(number)
    pieces = [
        piece for root, own in chunks.items() for piece in dealt([one for one in trees if one.root == root], own, each)
    ]
    return Packed(value, least.inside, tuple(pieces))


def _shifted(graph: CollectiveGraph, asked: Gathering, least: TightestRatio) -> tuple[TreePiece, ...] | None:
    """Return one accelerator's trees, shifted to all; None where these are not the optimum."""
    found = shifted_trees(graph, asked.rates, least.ratio / asked.begins[0])
    if found is None:
        return None
    unit = lcm(*(share.denominator for share in found.values()))
    return tuple(
        TreePiece(number, int(share * unit), tuple(((shift[first], shift[second]), False) for first, second in tree))
        for number, one in enumerate(graph.demands)
        for shift in (graph.shifts[one.sources[0]],)
        for tree, share in found.items()
    )


def packed(asked: Gathering, least: TightestRatio, run: Run) -> tuple[list[Tree], int]:
    """Return trees that reach an optimum, and how many of them are a chunk."""
    carried, each = asked.at(least.ratio), least.ratio.denominator
    divisor = reduce(gcd, carried.values(), each)
    carried, each = {hop: count // divisor for hop, count in carried.items()}, each // divisor
    begins = {node: count * each for node, count in asked.begins.items()}
    splitter = Splitter(carried, begins, asked.targets, asked.nodes)
    passing = sorted(set(range(asked.nodes)).difference(asked.targets), reverse=True)
    for number, node in enumerate(passing):
        run.phase(f"joining links at node {node}, {number + 1:,} of {len(passing):,}")
        splitter.remove(node, run)
    run.phase("packing trees")
    return list(Packer(splitter.routes, begins, asked.targets).packed(run)), each


def dealt(trees: Iterable[Tree], chunks: Sequence[int], each: int) -> Iterator[TreePiece]:
    """Yield pieces of chunks, one after the other, as much of each tree as it stands for.

    Parameters
    ----------
    each
        How many trees are a chunk.
    """
    waiting = iter(chunks)
    chunk, left = next(waiting), each
    for tree in trees:
        ways, count = tuple((way, False) for way in tree.ways), tree.count
        while count:
            if not left:
                chunk, left = next(waiting), each
            used = min(count, left)
            yield TreePiece(chunk, used, ways)
            count -= used
            left -= used
