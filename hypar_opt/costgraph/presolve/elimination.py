"""Variables of few neighbours and no memory: each is its neighbours' best choice, and its least cost is theirs.

One without neighbours takes its cheapest value and is gone. One of a single neighbour becomes costs of that one's
values; one of two neighbours costs of their pairs,

    cost(b, c) = min over a of [cost(a) + cost(a, b) + cost(a, c)],

where that takes no more entries than the edges that go: there is an edge between the two already, or the table between
them is no larger than the two tables to it. (Bertele and Brioschi, Nonserial Dynamic Programming, 1972.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Duals, Tables
from hypar_opt.costgraph.presolve.reduction import VariableRemoval
from hypar_opt.costgraph.presolve.sums import plus, side_starts


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
class Elimination(VariableRemoval):
    """Variables eliminated one after the other.

    Parameters
    ----------
    order
        As they went.
    """

    order: tuple[Eliminated, ...]

    def expand(self, choices: Array) -> Array:
        """Return the others' values, and the best beside them, the last to go first."""
        found = np.zeros(self.before.count, dtype=np.int64)
        found[self.variables] = choices
        for one in reversed(self.order):
            found[one.variable] = one.best(found)
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
        tables = self.before
        messages = Duals.zero(tables).messages
        stays = ~self.gone[tables.ends].any(axis=1)
        for side, given in enumerate(duals.messages):
            messages[side][np.repeat(stays, tables.edge_sizes[:, side])] = given
        starts = [side_starts(tables, side) for side in (0, 1)]
        number = {(int(first), int(second)): edge for edge, (first, second) in enumerate(tables.ends)}
        for one in self.order:
            for neighbour in one.neighbours:
                edge = number[min(one.variable, neighbour), max(one.variable, neighbour)]
                own = 0 if one.variable < neighbour else 1
                least = one.joint.min(axis=0)
                for side, gives in ((own, one.costs.min() - one.costs), (1 - own, least - least.min())):
                    messages[side][starts[side][edge] : starts[side][edge + 1]] = gives << duals.scale
        return replace(duals, first=messages[0], second=messages[1])


@dataclass(frozen=True, eq=False)
class Isolated(VariableRemoval):
    """Variables solved on their own: without edges, and whose memory is the same whatever they are.

    Parameters
    ----------
    cheapest
        By variable, the value that it takes if it goes.
    """

    cheapest: Array

    def expand(self, choices: Array) -> Array:
        """Return the others' values, and the cheapest."""
        found = self.cheapest.copy()
        found[self.variables] = choices
        return found


class _InteractionGraph:
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
        return whole.restricted(~gone)


def eliminate_leaves(tables: Tables) -> tuple[Tables, Elimination] | None:
    """Eliminate variables of one neighbour."""
    return _eliminated(tables, 1)


def eliminate_paths(tables: Tables) -> tuple[Tables, Elimination] | None:
    """Eliminate variables of one or two neighbours."""
    return _eliminated(tables, 2)


def solve_isolated(tables: Tables) -> tuple[Tables, Isolated] | None:
    """Solve every variable that nothing joins to others."""
    if not tables.count:
        return None
    least = np.minimum.reduceat(tables.unary, tables.starts[:-1])
    alone = least < FORBIDDEN
    alone[tables.ends.reshape(-1)] = False
    alone[tables.memory.holders] = False
    if not alone.any():
        return None
    first = np.flatnonzero(tables.unary == np.repeat(least, tables.sizes))
    cheapest = first[np.searchsorted(first, tables.starts[:-1])] - tables.starts[:-1]
    constant = tables.constant + sum(least[alone].tolist())
    step = Isolated(tables, "isolated variables", alone, cheapest)
    return tables.restricted(~alone).replace(constant=constant), step


def _eliminated(tables: Tables, most: int) -> tuple[Tables, Elimination] | None:
    if (tables.unary >= FORBIDDEN).any():
        return None
    graph = _InteractionGraph(tables)
    waiting = [variable for variable in range(tables.count) if graph.can_go(variable, most)]
    order = []
    while waiting:
        variable = waiting.pop()
        if not graph.can_go(variable, most):
            continue
        order.append(graph.eliminate(variable))
        waiting.extend(neighbour for neighbour in order[-1].neighbours if graph.can_go(neighbour, most))
    if not order:
        return None
    gone = np.zeros(tables.count, dtype=bool)
    gone[[one.variable for one in order]] = True
    return graph.tables(tables, gone), Elimination(tables, "eliminated variables", gone, tuple(order))
