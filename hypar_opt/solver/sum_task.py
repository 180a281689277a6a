"""A task whose choices are values of a CostGraph's variables, one each: what its cost is, and what is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.solver.problem import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph


class SumTask(Task):
    """What a formulation decides where the problem is a sum over a CostGraph."""

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        raise NotImplementedError

    @property
    def unit(self) -> int:
        """Of the objective, over one common denominator."""
        return self.graph.objective.denominator

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Layers and words."""
        return [(f"'{variable.name}'", variable.size) for variable in self.graph.variables]
