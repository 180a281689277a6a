"""A schedule as tables: a row a synchronous step, for machines a row a send."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows
from hypar_opt.report.tables.table import label

if TYPE_CHECKING:
    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.evaluation.collective.packing import JudgedPacking
    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.verification.claim import Claim


def schedule_tables(problem: CollectiveProblem, claim: Claim) -> TableDocument:
    """Return a schedule for papers and for scripts: people read the steps, data has a row a send.

    Parameters
    ----------
    problem
        What it is a schedule of.
    claim
        Who claims what of it.
    """
    judged, name = problem.judged(claim.strategies_for("a plan to write as a table")), problem.instance.name
    data = sends_table(judged)
    found = data if judged.steps is None else steps_table(judged)
    shown = Table(
        f"plan-{label(name)}", f"A schedule of {name}", found.columns, found.rows, (*found.notes, claim.said())
    )
    return TableDocument("plan", data, (shown,), f"A schedule of {name}")


def sends_table(judged: JudgedCollective) -> Table:
    """Return a row a send, in the order of time; begin and end are seconds, or the number of the step."""
    instance = judged.instance
    timed = instance.goal == "time"
    when = (Column("begin_s", "begin", "s"), Column("end_s", "end", "s")) if timed else (Column("step", "step"),)
    columns = (*when, Column("chunk", "chunk"), Column("route", "route"), Column("adds", "adds"))
    rows: list[tuple[Any, ...]] = [
        (
            *((one.begin, one.end) if timed else (int(one.end),)),
            instance.chunks[one.chunk].name,
            instance.machine.path(one.route),
            "yes" if one.adds else "no",
        )
        for one in sorted(judged.schedule.sends, key=lambda one: (one.begin, one))
    ]
    title = f"Sends of a schedule of {instance.name}"
    return Table("plan", title, columns, entry_rows(columns, rows))


def steps_table(judged: JudgedCollective) -> Table:
    """Return a row a synchronous step."""
    sends = Counter(int(one.end) for one in judged.schedule.sends)
    columns = (
        Column("step", "step"),
        Column("sends", "sends"),
        Column("links", "links in use"),
        Column("most", "chunks on the busiest"),
    )
    rows: list[tuple[Any, ...]] = [
        (step, sends[step], len(loads), max(loads.values())) for step, loads in judged.by_step.items()
    ]
    links = 2 * len(judged.instance.machine.links)
    return Table("steps", "Steps", columns, entry_rows(columns, rows), (f"Of {links:,} directions of links",))


def links_table(judged: JudgedCollective | JudgedPacking) -> Table:
    """Return a row a direction of a link, the busiest first: chunks and bytes, and in how many steps it is in use."""
    instance = judged.instance
    used = Counter(hop for loads in judged.by_step.values() for hop in loads)
    columns = [Column("link", "link"), Column("chunks", "chunks"), Column("bytes", "bytes", "B")]
    columns += [] if judged.steps is None else [Column("steps", "steps in use")]
    most = sorted(judged.bytes_by_link.items(), key=lambda one: (-one[1], one[0]))
    rows: list[tuple[Any, ...]] = [
        (
            instance.machine.path(hop),
            int(count / instance.chunk_bytes),
            count,
            *(() if judged.steps is None else (used[hop],)),
        )
        for hop, count in most
    ]
    unused = 2 * len(instance.machine.links) - len(most)
    notes = (f"{unused:,} directions of links carry nothing",) if unused else ()
    return Table("links", "Links", tuple(columns), entry_rows(columns, rows), notes)
