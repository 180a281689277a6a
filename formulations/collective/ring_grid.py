"""Rings along the dimensions of a grid, one dimension after the other: the 2D ring, of any number of dimensions.

First everyone gathers what is on its line along the last dimension, then along the one before, whatever has been
gathered there. Lines without a link from their end to their begin, those of a mesh, pass chunks on both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.doubling import order_of
from formulations.collective.finish import concluded, for_all
from formulations.collective.halves import staged
from formulations.collective.spreading import Spreading
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


def lines(dims: Sequence[int], axis: int) -> Iterator[tuple[int, ...]]:
    """Yield the lines of a grid along a dimension; the last one is the fastest."""
    stride, size = prod(dims[axis + 1 :]), dims[axis]
    for first in range(prod(dims)):
        if first // stride % size == 0:
            yield tuple(first + place * stride for place in range(size))


def by_lines(graph: CollectiveGraph) -> list[Move]:
    """Return the sends of a gathering, one dimension after the other."""
    sends = Spreading(graph)
    for axis in reversed(range(len(graph.dims))):
        there = {node: sends.has(node) for node in range(graph.accelerators)}
        for far in range(1, graph.dims[axis]):
            for line in lines(graph.dims, axis):
                _pass_on(sends, line, far, [there[node] for node in line])
            sends.end_stage()
    return sends.moves


def _pass_on(sends: Spreading, line: Sequence[int], far: int, own: Sequence[Sequence[int]]) -> None:
    """Let the chunks of everyone on a line get to those that are so far from it: in a ring only onwards."""
    closed = len(line) > 2 and (line[-1], line[0]) in sends.graph.link_of
    for place, chunks in enumerate(own):
        after = [place + far] if place + far < len(line) or closed else []
        before = [place - far] if place >= far and not closed else []
        for chunk in chunks:
            for there, last in [(one, one - 1) for one in after] + [(one, one + 1) for one in before]:
                sends.send(chunk, line[last % len(line)], line[there % len(line)])


@dataclass(frozen=True)
class GridRing:
    """Rings along the dimensions of a grid."""

    name: ClassVar[str] = "ring-2d"
    summary: ClassVar[str] = "rings along one dimension of a torus or mesh after the other"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", rank=412)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline what is no grid of two dimensions or more, or not all of one."""
        declined = for_all(graph)
        if declined is not None:
            return declined
        if sum(size > 1 for size in graph.dims) < 2:
            return "it is for tori and meshes of two dimensions or more; try ring"
        if len(order_of(graph)) < graph.accelerators:
            return "it is for all accelerators of a grid, and here only some take part; try multitree"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Send along lines."""
        return concluded(graph, run, staged(graph, by_lines), "rings along dimensions")


FORMULATION = GridRing()
