"""Schedules of collectives on the terminal: what every step sends, and how busy the links are."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.collective.bounds import why_no_less
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import gap, in_bytes, in_component, share
from hypar_opt.report.strategy_graph import found_line
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.instance.collective import CollectiveInstance, Send
    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.regrets import Explanation

MOST_LINKS: Final = 12
"""Rows of the busiest links, unless all are asked for."""


def show_schedule(
    console: Console,
    problem: CollectiveProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, a row a step, and the busiest links."""
    judged = None if plan.strategies is None else problem.judged(plan.strategies)
    console.print(headline(problem, plan, judged))
    if judged is None:
        return
    if judged.steps is not None:
        show_folded(console, step_rows(judged))
    show_folded(console, link_rows(judged, every_row=every_row))


def headline(problem: CollectiveProblem, plan: Plan, judged: JudgedCollective | None = None) -> str:
    """Return what was found, how much it takes, and what is proven of it.

    Parameters
    ----------
    judged
        What is true of the plan, where that is known: of a million sends it takes long to find out.
    """
    lines = [found_line(plan), about(problem.instance)]
    if plan.objective is not None:
        goal = problem.instance.goal
        value = in_component(TIME, plan.objective) if goal == "time" else f"{in_full(plan.objective)} {goal}"
        why = "" if plan.bound is None else why_no_less(problem.instance, plan.bound)
        lines.append(f"{value}{gap(problem.objective, plan)}{why and f'; {why}'}")
    if plan.strategies is not None:
        judged = judged or problem.judged(plan.strategies)
        if judged.steps is not None:
            seconds = "" if judged.seconds is None else f", {in_component(TIME, judged.seconds)} in lockstep"
            lines.append(f"{judged.steps:,} steps, {judged.rounds:,} rounds{seconds}")
        lines.append(f"{len(judged.schedule.sends):,} sends, {in_bytes(judged.bytes_sent)}")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def about(instance: CollectiveInstance) -> str:
    """Return what collective it is, of whom, and of how much."""
    machine, members = instance.machine, len(instance.group)
    among = "all" if members == len(machine.accelerators) else f"{members:,} of"
    root = "" if instance.root is None else f" from {machine.names[instance.root]}"
    array = "graph of its own" if machine.topology == "custom" else machine.topology
    of = f"{among} {len(machine.accelerators):,} accelerators of a {array}"
    chunk = f"{len(instance.chunks):,} chunks of {in_bytes(instance.chunk_bytes)}"
    return f"{instance.collective}{root} among {of}: {chunk}"


def step_rows(judged: JudgedCollective) -> list[dict[str, str]]:
    """Return a row a synchronous step; none of a schedule in seconds."""
    links, sends = len(judged.instance.machine.links) * 2, Counter(one.end for one in judged.schedule.sends)
    return [
        {
            "step": f"{step:,}",
            "sends": f"{sends[step]:,}",
            "links in use": f"{len(loads):,} of {links:,} ({share(Fraction(len(loads)), Fraction(links))})",
            "chunks on the busiest": f"{max(loads.values()):,}",
        }
        for step, loads in judged.by_step.items()
    ]


def when_over(judged: JudgedCollective, sends: Sequence[Send]) -> str:
    """Return when the last of a chunk's sends has arrived."""
    if not sends:
        return "from the beginning"
    last = max(one.end for one in sends)
    return f"after step {last:,}" if judged.steps is not None else f"after {in_component(TIME, last)}"


def link_rows(judged: JudgedCollective, *, every_row: bool = False) -> list[dict[str, str]]:
    """Return a row a direction of a link, the busiest first."""
    most = sorted(judged.bytes_by_link.items(), key=lambda one: (-one[1], one[0]))
    rows = [
        {"link": judged.instance.machine.path(hop), "bytes": in_bytes(count)}
        for hop, count in (most if every_row else most[:MOST_LINKS])
    ]
    left = len(most) - len(rows)
    return [*rows, {"link": f"{left:,} more, none with more bytes", "bytes": ""}] if left else rows


def schedule_document(problem: CollectiveProblem, plan: Plan) -> dict[str, Any]:
    """Return a plan's file with its schedule as a list of sends, in exact numbers."""
    document = plan_document(plan)
    if plan.strategies is None:
        return document
    judged, names = problem.judged(plan.strategies), problem.instance.machine.names
    sends = [
        {
            "chunk": problem.instance.chunks[one.chunk].name,
            "route": [names[node] for node in one.route],
            "begin": exact(one.begin),
            "end": exact(one.end),
            "adds": one.adds,
        }
        for one in sorted(judged.schedule.sends, key=lambda one: (one.begin, one))
    ]
    counts = {"steps": judged.steps, "rounds": judged.rounds, "seconds": exact(judged.seconds)}
    return document | {"schedule": {**counts, "sends": sends}}
