"""What formulations decide of a mixed array's problem: the words, by bytes or by a weighted sum of seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.solver.problem import Decoded, Start
from hypar_opt.solver.sum_task import SumTask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.solver.mixed.costs import MixedCosts
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True)
class MixedTask(SumTask):
    """The words at given shares.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: MixedCosts

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the strategies."""
        return self.problem.strategies(choices), None

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the strategies' choices."""
        return None if start.strategies is None else self.problem.encoded(start.strategies)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recounted, and what is wrong with it."""
        value = self.value(choices)
        strategies, _ = self.decode(choices)
        plan, recounted, fault = self.problem.recounted(strategies, plan)
        if fault is None and recounted * self.unit != value:
            fault = f"the boxes give {recounted}, the cost model {Fraction(value, self.unit)}"
        return replace(plan, objective=Fraction(value, self.unit)), fault


@dataclass(frozen=True)
class TableTask(MixedTask):
    """Words of tables that say what plans cost at least in a box of shares: what they cost is recounted elsewhere."""

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are."""
        strategies, _ = self.decode(choices)
        return replace(plan, strategies=strategies, objective=Fraction(self.value(choices), self.unit)), None


@dataclass(frozen=True)
class MixedFrontTask(MixedTask):
    """Words at given shares whose costs are traded, one sum for another; the objective is only told of each plan.

    Parameters
    ----------
    criteria
        The components.
    """

    criteria: tuple[str, ...]

    @cached_property
    def graphs(self) -> tuple[CostGraph, ...]:
        """One a component, which is charged alone."""
        compiled, box = self.problem.compiled, self.problem.box
        return tuple(compiled.limited(compiled.sum_graph(box.low, {name: Fraction(1)}), box) for name in self.criteria)

    @property
    def graph(self) -> CostGraph:
        """The first of them: all have the same variables, edges and capacities."""
        return self.graphs[0]

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recounted, and what is wrong with it."""
        strategies, _ = self.decode(choices)
        shares = self.problem.box.low
        plan = self.problem.complete(plan, strategies, shares)
        return replace(plan, objective=self.problem.combined(plan.costs)), self.problem.fault_of(strategies, shares)
