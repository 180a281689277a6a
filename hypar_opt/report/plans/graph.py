"""A plan of a strategy graph on the terminal: what it costs, what is proven, and what memory it takes when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.plan_file import in_full
from hypar_opt.report.gaps import gap
from hypar_opt.report.numbers import in_seconds, share

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.graph_problem import GraphProblem
    from hypar_opt.plan import Plan


def show_graph_plan(console: Console, problem: GraphProblem, plan: Plan) -> None:
    """Print what was found, of how much, and what is proven of it; a node's strategy stands in the plan file only."""
    console.print("\n".join([_found(plan), *_costs(problem, plan), _reduced(problem), *_notes(plan)]))


def _found(plan: Plan) -> str:
    native = f" ({plan.native_status})" if plan.native_status else ""
    return f"{plan.instance}: {plan.status} by {plan.formulation} in {in_seconds(plan.runtime_s)}{native}"


def _costs(problem: GraphProblem, plan: Plan) -> list[str]:
    if plan.strategies is None or plan.objective is None:
        return []
    return [f"cost {in_full(plan.objective)}{gap(problem.aim, plan)}", _memory(problem, plan)]


def _memory(problem: GraphProblem, plan: Plan) -> str:
    limit, peak = problem.instance.usage_limit, int(plan.statistics["memory_peak"])
    when = f", at time {plan.statistics['memory_peak_time']}" if peak else ""
    return f"memory at most {peak:,} of {limit:,} ({share(peak, limit)}){when}"


def _reduced(problem: GraphProblem) -> str:
    graph = problem.instance
    whole = f"{graph.nodes:,} nodes, {graph.edges:,} edges, {len(graph.costs):,} strategies"
    if problem.refuted is not None or not problem.presolved:
        return whole
    tables = problem.reduction.tables
    left = f"{tables.count:,} variables, {len(tables.ends):,} edges, {len(tables.unary):,} values"
    return f"{whole}; presolve leaves {left}, {tables.memory.rows:,} time(s) at which memory may bind"


def _notes(plan: Plan) -> list[str]:
    return [f"note: {plan.note}"] if plan.note else []
