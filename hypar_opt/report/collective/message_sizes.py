"""What a collective takes over its bytes, by every algorithm: on the terminal, as a table, and for machines."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_bytes, in_component, number
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from hypar_opt.studies.collectives import AlgorithmTimes, MessageSizes

NAME: Final = "message-sizes"
"""Of files."""
BINARY: Final = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))


def in_binary(count: int) -> str:
    """Return bytes in KiB and so on where they are whole ones, else with four digits."""
    found = next((f"{count // size:,} {unit}" for unit, size in BINARY if count >= size and count % size == 0), None)
    return found or (in_bytes(count) if count >= BINARY[-1][1] else f"{count:,} B")


def heading_of(found: MessageSizes) -> str:
    """Return which collective it is, of whom, and how its times are counted."""
    instance, machine = found.instance, found.instance.machine
    among = f"{len(instance.group):,} of {len(machine.accelerators):,} accelerators of a {machine.topology}"
    how = "each size solved" if instance.goal == "time" else "synchronous steps in lockstep"
    return f"{instance.name}: {instance.collective} among {among}, {len(instance.chunks):,} chunks, {how}"


def show_sizes(console: Console, found: MessageSizes) -> None:
    """Print a row a size with what it takes by every algorithm, and the bounds."""
    console.print(heading_of(found))
    if found.found:
        show_folded(console, [_row(found, place) for place in range(len(found.sizes))])
    same = [f"as {names[0]}: {', '.join(names[1:])}" for names in alike(found).values() if len(names) > 1]
    for line in (*same, *fastest_said(found), *reasons(found)):
        console.print(line)


def alike(found: MessageSizes) -> dict[tuple[Fraction | None, ...], list[str]]:
    """Return by what is taken over the sizes the names of all algorithms that take just that."""
    together: dict[tuple[Fraction | None, ...], list[str]] = {}
    for one in found.found:
        together.setdefault(one.seconds, []).append(one.formulation)
    return together


def _row(found: MessageSizes, place: int) -> dict[str, str]:
    times = {names[0]: seconds[place] for seconds, names in alike(found).items()}
    shown = {name: "-" if time is None else in_component(TIME, time) for name, time in times.items()}
    bounds = {"bound": found.bounds[place], "any chunks": found.any_chunks[place]}
    return {
        "bytes": in_binary(found.sizes[place]),
        **shown,
        **{name: in_component(TIME, time) for name, time in bounds.items()},
    }


def fastest_said(found: MessageSizes) -> list[str]:
    """Return which algorithm is the fastest of which sizes, and how far above the bound it is, a line each."""
    lines = []
    for names, places in groupby(range(len(found.sizes)), key=found.fastest):
        ends = list(places)
        if names:
            last = min(time for one in found.found if (time := one.seconds[ends[-1]]) is not None)
            sizes = dict.fromkeys(in_binary(found.sizes[place]) for place in (ends[0], ends[-1]))
            over = last / found.bounds[ends[-1]] if found.bounds[ends[-1]] else 1
            said = "meets the bound" if over == 1 else f"{number(over, DIGITS)} times the bound"
            lines.append(f"fastest, {' to '.join(sizes)}: {', '.join(names)}; at the end {said}")
    return lines


def reasons(found: MessageSizes) -> list[str]:
    """Return why algorithms have no schedule of some size, a line each."""
    return [
        one.reason if one.reason.startswith(one.formulation) else f"{one.formulation}: {one.reason}"
        for one in found.algorithms
        if one.reason
    ]


def sizes_document(found: MessageSizes) -> dict[str, Any]:
    """Return the same as plain data; exact numbers as text."""
    return {
        "of": heading_of(found),
        "instance": found.instance.name,
        "bytes": list(found.sizes),
        "bounds_s": [exact(one) for one in found.bounds],
        "any_chunks_s": [exact(one) for one in found.any_chunks],
        "algorithms": [_document(one) for one in found.algorithms],
    }


def _document(one: AlgorithmTimes) -> dict[str, Any]:
    return {
        "name": one.formulation,
        "steps": one.steps,
        "seconds": [exact(time) for time in one.seconds],
        "optimal": list(one.optimal),
        "reason": one.reason or None,
    }


def sizes_table(found: MessageSizes) -> Table:
    """Return a row a size and algorithm that has a schedule of it."""
    rows: list[tuple[Any, ...]] = [
        (
            size,
            one.formulation,
            one.steps,
            time,
            time / found.bounds[place] if found.bounds[place] else None,
            found.bounds[place],
            found.any_chunks[place],
            "yes" if one.optimal[place] else "no",
        )
        for place, size in enumerate(found.sizes)
        for one in found.algorithms
        if (time := one.seconds[place]) is not None
    ]
    scale, unit = scaled([row[3] for row in rows], "s")
    columns = (
        Column("bytes", "bytes"),
        Column("formulation", "algorithm"),
        Column("steps", "steps"),
        Column("seconds", "time", unit, scale, DIGITS),
        Column("over_bound", "over the bound", digits=DIGITS),
        Column("bound_s", "bound", unit, scale, DIGITS),
        Column("any_chunks_s", "bound of any chunks", unit, scale, DIGITS),
        Column("optimal", "optimal"),
    )
    goal = found.instance.goal
    notes = (heading_of(found), f"Optimal: nobody has fewer {goal}" if goal != TIME else "Optimal: nothing is faster")
    return Table(NAME, f"Times of {found.instance.name} over its bytes", columns, entry_rows(columns, rows), notes)


def sizes_tables(found: MessageSizes) -> TableDocument:
    """Return the same to be written."""
    table = sizes_table(found)
    return TableDocument(NAME, table, (table,), plain=sizes_document(found))
