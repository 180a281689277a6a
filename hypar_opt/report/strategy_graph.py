"""Strategy graphs in numbers, and their plans on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Tables
from hypar_opt.evaluation.strategy_graph import least_use
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph
from hypar_opt.report.console import show
from hypar_opt.report.numbers import gap, in_seconds, share
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from hypar_opt.solver.graph_problem import GraphProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.regrets import Explanation


def size_of(graph: StrategyGraph) -> dict[str, int]:
    """Return how many nodes and so on a graph has, parallel edges each for itself; moments: at which nodes begin."""
    starts, ends = graph.intervals[:, 0], graph.intervals[:, 1]
    return {
        "nodes": graph.nodes,
        "strategies": len(graph.costs),
        "edges": graph.edges,
        "entries": len(graph.edge_costs),
        "forbidden": int((graph.costs >= FORBIDDEN_COST).sum() + (graph.edge_costs >= FORBIDDEN_COST).sum()),
        "moments": len(np.unique(starts[starts < ends])),
    }


def size_of_tables(tables: Tables) -> dict[str, int]:
    """Return the same of tables; moments: rows of the memory."""
    return {
        "nodes": tables.count,
        "strategies": len(tables.unary),
        "edges": len(tables.ends),
        "entries": len(tables.edges),
        "forbidden": int((tables.unary >= FORBIDDEN).sum() + (tables.edges >= FORBIDDEN).sum()),
        "moments": tables.memory.rows,
    }


def graph_document(problem: GraphProblem) -> dict[str, Any]:
    """Return a strategy graph's sizes, and the memory that any plan needs, for machines."""
    graph = problem.instance
    time, needed = least_use(graph)
    sizes = {"as read": size_of(graph), "compiled": size_of_tables(problem.tables)}
    if problem.refuted is None:
        sizes["presolved"] = size_of_tables(problem.reduction.tables)
    return {
        "name": graph.name,
        "sha256": graph.sha256,
        "sizes": sizes,
        "infeasible": problem.refuted,
        "memory": {"limit": graph.usage_limit, "least_peak": needed, "time": time},
    }


def show_graph(console: Console, document: Mapping[str, Any]) -> None:
    """Print what the document says."""
    memory = document["memory"]
    limit, needed = memory["limit"], memory["least_peak"]
    show(console, [{document["name"]: stage, **size} for stage, size in document["sizes"].items()])
    if memory["time"] is not None:
        console.print(
            f"memory: any plan uses at least {in_full(needed)} of {in_full(limit)} ({share(needed, limit)}) "
            f"at time {memory['time']}"
        )
    if document["infeasible"] is not None:
        console.print(f"there is no plan: {document['infeasible']}")


def show_graph_plan(
    console: Console,
    problem: GraphProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, of how much, and what is proven of it; a node's strategy stands in the plan file only."""
    note = [f"note: {plan.note}"] if plan.note else []
    console.print("\n".join([found_line(plan), *_costs(problem, plan), _reduced(problem), *note]))


def found_line(plan: Plan) -> str:
    """Return what was found by whom, and how long that took."""
    what = "placement " if plan.decided == "placement" else ""
    native = f" ({plan.native_status})" if plan.native_status else ""
    return f"{plan.instance}: {what}{plan.status} by {plan.formulation} in {in_seconds(plan.runtime_s)}{native}"


def _costs(problem: GraphProblem, plan: Plan) -> list[str]:
    if plan.strategies is None or plan.objective is None:
        return []
    limit, peak = problem.instance.usage_limit, int(plan.statistics["memory_peak"])
    when = f", at time {plan.statistics['memory_peak_time']}" if peak else ""
    memory = (
        [f"memory at most {peak:,} of {limit:,} ({share(peak, limit)}){when}"] if limit else []
    )  # else none is used
    return [f"cost {in_full(plan.objective)}{gap(problem.objective, plan)}", *memory]


def _reduced(problem: GraphProblem) -> str:
    graph = problem.instance
    whole = f"{graph.nodes:,} nodes, {graph.edges:,} edges, {len(graph.costs):,} strategies"
    if problem.refuted is not None or not problem.presolved:
        return whole
    tables = problem.reduction.tables
    left = f"{tables.count:,} variables, {len(tables.ends):,} edges, {len(tables.unary):,} values"
    return f"{whole}; presolve leaves {left}, {tables.memory.rows:,} time(s) at which memory may bind"
