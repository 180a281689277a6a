"""What formulations decide where bits are chosen beside strategies, and the way back to plans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.instance.objective.components import PLACED, depends_on
from hypar_opt.solver.network_tasks import idle_text, with_uneven
from hypar_opt.solver.sum_task import SumTask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.evaluation.precision import JudgedPrecision
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.precision_compiled import CompiledPrecision
    from hypar_opt.solver.problem import Decoded, Start


@dataclass(frozen=True)
class PrecisionTask(SumTask):
    """Every layer's word and bits.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: CompiledPrecision

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the entries as text; the placement is the given one."""
        return self.problem.strategies(choices), self.problem.evaluator.placed

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a search can begin with, if any."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recounted tensor by tensor, and what is wrong with it."""
        problem, evaluator = self.problem, self.problem.evaluator
        strategies, placed = self.decode(choices)
        judged = problem.judged(strategies)
        names = None if placed is None else tuple(evaluator.instance.machine.accelerators[site] for site in placed)
        plan = replace(
            plan,
            strategies=strategies,
            communication_bytes=judged.breakdown.total,
            placement=names,
            costs=judged.costs,
        )
        plan = with_uneven(plan, evaluator.uneven_splits(judged.words), idle_text(evaluator))
        fault = judged.fault
        if fault is None and not self.feasible(choices):
            fault = "every choice is allowed and fits, and the compiled costs forbid the plan"
        plan, wrong = self.charged(plan, choices, judged)
        return plan, fault or wrong

    def charged(self, plan: Plan, choices: Sequence[int], judged: JudgedPrecision) -> tuple[Plan, str | None]:
        """Return a plan with its objective, and what is wrong with the graph's cost of it, or None."""
        value, found = Fraction(self.graph.value(choices), self.unit), judged.objective(self.problem.weights)
        return replace(plan, objective=value), None if value == found else f"tensors give {found}, the costs {value}"


@dataclass(frozen=True)
class PrecisionFront(PrecisionTask):
    """Words and bits whose costs are traded, one component for another; the objective is only told of each plan.

    Parameters
    ----------
    criteria
        The components.
    """

    criteria: tuple[str, ...]

    @cached_property
    def graphs(self) -> tuple[CostGraph, ...]:
        """One a component, which is charged alone."""
        return tuple(self.problem.weighing({name: Fraction(1)}) for name in self.criteria)

    @property
    def graph(self) -> CostGraph:
        """The first of them: all have the same variables, edges and capacities."""
        return self.graphs[0]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the entries; the placement is the given one, where any component depends on it."""
        strategies, placed = super().decode(choices)
        on_links = any(depends_on(name, PLACED) for name in self.criteria)
        return strategies, self.problem.instance.placement if on_links else placed

    def charged(self, plan: Plan, choices: Sequence[int], judged: JudgedPrecision) -> tuple[Plan, str | None]:
        """Return a plan with its objective, and where a component's graph charges another cost."""
        for name, graph in zip(self.criteria, self.graphs, strict=True):
            value = Fraction(graph.value(choices), graph.objective.denominator)
            if judged.costs[name] != value:
                return plan, f"it costs {judged.costs[name]} {name}, the costs say {value}"
        placement = plan.placement if self.problem.instance.is_placed else None  # which the objective depends on
        return replace(plan, placement=placement, objective=judged.objective(self.problem.weights)), None
