"""Spanning trees that together load no link more than it carries (Edmonds, Edge-disjoint branchings, 1973).

Trees grow one after the other. By a link from a node in a tree to one outside of it so many copies of the tree grow as
leave enough for all others: into every set of nodes links have to carry as much as trees have no node in it yet. How
many that are is a maximum flow; the other copies of the tree grow on as another (Berczi and Frank, Packing
arborescences, 2010; as ForestColl does).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from formulations.collective.packing.flow import MOST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from formulations.collective.packing.splitting import Routes
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class Tree:
    """Equal trees.

    Parameters
    ----------
    root
        Where they begin.
    count
        How many they are.
    nodes
        In the order in which they joined.
    ways
        By which each but the root did.
    """

    root: int
    count: int
    nodes: tuple[int, ...]
    ways: tuple[tuple[int, ...], ...] = ()
    closed: frozenset[tuple[int, int]] = field(default=frozenset(), repr=False)


class Packer:
    """Links, with what is left of them while trees grow.

    Parameters
    ----------
    routes
        By (from, to), ways with how much each carries.
    begins
        By node, how many trees begin there.
    nodes
        All that trees have to get to.
    """

    def __init__(self, routes: Routes, begins: Mapping[int, int], nodes: Sequence[int]) -> None:
        self.ways = {hop: list(ways) for hop, ways in routes.items()}
        self.place = {hop: number for number, hop in enumerate(self.ways)}
        self.left = np.array([sum(count for _, count in ways) for ways in self.ways.values()], dtype=np.int64)
        ends = np.array(list(self.ways), dtype=np.int32).reshape(-1, 2)
        self.tails, self.heads = ends[:, 0].copy(), ends[:, 1].copy()
        self.after: dict[int, list[int]] = {}
        for first, second in self.ways:
            self.after.setdefault(first, []).append(second)
        self.begins = dict(begins)
        self.nodes = tuple(nodes)
        self.beyond = 1 + max(*nodes, *self.tails.tolist(), *self.heads.tolist())

    def packed(self, run: Run) -> Iterator[Tree]:
        """Yield the trees, of one root after the other.

        Raises
        ------
        Stopped
            If the run has to end.
        """
        for root in sorted(self.begins):
            growing = [Tree(root, self.begins.pop(root), (root,))]
            while growing:
                tree = growing.pop()
                while len(tree.nodes) < len(self.nodes):
                    run.check()
                    tree, rest = self._grown(tree, growing)
                    if rest is not None:
                        growing.append(rest)
                yield tree

    def _grown(self, tree: Tree, others: Sequence[Tree]) -> tuple[Tree, Tree | None]:
        """Return a tree with one more node, and those of its copies for which the link does not do."""
        members, closed = set(tree.nodes), set(tree.closed)
        for first in tree.nodes:
            for second in self.after.get(first, ()):
                hop = first, second
                if second in members or hop in closed:
                    continue
                count = self._most(tree, hop, others)
                if not count:
                    closed.add(hop)  # what a set of nodes lacks now it lacks from now on
                    continue
                way = self._taken(hop, count)
                known = frozenset(closed)
                bigger = Tree(tree.root, count, (*tree.nodes, second), (*tree.ways, way), known)
                left = tree.count - count
                return bigger, replace(tree, count=left, closed=known) if left else None
        raise ValueError(f"a tree from {tree.root} cannot grow: links carry too little")

    def _most(self, tree: Tree, hop: tuple[int, int], others: Sequence[Tree]) -> int:
        """Return how many copies of a tree can grow by a link."""
        place = self.place[hop]
        ways = self.ways[hop]
        if not ways:
            return 0
        most = min(tree.count, ways[-1][1])
        return min(most, self._spared(hop, place, others))

    def _spared(self, hop: tuple[int, int], place: int, others: Sequence[Tree]) -> int:
        """Return what all other trees leave of the links into any set of nodes that has the end of a link alone."""
        from ortools.graph.python.max_flow import SimpleMaxFlow

        first, second = hop
        roots = [node for node in self.begins if node != first]
        needed = sum(self.begins.values())
        more = [(first, node, self.begins[node]) for node in roots]
        for number, other in enumerate(others):
            own = self.beyond + number
            needed += other.count
            more.append((first, own, other.count))
            more += [(own, node, MOST) for node in other.nodes if node != first]
        arcs = np.array(more, dtype=np.int64).reshape(-1, 3)
        solver = SimpleMaxFlow()
        solver.add_arcs_with_capacity(
            np.concatenate((self.tails, arcs[:, 0].astype(np.int32))),
            np.concatenate((self.heads, arcs[:, 1].astype(np.int32))),
            np.concatenate((self.left, arcs[:, 2])),
        )
        solver.solve(first, second)
        return int(solver.optimal_flow()) - needed

    def _taken(self, hop: tuple[int, int], count: int) -> tuple[int, ...]:
        """Take so much of the last of a link's ways, and return that."""
        way, most = self.ways[hop].pop()
        if most > count:
            self.ways[hop].append((way, most - count))
        self.left[self.place[hop]] -= count
        return way
