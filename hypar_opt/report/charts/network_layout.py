"""Where the layers of a network stand in a picture: rows from input to output, a lane for every branch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Corner: TypeAlias = "tuple[float, float]"
"""A lane from the left and a row from above."""


class LayerLine(Protocol):
    """What is drawn from one layer to another."""

    @property
    def producer(self) -> int:
        """The position of the layer that it begins at."""

    @property
    def reader(self) -> int:
        """The position of the layer that it ends at."""


class LayeredGraph(Protocol):
    """Layers in topological order, of which only positions are known here."""

    @property
    def boundaries(self) -> Sequence[LayerLine]:
        """What is drawn between them."""


@dataclass(frozen=True)
class NetworkLayout:
    """A network drawn downwards: its longest path in the first lane, branches in lanes beside it.

    Parameters
    ----------
    work
        The layers that are decided, and the boundaries between them.
    count
        How many layers are drawn, the first in topological order.
    shares_lanes
        Whether lines that begin at one layer may run in one lane, as of an output that many read.
    """

    work: LayeredGraph
    count: int
    shares_lanes: bool = False

    @cached_property
    def _graph(self) -> nx.DiGraph[int]:
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(self.count))
        graph.add_edges_from((edge.producer, edge.reader) for edge in self.edges)
        return graph

    @cached_property
    def edges(self) -> tuple[LayerLine, ...]:
        """Boundaries between layers that are drawn."""
        return tuple(edge for edge in self.work.boundaries if max(edge.producer, edge.reader) < self.count)

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """By layer, how many layers are before it on the longest way: no two of one lane share a row.

        One that reads nothing stands just above the first that reads it.
        """
        found = {}
        for row, layers in enumerate(nx.topological_generations(self._graph)):
            found.update(dict.fromkeys(layers, row))
        late = {
            layer: min(found[other] for other in self._graph.successors(layer)) - 1
            for layer in found
            if not self._graph.in_degree(layer) and self._graph.out_degree(layer)
        }
        return found | late

    @cached_property
    def lanes(self) -> Mapping[int, int]:
        """By layer, its lane: the first for the longest path, the first that is free in its row for the others."""
        trunk = nx.dag_longest_path(self._graph)
        found = dict.fromkeys(trunk, 0)
        taken = {(self.rows[layer], 0) for layer in trunk}
        for layer in range(self.count):
            if layer not in found:
                lane = next(lane for lane in range(1, self.count + 1) if (self.rows[layer], lane) not in taken)
                found[layer] = lane
                taken.add((self.rows[layer], lane))
        return found

    @cached_property
    def paths(self) -> tuple[tuple[Corner, ...], ...]:
        """By boundary, the corners of its line: it runs beside layers that it passes, in a lane that is free there."""
        taken: dict[tuple[int, int], int] = {(self.rows[layer], lane): -1 for layer, lane in self.lanes.items()}
        order = sorted(range(len(self.edges)), key=lambda at: self._span(self.edges[at]))
        found: dict[int, tuple[Corner, ...]] = {}
        for at in order:
            edge = self.edges[at]
            (top, low), (first, last) = self._span_rows(edge), (self.lanes[edge.producer], self.lanes[edge.reader])
            between = range(top + 1, low)
            if not between:
                found[at] = ((first, top), (last, low))
                continue
            lanes = (lane for lane in range(max(first, last), 2 * self.count + 2))
            own = edge.producer if self.shares_lanes else None
            lane = next(lane for lane in lanes if all(taken.get((row, lane), own) == own for row in between))
            taken |= {(row, lane): edge.producer for row in between}
            beside = dict.fromkeys([(lane, top + 1), (lane, low - 1)])  # one corner where one row is passed
            found[at] = ((first, top), *beside, (last, low))
        return tuple(found[at] for at in range(len(self.edges)))

    def _span_rows(self, edge: LayerLine) -> tuple[int, int]:
        return self.rows[edge.producer], self.rows[edge.reader]

    def _span(self, edge: LayerLine) -> int:
        top, low = self._span_rows(edge)
        return low - top

    @property
    def width(self) -> float:
        """The last lane that anything is in."""
        return max((lane for path in self.paths for lane, _ in path), default=0)
