"""Strategy graphs in numbers: as read, as compiled, and what presolve leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph import FORBIDDEN
from hypar_opt.plan_file import in_full
from hypar_opt.report.listing import show
from hypar_opt.report.numbers import share
from hypar_opt.strategy_graph import FORBIDDEN_COST
from hypar_opt.strategy_graph.judging import least_use

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from hypar_opt.costgraph import Tables
    from hypar_opt.graph_problem import GraphProblem
    from hypar_opt.strategy_graph import StrategyGraph


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
