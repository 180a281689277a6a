"""What the joint formulations share: what they accept, and the best pair seen so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.costgraph import WordEdge
from hypar_opt.costgraph.word_unary import WordUnary
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.placement import JointGraph
    from hypar_opt.formulation.run import Run


def unsuited(graph: JointGraph) -> str | None:
    """Return why a graph's costs cannot be weighed level by level, or None."""
    plan = graph.parallelism
    if plan.capacities:
        return "it takes no capacity constraints; try cp-sat for the strategies, then placement-cp-sat for the sites"
    for variable, costs in zip(plan.variables, plan.unary, strict=True):
        if variable.words is None or not all(isinstance(cost, WordUnary) for cost in costs.values()):
            return f"the choices of '{variable.name}' have no levels that a placement could weigh; try cp-sat"
        if variable.words.length != graph.levels:
            return f"'{variable.name}' has words of {variable.words.length} levels, the array has {graph.levels}"
    for edge in plan.edges:
        if not all(isinstance(cost, WordEdge) for cost in edge.costs.values()):
            first, second = plan.variables[edge.first].name, plan.variables[edge.second].name
            return (
                f"what '{first}' and '{second}' exchange is not a sum over levels (accounting leaf-exact), so that "
                "no level's weight applies to it; try the accounting published or receiver"
            )
    return None


@dataclass
class Incumbent:
    """The best strategies and sites so far; their value comes from the graph, never from a search.

    Parameters
    ----------
    graph, run
        The problem, and who hears of better pairs.
    choices, placed, value
        The pair, or None.
    """

    graph: JointGraph
    run: Run
    choices: tuple[int, ...] | None = None
    placed: tuple[int, ...] | None = None
    value: int | None = None

    @staticmethod
    def of(graph: JointGraph, run: Run) -> Incumbent:
        """Begin with the start, if there is one and it is allowed."""
        best = Incumbent(graph, run)
        if run.start is not None:
            layers = len(graph.parallelism.variables)
            best.offer(run.start[:layers], run.start[layers:])
        return best

    @property
    def pair(self) -> tuple[int, ...] | None:
        """The choices, then the sites."""
        return None if self.choices is None or self.placed is None else (*self.choices, *self.placed)

    def offer(self, choices: Sequence[int], placed: Sequence[int]) -> bool:
        """Keep and tell of a pair if it is allowed and better; return whether it was."""
        if not (self._fits(choices) and self.graph.parallelism.feasible(choices)):
            return False
        if not self.graph.placement.feasible(placed):
            return False
        value = self.graph.value(choices, placed)
        if self.value is not None and value >= self.value:
            return False
        self.choices, self.placed, self.value = tuple(choices), tuple(placed), value
        self.run.incumbent(value, (*self.choices, *self.placed))
        return True

    def _fits(self, choices: Sequence[int]) -> bool:
        variables = self.graph.parallelism.variables
        inside = all(0 <= choice < variable.size for choice, variable in zip(choices, variables, strict=False))
        return inside and len(choices) == len(variables)


def conclude(
    best: Incumbent,
    bound: int | None,
    native: str,
    note: str = "",
    facts: Mapping[str, int | float | str] | None = None,
) -> Solution:
    """Return the Solution: OPTIMAL where the best pair costs what is proven to be the least, never otherwise."""
    if best.pair is None:
        return Solution(Status.NO_SOLUTION, None, bound, native, note, facts or {})
    optimal = bound is not None and best.value is not None and bound >= best.value
    status = Status.OPTIMAL if optimal else Status.FEASIBLE
    return Solution(status, best.pair, best.value if optimal else bound, native, note, facts or {})
