"""Trees with shares on the terminal: how many each chunk has, and how busy the links are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.collective.plan import about
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import gap, in_bytes, in_component, share
from hypar_opt.report.strategy_graph import found_line
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.evaluation.collective.packing import JudgedPacking
    from hypar_opt.solver.packing_problem import PackingProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.regrets import Explanation

MOST_ROWS: Final = 12
"""Of chunks and of links, unless all are asked for."""


def show_packing(
    console: Console,
    problem: PackingProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, a row a chunk, and the busiest links."""
    judged = None if plan.strategies is None else problem.packed(plan.strategies)
    console.print(packing_headline(problem, plan, judged))
    if judged is None:
        return
    show_folded(console, shortened(chunk_rows(judged), "chunk", every_row=every_row))
    show_folded(console, shortened(busy_rows(judged), "link", every_row=every_row))


def packing_headline(problem: PackingProblem, plan: Plan, judged: JudgedPacking | None = None) -> str:
    """Return what was found, what the busiest link takes, and what is proven of it.

    Parameters
    ----------
    judged
        What is true of the plan, where that is known.
    """
    lines = [found_line(plan), about(problem.instance)]
    if plan.objective is not None:
        speed = problem.instance.bytes_ / plan.objective
        time = f"{in_component(TIME, plan.objective)}{gap(problem.objective, plan)}"
        lines.append(f"{time} by bandwidth alone, {in_bytes(speed)} a second")
    if plan.strategies is not None:
        judged = judged or problem.packed(plan.strategies)
        lines.append(f"{len(judged.packing.shares):,} trees, {in_bytes(judged.bytes_sent)}")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def chunk_rows(judged: JudgedPacking) -> list[dict[str, str]]:
    """Return a row a chunk: its trees with their shares, and how deep they are."""
    rows = []
    for number, chunk in enumerate(judged.instance.chunks):
        own = [one for one in judged.packing.shares if one.chunk == number]
        shares = sorted((one.share for one in own), reverse=True)
        said = ", ".join(map(str, shares[:6])) + (", ..." if len(shares) > 6 else "")
        rows.append({"chunk": chunk.name, "trees": f"{len(own):,}", "shares": said})
    return rows


def busy_rows(judged: JudgedPacking) -> list[dict[str, str]]:
    """Return a row a direction of a link, the busiest first."""
    most = sorted(judged.seconds_by_link.items(), key=lambda one: (-one[1], one[0]))
    return [
        {
            "link": judged.instance.machine.path(hop),
            "bytes": in_bytes(judged.bytes_by_link[hop]),
            "busy": in_component(TIME, seconds),
            "of the time": share(seconds, judged.objective),
        }
        for hop, seconds in most
    ]


def shortened(rows: list[dict[str, str]], what: str, *, every_row: bool) -> list[dict[str, str]]:
    """Return the first rows, and how many more there are."""
    left = len(rows) - MOST_ROWS
    if every_row or left <= 0:
        return rows
    return [*rows[:MOST_ROWS], dict.fromkeys(rows[0], "") | {what: f"{left:,} more"}]


def packing_document(problem: PackingProblem, plan: Plan) -> dict[str, Any]:
    """Return a plan's file with its trees as a list, in exact numbers."""
    document = plan_document(plan)
    if plan.strategies is None:
        return document
    judged, names = problem.packed(plan.strategies), problem.instance.machine.names
    trees = [
        {
            "chunk": problem.instance.chunks[one.chunk].name,
            "share": exact(one.share),
            "branches": [{"route": [names[node] for node in route], "adds": adds} for route, adds in one.branches],
        }
        for one in judged.packing.shares
    ]
    return document | {"packing": {"seconds": exact(judged.seconds), "trees": trees}}
