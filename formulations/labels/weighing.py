"""Least weighted sums of a label's coordinates: joint-dp's two passes over one objective."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from formulations.joint_dp.buckets import Buckets, decode, downward, upward
from formulations.labels.bounds import Completion
from hypar_opt.costgraph import CostGraph, Edge, Objective, TableUnary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.joint_dp.buckets import Messages
    from formulations.labels.forest import Forest, Usage
    from hypar_opt.run import Run


@dataclass(frozen=True, eq=False)
class Weighed:
    """A weighted sum's least value, and where it is attained.

    Parameters
    ----------
    weights
        By coordinate.
    value
        The least weighted sum over all assignments, whatever they use.
    choices
        An assignment that has it.
    """

    weights: tuple[int, ...]
    value: int
    choices: tuple[int, ...]
    _buckets: Buckets
    _messages: Messages
    _children: dict[int, list[int]]

    @staticmethod
    def of(forest: Forest, weights: Sequence[int], run: Run) -> Weighed | None:
        """Minimise; None if no assignment is allowed."""
        buckets = Buckets.of(weighted(forest.graphs, weights, forest.usages), run.limits.workers)
        messages, children = upward(buckets, run)
        value = sum(int(message.values) for message in messages.values() if not message.scope)
        if value >= buckets.graph.forbidden:
            return None
        choices = tuple(decode(buckets, messages, children, run))
        return Weighed(tuple(weights), value, choices, buckets, messages, children)

    def completion(self, run: Run) -> Completion:
        """Return the least that completes a label, for every value of every variable.

        What an assignment with a value costs at least, less what the value's subtree costs at least.
        """
        buckets, messages = self._buckets, self._messages
        through = downward(buckets, messages, self._children, run)
        never = buckets.graph.forbidden
        least = {}
        for x, total in enumerate(through):
            inside = buckets.own(x).values
            for child in self._children[x]:
                inside = buckets.maths.add(inside, messages[child].values)
            least[x] = np.where(total >= never, never, total - inside)
        return Completion(self.weights, least, never)


def weighted(graphs: Sequence[CostGraph], weights: Sequence[int], usages: Sequence[Usage] = ()) -> CostGraph:
    """Return the graph whose objective is a weighted sum of criteria and usages, without capacities."""
    first, names = graphs[0], [f"coordinate {j}" for j in range(len(weights))]
    chosen = [(name, weight != 0) for name, weight in zip(names, weights, strict=True)]
    costs = [(name, graph) for (name, counts), graph in zip(chosen, graphs, strict=False) if counts]
    used = [(name, usage) for (name, counts), usage in zip(chosen[len(graphs) :], usages, strict=True) if counts]
    unary = tuple(
        {name: graph.unary_costs[x] for name, graph in costs} | {name: TableUnary(usage.own[x]) for name, usage in used}
        for x in range(len(first.variables))
    )
    edges = tuple(Edge(*pair, {name: graph.edge_costs[pair] for name, graph in costs}) for pair in first.edge_costs)
    objective = Objective({name: Fraction(weight) for name, weight in zip(names, weights, strict=True)})
    return CostGraph(first.variables, unary, edges, objective)
