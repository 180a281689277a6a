"""A plan on the terminal: the grid of layers and levels, where the bytes go, and the regrets."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rich.text import Text

from hypar_opt.instance.choices import CHOICES
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.console import fits, terminal_table
from hypar_opt.report.numbers import gap, in_bytes
from hypar_opt.report.objective import objective_line
from hypar_opt.report.operators.plan import operator_plan_document, show_operator_plan
from hypar_opt.report.plan_costs import (
    cost_lines,
    explanation_document,
    level_row,
    regrets_document,
    show_levels,
    show_numbers,
    show_placement,
)
from hypar_opt.report.plan_rows import NONE, SPACED, PlanGrid, regret_text
from hypar_opt.report.strategy_graph import found_line, show_graph_plan
from hypar_opt.report.tables import Column, Entry, text_table
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console
    from rich.table import Table

    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.regrets import Explanation

Columns: TypeAlias = "dict[str, list[str]]"
"""By heading."""
STYLES = {one.letter: one.style for one in CHOICES.values()}
MOST_ROWS = 200
WORDS = ("levels", "second best")
NUMBERS = ("intra", "inter before", "its regret")
"""Columns of letters, and those on the right."""


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
    shown = len(grid.rows) if every_row else MOST_ROWS
    _show_grid(console, grid.columns(shown))
    rest = sum(map(len, grid.rows[shown:]))
    if rest > 0:
        console.print(f"... and {rest:,} more layers; write them to a file with -o")
    if grid.note:
        console.print(grid.note)
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


def _show_grid(console: Console, columns: Columns) -> None:
    """Print the grid; where the terminal is too narrow, without the columns that matter least, and say so."""
    hidden = []
    for name in DISPENSABLE:
        if fits(console, table_of(columns)):
            break
        if name in columns:
            hidden.append(name)
            del columns[name]
    console.print(table_of(columns))
    if hidden:
        console.print(f"(too narrow for: {', '.join(reversed(hidden))})")


def table_of(columns: Columns) -> Table:
    """Return a table whose numbers and short words are never folded or cut."""
    options: dict[str, dict[str, Any]] = {}
    for name, cells in columns.items():
        widest = max((len(cell) for cell in (name, *cells)), default=0)
        long = name in WORDS and widest > 2 * SPACED
        least = 2 * SPACED if long else widest
        options[name] = {"no_wrap": not long, "overflow": "fold", "min_width": least}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return terminal_table(text_table(rows, NUMBERS, tuple(columns)), cell=_coloured, options=options)


def _coloured(column: Column, entry: Entry) -> Text | str:
    """Return a cell; of words each letter has its colour."""
    text = str(entry.value)
    if column.key not in WORDS or text == NONE:
        return text
    return Text.assemble(*((part, STYLES.get(part[0], "")) for part in re.findall(r"\S\s?", text)))


DISPENSABLE = ("inter before", "intra", "kind", "its regret", "second best")
"""Columns in the order in which a narrow terminal loses them."""


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
    {"network": _show_network_plan, "strategy-graph": show_graph_plan, "operators": show_operator_plan}
)
"""By kind of problem, what prints its plans."""


def _document(_: Problem, plan: Plan) -> dict[str, Any]:
    return plan_document(plan)


DOCUMENTS: Final[Mapping[str, Callable[[Any, Plan], dict[str, Any]]]] = MappingProxyType(
    {"network": _document, "strategy-graph": _document, "operators": operator_plan_document}
)
"""By kind of problem, what machines are told of its plans."""
EXPLANATIONS: Final[Mapping[str, Callable[[Any, Explanation], dict[str, Any]]]] = MappingProxyType(
    {"network": explanation_document, "operators": regrets_document}
)
"""By kind of problem, what machines are told of what explains its plans."""
