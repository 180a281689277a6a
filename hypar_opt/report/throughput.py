"""Batches of several sizes by every known schedule: on the terminal, as a table, and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_component, share
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from hypar_opt.studies.schedules.throughput import BatchPoint, Throughput


def show_throughput(console: Console, heading: str, found: Throughput) -> None:
    """Print a row a size, with what a batch takes, its bubbles and its throughput by every schedule."""
    console.print(heading)
    show_folded(console, [_row(found, size) for size in found.sizes])
    for reason in reasons(found):
        console.print(reason)
    console.print(limit_said(found))


def _row(found: Throughput, size: int) -> dict[str, str]:
    row = {"microbatches": f"{size:,}"}
    for name in found.schedules:
        one = next(one for one in found.points if (one.schedule, one.microbatches) == (name, size))
        if one.seconds is None or one.bubble is None:
            row[name] = "-"
        else:
            beyond = "" if one.fits else ", does not fit"
            row[name] = f"{in_component(TIME, one.seconds)}, {share(one.bubble, 1)}, {in_rate(one.rate)}{beyond}"
    return row


def in_rate(rate: Fraction | None) -> str:
    """Return samples a second."""
    return "-" if rate is None else f"{float(rate):.4g}/s"


def limit_said(found: Throughput) -> str:
    """Return what a cell has, and the throughput that no size passes, in a sentence."""
    if found.most is None:
        return "a batch, bubbles, samples a second"
    return (
        "a batch, bubbles, samples a second, which are no more than the slowest device "
        f"({found.slowest + 1}) does: {in_rate(found.most)}"
    )


def reasons(found: Throughput) -> list[str]:
    """Return why schedules have no batch of any size, a line each, or none of some."""
    said: dict[tuple[str, str], list[int]] = {}
    for one in found.points:
        if one.seconds is None:
            reason = one.reason.split(", got ")[0]
            said.setdefault((one.schedule, reason), []).append(one.microbatches)
    return [
        f"{name}: {reason}" + ("" if len(sizes) == len(found.sizes) else f", not {', '.join(map(str, sizes))}")
        for (name, reason), sizes in said.items()
    ]


def throughput_document(heading: str, found: Throughput) -> dict[str, Any]:
    """Return the same as plain data; exact numbers as text."""
    return {"of": heading, "most_per_s": exact(found.most), "batches": [_document(one) for one in found.points]}


def _document(one: BatchPoint) -> dict[str, Any]:
    return {
        "name": one.schedule,
        "microbatches": one.microbatches,
        "seconds": exact(one.seconds),
        "bubble": exact(one.bubble),
        "per_s": exact(one.rate),
        "fits": one.fits if one.seconds is not None else None,
        "reason": one.reason or None,
    }


def throughput_table(name: str, found: Throughput) -> Table:
    """Return a row a batch and schedule."""
    rows: list[tuple[Any, ...]] = [
        (one.microbatches, one.schedule, one.seconds, one.bubble, one.rate, "yes" if one.fits else "no")
        for one in found.points
        if one.seconds is not None
    ]
    scale, unit = scaled([row[2] for row in rows], "s")
    columns = (
        Column("microbatches", "microbatches"),
        Column("schedule", "schedule"),
        Column("seconds", "batch", unit, scale, DIGITS),
        Column("bubble", "bubbles", digits=DIGITS),
        Column("samples_per_s", "samples", "1/s", 1, DIGITS),
        Column("fits", "fits"),
    )
    notes = (*reasons(found), limit_said(found))
    return Table("throughput", f"Batches of {name}", columns, entry_rows(columns, rows), notes)


def throughput_tables(name: str, found: Throughput) -> TableDocument:
    """Return the same to be written."""
    table = throughput_table(name, found)
    return TableDocument("throughput", table, (table,))
