"""The edges of what conversions cost; those of a block that is a copy are the edges of its like, further on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from hypar_opt.costgraph import Edge, EdgeCost, TableEdge
from hypar_opt.util.interrupt import asking

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.cost.operators.tensor_costs import TensorCosts
    from hypar_opt.costgraph import Array


class _SharedBlock(NamedTuple):
    """The first operator of a block, and that of the block of which it is a copy."""

    start: int
    like: int


@dataclass(frozen=True, eq=False)
class ConversionEdges:
    """Edges tensor by tensor.

    Parameters
    ----------
    costs
        What the conversions of each cost.
    """

    costs: TensorCosts

    def every(self, own: list[Array], over: Callable[[], bool], doing: str) -> list[Edge]:
        """Return all edges; what depends on one variable is added to its own.

        Parameters
        ----------
        own
            By variable; of copies it is that of their like.
        over, doing
            As of `asking`.
        """
        graph, whose = self.costs.graph, self._whose
        writers, shared = graph.writers, self.costs.sharing.shared
        edges: list[Edge] = []
        made: dict[int, Sequence[Edge]] = {}
        done: set[int] = set()
        converted = (name for name in graph.tensors if name in writers or name in shared)
        for name in asking(converted, over, doing):
            block = whose[writers.get(name, -1)]
            if block is None:
                edges += self._of(name, own)
            elif block.start not in done:
                done.add(block.start)
                if block.like not in made:
                    made[block.like] = [edge for one in self._written(block.like) for edge in self._of(one, own)]
                further = self._variable(block.start) - self._variable(block.like)
                edges += [Edge(one.first + further, one.second + further, one.costs) for one in made[block.like]]
        return edges

    @cached_property
    def _whose(self) -> Sequence[_SharedBlock | None]:
        """By operator the block, if that is one of many that are equal; None at the end.

        Where a block has a parameter that several of its operators read, nothing is copied: its edges would come first.
        """
        equal = self.costs.sharing.equal
        found: list[_SharedBlock | None] = [None] * (len(self.costs.graph.operators) + 1)
        apart = {like for like in set(equal.copies.values()) if self._has_edges_apart(like)}
        for start, like in equal.copies.items():
            if like not in apart:
                length = equal.lengths[start]
                for first in (like, start):
                    found[first : first + length] = [_SharedBlock(first, like)] * length
        return found

    def _has_edges_apart(self, first: int) -> bool:
        """Return whether several operators of a block read a parameter that no other block reads."""
        graph, shared = self.costs.graph, self.costs.sharing.shared
        block = range(first, first + self.costs.sharing.equal.lengths[first])
        read = {one.tensor for number in block for one in graph.operators[number].operands}
        read = {name for name in read if name in shared and name not in graph.writers}
        return any(all(number in block for number, _ in graph.readers[name]) for name in read)

    def _written(self, first: int) -> Sequence[str]:
        """Return what a block writes, in the order of the tensors."""
        graph = self.costs.graph
        names = {one.output.tensor for one in graph.operators[first : first + self.costs.sharing.equal.lengths[first]]}
        return [name for name in graph.tensors if name in names]

    def _variable(self, operator: int) -> int:
        return self.costs.index[self.costs.graph.operators[operator].name]

    def _of(self, name: str, own: list[Array]) -> list[Edge]:
        return [Edge(first, second, self._costs(table)) for first, second, table in self.costs.of(name, own)]

    def _costs(self, table: Array) -> Mapping[str, EdgeCost]:
        """Return a table as costs of an edge, the same for the same table."""
        component = self.costs.charge.component
        return self.costs.sharing.once(("edge", id(table)), lambda: {component: TableEdge(table)})
