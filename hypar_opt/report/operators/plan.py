"""A plan of operators on the terminal: operators and axes, what collectives it means, and what these move."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.cost.operators.domains import FORWARD, GRADIENT, KEPT, STORAGE
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import gap, in_bytes
from hypar_opt.report.objective import objective_line
from hypar_opt.report.operators.again import again_text
from hypar_opt.report.operators.array import axes_text
from hypar_opt.report.operators.blocks import ONCE, RepeatedBlocks
from hypar_opt.report.operators.collectives import Moved, collective_rows, total_rows
from hypar_opt.report.operators.links import group_rows, group_traffic, kind_rows, placement_text
from hypar_opt.report.operators.memory import memory_document, memory_rows
from hypar_opt.report.operators.peak import memory_line
from hypar_opt.report.operators.regrets import regret_cells, uniqueness
from hypar_opt.report.operators.times import time_rows
from hypar_opt.report.overlap import overlap_document, overlap_line
from hypar_opt.report.plan_costs import cost_lines
from hypar_opt.report.strategy_graph import found_line
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from hypar_opt.evaluation.operators import OperatorStep
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.regrets import Explanation, Regret

DISPENSABLE: Final = ("calls",)
"""Columns that narrow terminals go without before others are folded."""
MOST_ROWS: Final = 200
"""Of a table that is not shown whole."""
NO_REGRETS: Final[Mapping[str, Regret | None]] = MappingProxyType({})
LYING: Final = {FORWARD: "lies", GRADIENT: "its gradient lies"}
"""By the end of a name, what the word of a tensor that several read is about."""


def show_operator_plan(
    console: Console,
    problem: OperatorProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, a row an operator and a column an axis, and the collectives that it means.

    Parameters
    ----------
    every_row
        Whether every block that is repeated has rows of its own, and nothing is left out.
    """
    asked, problem = problem, problem.standing_as(plan)
    step = None if plan.strategies is None else problem.step(plan.strategies)
    console.print(headline(problem, plan, step))
    if plan.strategies is None or step is None:
        return
    graph = problem.instance.graph
    blocks = RepeatedBlocks(graph, step.alike)
    if every_row:
        blocks = RepeatedBlocks(type(graph)(graph.tensors, graph.operators))
    regrets = {} if explanation is None else explanation.regrets
    _show(console, "", strategy_rows(problem, plan.strategies, blocks, regrets), every_row)
    shared = shared_rows(problem, plan.strategies, blocks, regrets)
    _show(console, "tensors that several operators read", shared, every_row)
    if explanation is not None:
        console.print(uniqueness(asked, explanation))
    moved = Moved.of(step, blocks)
    _show(
        console, "collectives, and the bytes that all devices receive", collective_rows(moved, graph, blocks), every_row
    )
    _show(console, "in a training step", total_rows(moved), every_row)
    _show(console, "kept on each device", memory_rows(step, blocks), every_row)
    _show(console, "seconds of a training step", time_rows(step), every_row)
    if step.together is not None:
        console.print(overlap_line(step.together))
    _show(console, "exchanges within groups, and the links they cross", group_rows(step), every_row)
    _show(console, "links, both directions", kind_rows(step.crossed), every_row)


def operator_plan_document(problem: OperatorProblem, plan: Plan) -> dict[str, Any]:
    """Return a plan's file, the bytes that it moves by kind, axis and phase, and its memory's peak, all exact."""
    document = plan_document(plan)
    if plan.strategies is not None:
        step = problem.standing_as(plan).step(plan.strategies)
        document["collectives"] = Moved(step.movements).totals()
        document["memory"] = memory_document(step)
        if step.together is not None:
            document["step"] = {"overlap": overlap_document(step.together)}
        if step.crossed is not None:
            document["groups"] = [
                {"along": one.groups, "bytes": exact(one.bytes), "hop_bytes": exact(one.hops)}
                for one in group_traffic(step)
            ]
    return document


def headline(problem: OperatorProblem, plan: Plan, step: OperatorStep | None = None) -> str:
    """Return what was found, what is proven of it, and on which devices.

    Parameters
    ----------
    problem, plan
        Of which problem which plan.
    step
        The plan's training step, if that is known already.
    """
    problem = problem.standing_as(plan)
    partition = problem.instance.partition
    lines = [found_line(plan)]
    weighed = problem.objective.components != (COMMUNICATION,) or problem.instance.bounds
    if plan.communication_bytes is not None:
        said = f"{in_bytes(plan.communication_bytes)} ({in_full(plan.communication_bytes)} bytes)"
        lines.append(f"communication {said}{'' if weighed else gap(problem.objective, plan)}")
        if weighed:
            lines.append(objective_line(problem, plan))
    lines += cost_lines({name: cost for name, cost in plan.costs.items() if name != COMMUNICATION})
    lines.append(f"{partition.leaves:,} devices: {axes_text(partition)}")
    lines += filter(None, [placement_text(problem)])
    if plan.strategies is not None:
        step = step or problem.step(plan.strategies)
        lines.append(memory_line(step.peak, problem.memory))
        lines += filter(None, [again_text(plan.strategies)])
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def _show(console: Console, title: str, rows: list[dict[str, Any]], every_row: bool) -> None:
    if not rows:
        return
    if title:
        console.print(f"\n{title}")
    shown = rows if every_row else rows[:MOST_ROWS]
    show_folded(console, shown, DISPENSABLE)
    if len(rows) > len(shown):
        console.print(f"... and {len(rows) - len(shown):,} more rows; --all shows them")


def _entries(problem: OperatorProblem, word: str) -> dict[str, str]:
    """Return a word's entries by axis, with the axes' sizes."""
    axes = problem.instance.partition.axes
    return {f"{axis.name} ({axis.size})": one for axis, one in zip(axes, word.split(), strict=True)}


def strategy_rows(
    problem: OperatorProblem,
    strategies: Mapping[str, str],
    blocks: RepeatedBlocks,
    regrets: Mapping[str, Regret | None] = NO_REGRETS,
) -> list[dict[str, Any]]:
    """Return a row an operator, of equal ones in neighbouring blocks one together: a column an axis."""
    stored = any(name.endswith(STORAGE) for name in strategies)
    kept = any(name.endswith(KEPT) for name in strategies)
    items = [
        (
            one.name,
            (
                one.kind,
                strategies[one.name],
                strategies.get(one.name + STORAGE, ""),
                strategies.get(one.name + KEPT, ""),
            ),
        )
        for one in blocks.operators
    ]
    return [
        {
            "operator": one.label,
            "kind": one.value[0],
            **_entries(problem, one.value[1]),
            **({"parameters": one.value[2]} if stored else {}),
            **({"kept": one.value[3]} if kept else {}),
            **regret_cells(problem, regrets, one.names),
        }
        for one in blocks.folded(items, blocks.spread or ONCE)
    ]


def shared_rows(
    problem: OperatorProblem,
    strategies: Mapping[str, str],
    blocks: RepeatedBlocks,
    regrets: Mapping[str, Regret | None] = NO_REGRETS,
) -> list[dict[str, Any]]:
    """Return a row a placement of a tensor that several operators read."""
    items = [
        (name.removesuffix(end), (end, word))
        for name, word in strategies.items()
        for end in LYING
        if name.endswith(end) and blocks.tells_of(name.removesuffix(end))
    ]
    return [
        {
            "tensor": one.label,
            "": LYING[one.value[0]],
            **_entries(problem, one.value[1]),
            **regret_cells(problem, regrets, [name + one.value[0] for name in one.names]),
        }
        for one in blocks.folded(items, blocks.spread or ONCE)
    ]
