"""What the joint formulations share: what they accept, pairs of strategies and sites, and what they claim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.costgraph import WordEdge
from hypar_opt.costgraph.word_unary import WordUnary
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.placement import JointGraph
    from hypar_opt.formulation.incumbent import Incumbent


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
                f"what '{first}' and '{second}' exchange is not a sum over levels, so that "
                "no level's weight applies to it; try the accounting published or receiver"
            )
    return None


@dataclass(frozen=True)
class Pairs:
    """Strategies and sites as choices in one: first the values, then the sites.

    Parameters
    ----------
    graph
        The problem.
    """

    graph: JointGraph

    def split(self, choices: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the values and the sites."""
        layers = len(self.graph.parallelism.variables)
        return tuple(choices[:layers]), tuple(choices[layers:])

    def translated(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return choices of equal cost with the lowest site at leaf 0."""
        plan, placed = self.split(choices)
        shift = placed.index(min(placed))
        return (*plan, *(placed[leaf ^ shift] for leaf in range(len(placed))))

    def feasible(self, choices: Sequence[int], /) -> bool:
        """Return whether there are so many, each is there, and both kinds are allowed."""
        plan, placed = self.split(choices)
        sizes = [variable.size for variable in self.graph.parallelism.variables]
        inside = len(plan) == len(sizes) and all(0 <= one < size for one, size in zip(plan, sizes, strict=True))
        return inside and self.graph.parallelism.feasible(plan) and self.graph.placement.feasible(placed)

    def value(self, choices: Sequence[int], /) -> int:
        """Return what they cost together."""
        return self.graph.value(*self.split(choices))


def conclude(
    best: Incumbent,
    bound: int | None,
    native: str,
    note: str = "",
    facts: Mapping[str, int | float | str] | None = None,
) -> Solution:
    """Return the Solution: OPTIMAL where the best pair costs what is proven to be the least, never otherwise."""
    if best.choices is None:
        return Solution(Status.NO_SOLUTION, None, bound, native, note, facts or {})
    optimal = bound is not None and best.value is not None and bound >= best.value
    status = Status.OPTIMAL if optimal else Status.FEASIBLE
    return Solution(status, best.choices, best.value if optimal else bound, native, note, facts or {})
