"""A part of a problem that is solved apart, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.costgraph import Duals, Priced, graph_of
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.presolve import Component


@dataclass(eq=False)
class Part:
    """A component, and what is known of it.

    Parameters
    ----------
    name
        For phases and reasons.
    component, graph
        Which, and what formulations read of it.
    priced
        The best prices that were handed over.
    bound
        What no plan of it costs less than; nothing costs less than 0.
    choices, value
        The best plan, and what it costs; None without one.
    solution
        The last answer of a formulation.
    """

    name: str
    component: Component
    graph: CostGraph
    priced: Priced
    bound: int = 0
    choices: tuple[int, ...] | None = None
    value: int | None = None
    solution: Solution | None = None

    @staticmethod
    def of(name: str, component: Component) -> Part:
        """Begin with the prices that say nothing.

        Raises
        ------
        ValueError
            If not all least costs of the component are 0.
        """
        graph, shift = graph_of(component.tables)
        if shift:
            raise ValueError(f"{name}: not all least costs are 0")
        return Part(name, component, graph, Priced(graph.tables, Duals.zero(graph.tables)))

    @property
    def sizes(self) -> list[tuple[str, int]]:
        """Variables and values, by the numbers in the whole."""
        both = zip(self.component.variables.tolist(), self.component.tables.sizes.tolist(), strict=True)
        return [(f"variable {number}", size) for number, size in both]

    def fault(self, solution: Solution) -> str | None:
        """Return what is wrong with an answer, or None; where all costs are added up two faults might cancel out."""
        if solution.choices is not None and not self.graph.tables.fits(solution.choices):
            return "the plan breaks a limit of the reduced problem"
        if self.value is not None and self.bound > self.value:
            return f"the bound {self.bound} is above the plan's cost {self.value}"
        if self.value is not None and solution.status is Status.INFEASIBLE:
            return f"claims INFEASIBLE, and there is a plan of cost {self.value}"
        if solution.status is Status.OPTIMAL and solution.bound != self.value:
            return f"claims OPTIMAL with cost {self.value} and bound {solution.bound}"
        return None
