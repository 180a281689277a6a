"""A plan on the terminal: the grid of layers and levels, where the bytes go, and the regrets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.grid import show_grid
from hypar_opt.report.numbers import gap, in_bytes
from hypar_opt.report.objective import objective_line
from hypar_opt.report.plan_costs import (
    cost_lines,
    explanation_document,
    level_row,
    regrets_document,
    show_levels,
    show_numbers,
    show_placement,
)
from hypar_opt.report.plan_rows import PlanGrid, regret_text
from hypar_opt.report.strategy_graph import found_line, show_graph_plan
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.lazy import deferred
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console

    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.regrets import Explanation


def show_plan(
    console: Console,
    problem: Problem,
    plan: Plan,
    explanation: Explanation | None = None,
    *,
    every_row: bool = False,
) -> None:
    """Print a plan; with an explanation, beside it where its bytes go and what other strategies cost.

    Parameters
    ----------
    every_row
        Whether every layer has a row of its own, where else neighbours with equal strategies share one.
    """
    VIEWS[problem.kind](console, problem, plan, explanation, every_row)


def _show_network_plan(
    console: Console, problem: NetworkProblem, plan: Plan, explanation: Explanation | None, every_row: bool
) -> None:
    console.print(headline(problem, plan))
    if plan.strategies is None:
        return
    breakdown = problem.bytes_of(plan.strategies)
    grid = PlanGrid(problem, plan.strategies, breakdown, explanation, every_row)
    show_grid(console, grid)
    if plan.placement is not None:
        show_placement(console, problem, plan.placement)
        show_levels(console, problem, plan.placement, breakdown)
    else:
        partition = problem.instance.partition
        show_numbers(console, [level_row(breakdown, partition, h) for h in range(partition.levels)])
    if explanation is not None:
        console.print(uniqueness(problem, explanation))


def headline(problem: NetworkProblem, plan: Plan) -> str:
    """Return what was found and what is proven of it."""
    lines = [found_line(plan)]
    if plan.communication_bytes is not None:
        exact = f"{in_full(plan.communication_bytes)} bytes"
        above = gap(problem.objective, plan)
        lines.append(f"communication {in_bytes(plan.communication_bytes)} ({exact}){'' if plan.costs else above}")
        if plan.costs:
            lines.append(objective_line(problem, plan))
            lines += cost_lines({name: cost for name, cost in plan.costs.items() if name != COMMUNICATION})
    if plan.strategies is not None and problem.memory is not None:
        kept = sum(problem.resident(plan.strategies).values(), start=Fraction(0))
        limit = Fraction(problem.memory.limit, problem.memory.unit)
        lines.append(f"memory {in_bytes(kept)} of {in_bytes(limit)} on each accelerator")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def _dearer(explanation: Explanation) -> str:
    """Return what is true of all other strategies of every layer."""
    return "costs more, or is not allowed" if None in explanation.regrets.values() else "costs more"


def uniqueness(problem: NetworkProblem, explanation: Explanation) -> str:
    """Return what the regrets say of the plan as a whole, and which formulation they come from."""
    if explanation.missing:
        return f"no regrets: {explanation.missing}"
    costs = [regret.cost for regret in explanation.regrets.values() if regret is not None]
    if costs and min(costs) < 0:
        return f"not optimal: {explanation.source} knows a plan that saves {_saved(problem, explanation)}"
    if problem.is_free:
        are = _dearer(explanation) if explanation.unique else "costs more, or as much where a regret is 0"
        return f"regrets are for this placement, by {explanation.source}: every other strategy of any layer {are}"
    by = f"by {explanation.source}'s regrets"
    if explanation.unique:
        return f"{by} the plan is the unique optimum: every other strategy of any layer {_dearer(explanation)}"
    return f"{by} the optimum is not unique: where one is 0, the layer can choose otherwise"


def _saved(problem: NetworkProblem, explanation: Explanation) -> str:
    """Return what the best plan that regrets come from saves."""
    least = min((one for one in explanation.regrets.values() if one is not None), key=lambda one: one.cost)
    return regret_text(
        problem, replace(least, cost=-least.cost, costs={name: -one for name, one in least.costs.items()})
    )


VIEWS: Final[Mapping[str, Callable[[Console, Any, Plan, Explanation | None, bool], None]]] = MappingProxyType(
    {
        "network": _show_network_plan,
        "strategy-graph": show_graph_plan,
        "operators": deferred("hypar_opt.report.operators.plan", "show_operator_plan"),
        "mixed": deferred("hypar_opt.report.mixed.plan", "show_mixed_plan"),
        "pipeline": deferred("hypar_opt.report.pipeline", "show_pipeline_plan"),
        "staged": deferred("hypar_opt.report.staged.plan", "show_staged_plan"),
        "precision": deferred("hypar_opt.report.precision.plan", "show_precision_plan"),
        "collective": deferred("hypar_opt.report.collective.plan", "show_schedule"),
        "packing": deferred("hypar_opt.report.collective.packing", "show_packing"),
        "task-graph": deferred("hypar_opt.report.tasks.plan", "show_task_plan"),
    }
)
"""By kind of problem, what prints its plans."""


def _document(_: Problem, plan: Plan) -> dict[str, Any]:
    return plan_document(plan)


DOCUMENTS: Final[Mapping[str, Callable[[Any, Plan], dict[str, Any]]]] = MappingProxyType(
    {
        "network": _document,
        "strategy-graph": _document,
        "operators": deferred("hypar_opt.report.operators.plan", "operator_plan_document"),
        "mixed": deferred("hypar_opt.report.mixed.plan", "mixed_plan_document"),
        "pipeline": deferred("hypar_opt.report.pipeline", "pipeline_plan_document"),
        "staged": deferred("hypar_opt.report.staged.plan", "staged_plan_document"),
        "precision": deferred("hypar_opt.report.precision.plan", "precision_plan_document"),
        "collective": deferred("hypar_opt.report.collective.plan", "schedule_document"),
        "packing": deferred("hypar_opt.report.collective.packing", "packing_document"),
        "task-graph": deferred("hypar_opt.report.tasks.plan", "task_plan_document"),
    }
)
"""By kind of problem, what machines are told of its plans."""
EXPLANATIONS: Final[Mapping[str, Callable[[Any, Explanation], dict[str, Any]]]] = MappingProxyType(
    {
        "network": explanation_document,
        "operators": regrets_document,
        "pipeline": deferred("hypar_opt.report.stage_regrets", "stage_regrets_document"),
    }
)
"""By kind of problem, what machines are told of what explains its plans."""
