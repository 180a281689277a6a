"""Variables that others decide: where an edge allows every value of one at most one value of the other.

The other follows: it is merged into its leader, and its costs, edges and memory become the leader's. Followers may have
followers of their own; all are merged at once, along a forest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Duals, Memory, Tables, offsets
from hypar_opt.costgraph.memory import ranges
from hypar_opt.costgraph.presolve.reduction import VariableRemoval
from hypar_opt.costgraph.presolve.sums import added_at, adjacency, blocks

NOTHING = -1
"""In place of a value: the leader's value leaves the follower none."""


@dataclass(frozen=True, eq=False)
class Followers(VariableRemoval):
    """Variables merged into their leaders.

    Parameters
    ----------
    parents
        By variable, the one that an edge lets decide it; -1 for leaders.
    leaders
        By variable, the number after the step of the leader that it, or its parent, follows.
    values
        By variable one after the other, for each value of its leader its own, or NOTHING.
    starts
        Where in `values` a variable's begin.
    """

    parents: Array
    leaders: Array
    values: Array
    starts: Array

    def expand(self, choices: Array) -> Array:
        """Return every follower's value under its leader's; any where none is allowed."""
        found: Array = np.maximum(self.values[self.starts[:-1] + choices[self.leaders]], 0)
        return found

    def contract(self, choices: Array) -> Array | None:
        """Return the leaders' values, if the others follow them."""
        found: Array = choices[self.variables]
        return found if np.array_equal(self.expand(found), choices) else None

    def lift(self, duals: Duals) -> Duals:
        """Raise: merged edges are tighter than apart."""
        raise NotImplementedError


def merge_followers(tables: Tables) -> tuple[Tables, Followers] | None:
    """Merge all that follow."""
    heads, tails, edges, sides = _ties(tables)
    if not len(heads):
        return None
    parents, by, order = _forest(tables.count, heads, tails)
    maps = _maps(tables, parents, edges[by], sides[by], order)
    follows = parents >= 0
    leaders = np.cumsum(~follows) - 1
    for variable in order[follows[order]].tolist():
        leaders[variable] = leaders[parents[variable]]
    starts = offsets(tables.sizes[~follows][leaders])
    step = Followers(tables, "followers", follows, parents, leaders, np.concatenate(maps), starts)
    return _merged(step, maps), step


def _ties(tables: Tables) -> tuple[Array, Array, Array, Array]:
    """Return leaders, their followers, the edges that say so, and the leaders' sides of them."""
    found = [np.zeros((0, 2), dtype=np.int64)]
    for group, costs in blocks(tables):
        allowed = costs < FORBIDDEN
        for side in (0, 1):
            ties = group[(allowed.sum(axis=2 - side) <= 1).all(axis=1)]
            found.append(np.stack([ties, np.full(len(ties), side)], axis=1))
    edges, sides = np.concatenate(found).T
    return tables.ends[edges, sides], tables.ends[edges, 1 - sides], edges, sides


def _forest(count: int, heads: Array, tails: Array) -> tuple[Array, Array, Array]:
    """Return parents, the ties to them (-1 for none), and an order with parents first; as few roots as can be.

    Roots are one of each strongly connected component that no other leads into; a breadth-first search from a node
    before them all reaches everything.
    """
    from scipy.sparse.csgraph import breadth_first_order, connected_components

    parts, part = connected_components(adjacency(count, heads, tails), directed=True, connection="strong")
    led = np.zeros(parts, dtype=bool)
    led[part[tails[part[heads] != part[tails]]]] = True
    _, firsts = np.unique(part, return_index=True)
    roots = firsts[~led]
    everything = adjacency(count + 1, np.append(heads, np.full(len(roots), count)), np.append(tails, roots))
    order, parents = breadth_first_order(everything, count, directed=True)
    parents = np.where(parents[:count] == count, -1, parents[:count]).astype(np.int64)
    tie = np.full(count, -1)
    used = parents[tails] == heads
    tie[tails[used]] = np.flatnonzero(used)
    return parents, tie, order[1:]


def _maps(tables: Tables, parents: Array, edges: Array, sides: Array, order: Array) -> list[Array]:
    """Return by variable its value for each of its leader's."""
    maps: list[Array] = [np.zeros(0, dtype=np.int64)] * tables.count
    for variable in order.tolist():
        parent = int(parents[variable])
        if parent < 0:
            maps[variable] = np.arange(int(tables.sizes[variable]))
            continue
        allowed = tables.table(int(edges[variable])) < FORBIDDEN
        allowed = allowed if sides[variable] == 0 else allowed.T
        follows = np.append(np.where(allowed.any(axis=1), allowed.argmax(axis=1), NOTHING), NOTHING)
        maps[variable] = follows[maps[parent]]
    return maps


def _merged(step: Followers, maps: list[Array]) -> Tables:
    """Return the tables of the leaders."""
    tables = step.before
    sizes = tables.sizes[step.variables]
    starts = offsets(sizes)
    unary = np.zeros(int(starts[-1]), dtype=np.int64)
    lengths = np.diff(step.starts)
    own = np.maximum(step.values, 0) + np.repeat(tables.starts[:-1], lengths)
    costs = np.where(step.values == NOTHING, FORBIDDEN, tables.unary[own])
    added_at(unary, ranges(starts[step.leaders], lengths), costs)
    inner = step.leaders[tables.ends[:, 0]] == step.leaders[tables.ends[:, 1]]
    _fold(step, np.flatnonzero(inner), unary, starts)
    ends, edges = _joined(step, np.flatnonzero(~inner), maps, sizes)
    return Tables(sizes, unary, ends, edges, _held(step), tables.constant)


def _fold(step: Followers, inner: Array, unary: Array, starts: Array) -> None:
    """Add the edges between variables of one leader to its costs."""
    tables = step.before
    first, second = tables.ends[inner, 0], tables.ends[inner, 1]
    lengths = np.diff(step.starts)[first]
    rows, columns = step.values[ranges(step.starts[first], lengths)], step.values[ranges(step.starts[second], lengths)]
    widths = np.repeat(tables.edge_sizes[inner, 1], lengths)
    nothing = (rows == NOTHING) | (columns == NOTHING)
    places = np.repeat(tables.edge_starts[inner], lengths) + np.where(nothing, 0, rows * widths + columns)
    costs = np.where(nothing, FORBIDDEN, tables.edges[places])
    added_at(unary, ranges(starts[step.leaders[first]], lengths), costs)


def _joined(step: Followers, outer: Array, maps: list[Array], sizes: Array) -> tuple[Array, Array]:
    """Return the pairs of leaders that edges join, and those edges' sums; what has no value costs 0 there."""
    tables = step.before
    pairs = step.leaders[tables.ends[outer]].reshape(-1, 2)
    ends, groups = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
    starts = offsets(sizes[ends[:, 0]] * sizes[ends[:, 1]])
    total = np.zeros(int(starts[-1]), dtype=np.int64)
    plain = np.where(tables.edges < FORBIDDEN, tables.edges, 0)
    forbidden = np.zeros(len(total), dtype=bool)
    banned = tables.edges >= FORBIDDEN
    for edge, group, low_first in zip(
        outer.tolist(), groups.reshape(-1).tolist(), (pairs[:, 0] < pairs[:, 1]).tolist(), strict=True
    ):
        first, second = tables.ends[edge].tolist()
        width = int(tables.edge_sizes[edge, 1])
        places = np.maximum(np.add.outer(maps[first] * width, maps[second]), 0)
        places = (places if low_first else places.T).reshape(-1) + tables.edge_starts[edge]
        total[starts[group] : starts[group + 1]] += plain[places]
        forbidden[starts[group] : starts[group + 1]] |= banned[places]
    total[forbidden] = FORBIDDEN
    return ends.reshape(-1, 2), total


def _held(step: Followers) -> Memory:
    """Return the memory, every item the leader's; what has no value uses none."""
    memory = step.before.memory
    lengths = np.diff(step.starts)[memory.holders]
    values = step.values[ranges(step.starts[memory.holders], lengths)]
    own = np.maximum(values, 0) + np.repeat(memory.starts[:-1], lengths)
    usages = np.where(values == NOTHING, 0, memory.usages[own])
    return Memory(step.leaders[memory.holders], memory.spans, offsets(lengths), usages, memory.room, memory.moments)
