"""A plan for accelerators of several kinds on the terminal: its shares, its grid, and who waits for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.mixed import communication_bytes
from hypar_opt.instance.objective.components import COMMUNICATION, TIME
from hypar_opt.instance.shares import GridShares
from hypar_opt.report.console import show_folded
from hypar_opt.report.grid import show_grid
from hypar_opt.report.mixed.array import own_shares_text, share_lines
from hypar_opt.report.mixed.classes import class_rows, classes_document, wait_rows, waiting_lines
from hypar_opt.report.mixed.step import MixedStep
from hypar_opt.report.numbers import in_bytes, in_component
from hypar_opt.report.objective import objective_line
from hypar_opt.report.plan_costs import cost_lines, level_row, show_numbers
from hypar_opt.report.plan_rows import PlanGrid
from hypar_opt.report.strategy_graph import found_line
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.regrets import Explanation


def show_mixed_plan(
    console: Console,
    problem: MixedProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, the shares, a row a layer, the bytes of every level, and what every class does.

    Parameters
    ----------
    every_row
        Whether every layer has a row of its own.
    """
    console.print(headline(problem, plan))
    if plan.strategies is None:
        return
    step, breakdown = MixedStep.of(problem, plan), bytes_of(problem, plan)
    own = own_shares(problem, plan)
    show_grid(console, PlanGrid(problem, plan.strategies, breakdown, explanation, every_row, own))
    partition = problem.array.partition
    show_numbers(console, [level_row(breakdown, partition, h) for h in range(partition.levels)])
    console.print("\nseconds of a step, and what stays in the memory, of one accelerator of each class")
    show_folded(console, class_rows(step))
    waits = wait_rows(step)
    if waits:
        console.print("\nseconds of work before every wait")
        show_folded(console, waits)
    console.print("\n".join(waiting_lines(step)))


def bytes_of(problem: MixedProblem, plan: Plan) -> Breakdown:
    """Return what all groups read, by layer, boundary and level.

    Raises
    ------
    ValueError
        If there are no strategies.
    """
    step = MixedStep.of(problem, plan)
    return communication_bytes(step.work, step.strategies, step.shares, step.setting)


def own_shares(problem: MixedProblem, plan: Plan) -> dict[str, str]:
    """Return by layer the shares that it has of its own; nothing where a split has one for all."""
    if not isinstance(problem.instance.shares, GridShares):
        return {}
    return {layer.name: own_shares_text(problem.array, plan.shares, layer.name) for layer in problem.work.layers}


def headline(problem: MixedProblem, plan: Plan) -> str:
    """Return what was found, what is proven of it, and the share of every split."""
    lines = [found_line(plan)]
    if plan.communication_bytes is not None:
        lines.append(objective_line(problem, plan))
        lines.append(f"communication {in_bytes(plan.communication_bytes)} ({in_full(plan.communication_bytes)} bytes)")
        if not problem.is_of_time:
            lines.append(f"time {in_component(TIME, plan.costs[TIME])}")
        lines += cost_lines({name: cost for name, cost in plan.costs.items() if name not in (COMMUNICATION, TIME)})
    if plan.placement is not None:
        lines.append(f"placement {' '.join(plan.placement)}")
    if plan.strategies is not None:
        lines += share_lines(problem.array, plan.shares, plan.strategies)
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def mixed_plan_document(problem: MixedProblem, plan: Plan) -> dict[str, Any]:
    """Return a plan's file, and what every class of accelerators does, exact."""
    document = plan_document(plan)
    if plan.strategies is not None:
        document["step"] = classes_document(MixedStep.of(problem, plan))
    return document
