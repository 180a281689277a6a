"""In which order variables are eliminated, and how large the tables become."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.costgraph import CostGraph, WordEdge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet


BYTES_PER_CELL = {True: 8, False: 64}
"""Of an int64, and roughly of a Python integer with its pointer."""


@dataclass(frozen=True)
class EliminationStep:
    """The elimination of one variable.

    Parameters
    ----------
    variable
        What is eliminated.
    scope
        What its message depends on: its neighbours at that time.
    """

    variable: int
    scope: tuple[int, ...]


def min_fill(graph: CostGraph) -> tuple[EliminationStep, ...]:
    """Return an elimination order: always a variable whose neighbours lack fewest edges.

    Ties go to the smaller message: of a cycle the neighbours of a variable with few values go first. Then to the
    earlier variable, so that a chain is eliminated from its beginning.
    """
    if graph.is_chain:
        last = len(graph.variables) - 1
        return tuple(
            EliminationStep(variable, (variable + 1,) if variable < last else ()) for variable in range(last + 1)
        )
    around = {variable: set(others) for variable, others in enumerate(graph.neighbours)}
    fill = {variable: _missing(around, variable) for variable in around}

    def entry(variable: int) -> tuple[int, int, int]:
        return fill[variable], prod(graph.sizes[one] for one in around[variable]), variable

    heap = [entry(variable) for variable in fill]
    heapq.heapify(heap)
    steps = []
    while around:
        lacking, _, variable = found = heapq.heappop(heap)
        if variable not in around or entry(variable) != found:
            continue
        scope = tuple(sorted(around.pop(variable)))
        steps.append(EliminationStep(variable, scope))
        for one in scope:
            around[one].remove(variable)
            around[one].update(x for x in scope if x != one)
        touched = set(scope) if lacking == 0 else {x for one in scope for x in around[one]} | set(scope)
        for one in touched:
            fill[one] = _missing(around, one)
            heapq.heappush(heap, entry(one))
    return tuple(steps)


def is_forest(graph: CostGraph) -> bool:
    """Return whether no variable's message depends on more than one other."""
    return all(len(step.scope) <= 1 for step in min_fill(graph))


def _missing(around: dict[int, set[int]], variable: int) -> int:
    return fill(around, around[variable])


def fill(around: Mapping[int, AbstractSet[int]], scope: AbstractSet[int]) -> int:
    """Return how many edges variables lack to be all neighbours of each other."""
    return sum(b not in around[a] for a, b in combinations(sorted(scope), 2))


def message_cells(steps: Sequence[EliminationStep], sizes: Sequence[int]) -> list[int]:
    """Return the size of every step's message."""
    return [prod(sizes[x] for x in step.scope) for step in steps]


def peak_bytes(graph: CostGraph, steps: Sequence[EliminationStep]) -> int:
    """Return an estimate of the memory: all messages, and four arrays as large as the largest in work.

    A cost that has no factored product is worked with as a table.
    """
    sizes = [variable.size for variable in graph.variables]
    messages = message_cells(steps, sizes)
    tables = (prod(cost.shape) for cost in graph.edge_costs.values() if not isinstance(cost, WordEdge))
    work = max(*(_work_cells(step, sizes) for step in steps), *tables, 1, 1)
    return (sum(messages) + 4 * work) * BYTES_PER_CELL[graph.dtype is not object]


def _work_cells(step: EliminationStep, sizes: Sequence[int]) -> int:
    """Return the size of the largest array of a step: one variable of its scope goes by min-plus product."""
    involved = [sizes[x] for x in (*step.scope, step.variable)]
    return prod(involved) // min(involved)
