"""Variables of few neighbours and no memory: each is its neighbours' best choice, and its least cost is theirs.

One of a single neighbour becomes costs of that one's values; one of two neighbours costs of their pairs,

    cost(b, c) = min over a of [cost(a) + cost(a, b) + cost(a, c)],

where that takes no more entries than the edges that go: there is an edge between the two already, or the table between
them is no larger than the two tables to it. (Bertele and Brioschi, Nonserial Dynamic Programming, 1972.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Tables
from hypar_opt.costgraph.presolve.reduction import Step
from hypar_opt.costgraph.presolve.sums import plus, without_variables

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Duals


@dataclass(frozen=True, eq=False)
class Eliminated:
    """A variable that went.

    Parameters
    ----------
    variable, costs
        Which, and what its values cost at that time.
    neighbours, tables
        Those that it had, and what the pairs with each cost, its own values by row.
    """

    variable: int
    costs: Array
    neighbours: tuple[int, ...]
    tables: tuple[Array, ...]

    @property
    def joint(self) -> Array:
        """What its values cost with all of its neighbours'; shape (its values, first's, second's or none)."""
        total = self.costs
        for axis, table in enumerate(self.tables):
            total = plus(total[..., None], table if axis == 0 else table[:, None, :])
        return total

    def best(self, choices: Array) -> int:
        """Return its best value beside its neighbours'."""
        total = self.costs
        for neighbour, table in zip(self.neighbours, self.tables, strict=True):
            total = plus(total, table[:, choices[neighbour]])
        return int(total.argmin())


@dataclass(frozen=True, eq=False)
class Elimination(Step):
    """Variables eliminated one after the other.

    Parameters
    ----------
    order
        As they went.
    """

    order: tuple[Eliminated, ...]

    @property
    def name(self) -> str:
        """What it takes away."""
        return "eliminated variables"

    @property
    def removed(self) -> int:
        """Number of those variables."""
        return len(self.order)

    @property
    def variables(self) -> Array:
        """The others."""
        return np.flatnonzero(self.kept)

    @property
    def kept(self) -> Array:
        """By variable, whether it stays."""
        kept = np.ones(self.before.count, dtype=bool)
        kept[[one.variable for one in self.order]] = False
        return kept

    def expand(self, choices: Array) -> Array:
        """Return the others' values, and the best beside them, the last to go first."""
        found = np.zeros(self.before.count, dtype=np.int64)
        found[self.kept] = choices
        for one in reversed(self.order):
            found[one.variable] = one.best(found)
        return found

    def contract(self, choices: Array) -> Array | None:
        """Return the others' values."""
        found: Array = choices[self.kept]
        return found

    def lift(self, duals: Duals) -> Duals:
        """Let every edge to one that went take all that it costs, and give its neighbour what that made of it.

        Raises
        ------
        NotImplementedError
            If one had two neighbours: what it makes of them is no sum of two.
        """
        if any(len(one.neighbours) > 1 for one in self.order):
            raise NotImplementedError
        tables, kept = self.before, self.kept
        stays = kept[tables.ends].all(axis=1)
        sides = []
        for side, given in enumerate((duals.first, duals.second)):
            messages = np.zeros(int(tables.edge_sizes[:, side].sum()), dtype=np.int64)
            messages[np.repeat(stays, tables.edge_sizes[:, side])] = given
            sides.append(np.split(messages, np.cumsum(tables.edge_sizes[:, side])[:-1]))
        number = {(int(first), int(second)): edge for edge, (first, second) in enumerate(tables.ends)}
        for one in self.order:
            for neighbour in one.neighbours:
                edge = number[min(one.variable, neighbour), max(one.variable, neighbour)]
                own = 0 if one.variable < neighbour else 1
                least = one.joint.min(axis=0)
                sides[own][edge][:] = (one.costs.min() - one.costs) << duals.scale
                sides[1 - own][edge][:] = (least - least.min()) << duals.scale
        empty = np.zeros(0, dtype=np.int64)
        return replace(duals, first=np.concatenate([empty, *sides[0]]), second=np.concatenate([empty, *sides[1]]))


class _Graph:
    """Tables taken apart, so that variables can go one by one."""

    def __init__(self, tables: Tables) -> None:
        self.costs = np.split(tables.unary, tables.starts[1:-1])
        self.around: list[dict[int, Array]] = [{} for _ in range(tables.count)]
        for edge, (first, second) in enumerate(tables.ends.tolist()):
            self.join(first, second, tables.table(edge))
        self.without_memory = np.ones(tables.count, dtype=bool)
        self.without_memory[tables.memory.holders] = False

    def join(self, first: int, second: int, table: Array) -> None:
        """Put a table between two variables."""
        self.around[first][second] = table
        self.around[second][first] = table.T

    def can_go(self, variable: int, most: int) -> bool:
        """Return whether a variable is to be eliminated."""
        around = self.around[variable]
        if not self.without_memory[variable] or not 1 <= len(around) <= most:
            return False
        if len(around) == 1:
            return True
        (first, one), (second, other) = around.items()
        return second in self.around[first] or one.shape[1] * other.shape[1] <= one.size + other.size

    def eliminate(self, variable: int) -> Eliminated:
        """Take a variable out."""
        around = self.around[variable]
        gone = Eliminated(variable, self.costs[variable], tuple(around), tuple(around.values()))
        least = gone.joint.min(axis=0)
        for neighbour in gone.neighbours:
            del self.around[neighbour][variable]
        around.clear()
        if len(gone.neighbours) == 1:
            neighbour = gone.neighbours[0]
            self.costs[neighbour] = plus(self.costs[neighbour], least)
        else:
            first, second = gone.neighbours
            table = self.around[first].get(second)
            self.join(first, second, least if table is None else plus(table, least))
        return gone

    def tables(self, before: Tables, gone: Array) -> Tables:
        """Return what is left."""
        pairs = [(i, j) for i, around in enumerate(self.around) for j in sorted(around) if i < j]
        empty = np.zeros(0, dtype=np.int64)
        edges = np.concatenate([empty, *(self.around[i][j].reshape(-1) for i, j in pairs)])
        ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        whole = before.replace(unary=np.concatenate(self.costs), ends=ends, edges=edges)
        return without_variables(whole, gone)


def eliminate_leaves(tables: Tables) -> tuple[Tables, Elimination] | None:
    """Eliminate variables of one neighbour."""
    return _eliminated(tables, 1)


def eliminate_paths(tables: Tables) -> tuple[Tables, Elimination] | None:
    """Eliminate variables of one or two neighbours."""
    return _eliminated(tables, 2)


def _eliminated(tables: Tables, most: int) -> tuple[Tables, Elimination] | None:
    if (tables.unary >= FORBIDDEN).any():
        return None
    graph = _Graph(tables)
    waiting = [variable for variable in range(tables.count) if graph.can_go(variable, most)]
    order = []
    while waiting:
        variable = waiting.pop()
        if not graph.can_go(variable, most):
            continue
        gone = graph.eliminate(variable)
        order.append(gone)
        waiting.extend(neighbour for neighbour in gone.neighbours if graph.can_go(neighbour, most))
    if not order:
        return None
    step = Elimination(tables, tuple(order))
    return graph.tables(tables, ~step.kept), step
