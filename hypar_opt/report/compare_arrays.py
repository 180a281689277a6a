"""Networks on several arrays: as tables of files, and on the terminal."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp, log, prod
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.compare import notes
from hypar_opt.report.console import terminal_table
from hypar_opt.report.numbers import in_bytes, in_si
from hypar_opt.report.tables import (
    DATA,
    Column,
    Entry,
    Table,
    TableDocument,
    best_in_rows,
    json_rows,
    notes_lifted,
    scaled,
    text_table,
    write_document,
)
from hypar_opt.studies.compare_arrays import ArrayCell, equal_link, equal_total

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Scaled = Callable[[ArrayCell, ArrayCell], Fraction | None]
    from rich.console import Console


ASSUMPTIONS: Final[tuple[tuple[str, str, Scaled], ...]] = (
    ("link", "every link as fast as the first array's (in an H tree, a leaf's)", equal_link),
    ("total", "as much link bandwidth in all as the first array has", equal_total),
)
PROVEN: Final = "*: proven, of plan and placement together"
IN_ORDER: Final = "*: proven, with the leaves in order or where the array has them"
NO_SCALE: Final = "latencies do not grow with what links are slower by"
NO_SPEED: Final = "links that differ have no speed in common"
MEAN: Final = "geometric mean"


def firsts(cells: Sequence[ArrayCell]) -> dict[int, ArrayCell]:
    """Return every row's cell on the first array."""
    return {cell.row: cell for cell in reversed(cells) if cell.column == cells[0].column}


def paper_tables(cells: Sequence[ArrayCell]) -> list[Table]:
    """Return two tables for each assumption: times, and ratios with their geometric means."""
    return [make(cells, *assumption) for assumption in ASSUMPTIONS for make in (_times, _ratios)]


def _times(cells: Sequence[ArrayCell], name: str, title: str, seconds: Scaled) -> Table:
    first = firsts(cells)
    values = [value for cell in cells if (value := seconds(cell, first[cell.row])) is not None]
    scale, unit = scaled(values, "s")
    column = Column("", "", unit, scale, 4, "least", group="time of communication")

    def entry(cell: ArrayCell) -> Entry:
        value = seconds(cell, first[cell.row])
        if value is None and cell.time is not None:
            return Entry(None, notes=(*notes.footnotes(cell), NO_SPEED if cell.scales else NO_SCALE))
        return notes.entry_of(cell, value)

    legend = (*notes.proofs(_proven(cells), cells), "The best of each row is in bold")
    made = replace(_grid(cells, column, entry), name=f"arrays-{name}-time", title=f"Time of communication, {title}")
    return best_in_rows(replace(made, notes=legend))


def _ratios(cells: Sequence[ArrayCell], name: str, title: str, seconds: Scaled) -> Table:
    first = firsts(cells)
    column = Column("", "", "", 1, 3, "least", group="times the first array's time")

    def entry(cell: ArrayCell) -> Entry:
        one = first[cell.row]
        value = seconds(cell, one)
        ratio = value / one.time if value is not None and one.time else None
        return Entry(ratio, notes.instead(cell.plan), notes=notes.footnotes(cell))

    made = _grid(cells, column, entry)
    mean = {one.key: Entry(MEAN) if one.key == "instance" else _mean(made, one) for one in made.columns}
    legend = ("The best of each row is in bold", "The mean is left out where a network is missing")
    whole = replace(made, name=f"arrays-{name}-ratio", title=f"Time beside the first array's, {title}", notes=legend)
    return best_in_rows(replace(whole, rows=(*whole.rows, mean)))


def _mean(table: Table, column: Column) -> Entry:
    """Return the geometric mean: the root is no exact number, but equal products have equal ones."""
    ratios = [row[column.key].value for row in table.rows]
    known = [value for value in ratios if isinstance(value, Fraction | int)]
    if not known or len(known) < len(ratios):
        return Entry(None)
    whole = prod(map(Fraction, known), start=Fraction(1))
    return Entry(exp((log(whole.numerator) - log(whole.denominator)) / len(known)) if whole else Fraction(0))


def _grid(cells: Sequence[ArrayCell], column: Column, entry: Callable[[ArrayCell], Entry]) -> Table:
    none = dict.fromkeys((cell.column for cell in cells), Entry(None))
    columns = (Column("instance", "instance"), *(replace(column, key=name, heading=name) for name in none))
    made = []
    for row in notes.by_rows(cells, "column"):
        first, entries = next(iter(row.values())), {name: entry(cell) for name, cell in row.items()}
        made.append({"instance": Entry(first.instance)} | none | entries)
    return notes_lifted(Table("", "", columns, tuple(made)))


NESTED: Final = ("plan", "placement")
"""Columns that CSV has no place for."""


def flat_table(cells: Sequence[ArrayCell]) -> Table:
    """Return a row a cell, with all that is known of it; unknown is None."""
    first = firsts(cells)
    made = tuple(_row(cell, first[cell.row]) for cell in cells)
    names = list(made[0]) if made else []
    columns = tuple(Column(name, name, formats=("json",) if name in NESTED else DATA) for name in names)
    return Table("arrays", "Arrays", columns, made)


def rows(cells: Sequence[ArrayCell]) -> list[dict[str, Any]]:
    """Return the same for JSON."""
    return json_rows(flat_table(cells))


def _row(cell: ArrayCell, first: ArrayCell) -> dict[str, Entry]:
    plan = cell.plan
    values = {
        "instance": cell.instance,
        "array": cell.array,
        **({"algorithm": cell.algorithm} if cell.algorithm else {}),
        "formulation": plan.formulation if plan else None,
        "status": notes.word(plan),
        "link_bytes_per_s": cell.link,
        "total_bytes_per_s": cell.total,
        "comm_time_s": cell.time,
        "bound_s": notes.bound(plan) if plan else None,
        "comm_time_s_equal_link": equal_link(cell, first),
        "comm_time_s_equal_total": equal_total(cell, first),
        "communication_bytes": plan.communication_bytes if plan else None,
        "hop_bytes": plan.costs.get("hop-bytes") if plan else None,
        "native_status": plan.native_status if plan else None,
        "note": plan.note if plan else cell.refusal,
        "runtime_s": round(plan.runtime_s, 3) if plan else None,
        "plan": dict(plan.strategies) if plan and plan.strategies else None,
        "placement": plan.placement if plan and plan.placement else None,
    }
    return {key: Entry(value) for key, value in values.items()}


def write_files(cells: Sequence[ArrayCell], folder: Path) -> list[Path]:
    """Write arrays.csv, .md, .tex and .json, each atomically; return their paths, none where there are no cells."""
    return write_document(document(cells), folder) if cells else []


def document(cells: Sequence[ArrayCell]) -> TableDocument:
    """Return the tables, with the arrays' bandwidths and how each result was proven."""
    seen = {cell.array: cell for cell in cells}
    links = []
    for name, cell in seen.items():
        each = "links that differ" if cell.link is None else f"links of {in_bytes(cell.link)}/s each way"
        links.append(f"{name}: {each}, {in_bytes(cell.total)}/s in all")
    ended = dict.fromkeys(
        f"{cell.column}: {cell.plan.native_status if cell.plan is not None else cell.refusal}" for cell in cells
    )
    lists = (("The arrays as their files have them:", tuple(links)), ("How it ended:", tuple(ended)))
    return TableDocument("arrays", flat_table(cells), tuple(paper_tables(cells)), "Arrays", lists)


LEGEND = (
    "seconds of communication of the best plan and placement, and how many times the first array's they are; "
    "* both are proven to be the best; + the placement alone is; - declined, or links that differ"
)


LEGEND_IN_ORDER = (
    "seconds of communication of the best plan for each algorithm of partial sums, and how many times the first "
    "column's they are; * proven, with the leaves in order or where the array has them; - declined, or links that "
    "differ or have latencies"
)


def _proven(cells: Sequence[ArrayCell]) -> str:
    return IN_ORDER if any(cell.algorithm for cell in cells) else PROVEN


def grid(cells: Sequence[ArrayCell], seconds_of: Scaled) -> Table:
    """Return instances x arrays as text, the geometric means of the ratios below."""
    first = firsts(cells)
    arrays = dict.fromkeys((cell.column for cell in cells), "")
    ratios: dict[str, list[float]] = {array: [] for array in arrays}
    rows = []
    for row in notes.by_rows(cells, "column"):
        shown = {"instance": next(iter(row.values())).instance} | arrays
        for array, cell in row.items():
            one = first[cell.row].time
            seconds = seconds_of(cell, first[cell.row])
            if seconds is not None and one:
                ratios[array].append(float(seconds / one))
            shown[array] = _text(cell, seconds, one)
        rows.append(shown)
    means = {array: _mean_text(numbers, len(rows)) for array, numbers in ratios.items()}
    return text_table([*rows, {"instance": MEAN} | means], right=arrays)


def _text(cell: ArrayCell, seconds: Fraction | None, first: Fraction | None) -> str:
    if seconds is None:
        word = notes.instead(cell.plan)
        return f"{word}{notes.marks(cell.plan)}" if word else "-"
    ratio = f" ({float(seconds / first):.3g})" if first else ""
    return f"{in_si(float(seconds), 's')}{notes.marks(cell.plan)}{ratio}"


def _mean_text(numbers: Sequence[float], expected: int) -> str:
    return f"({prod(numbers) ** (1 / len(numbers)):.3g})" if numbers and len(numbers) == expected else ""


def show(console: Console, cells: Sequence[ArrayCell]) -> None:
    """Print a table for each assumption."""
    if not cells:
        console.print("nothing was solved before the stop")
        return
    for _, title, seconds_of in ASSUMPTIONS:
        console.print(f"\n{title}:")
        console.print(terminal_table(grid(cells, seconds_of)))
    legend = LEGEND_IN_ORDER if any(cell.algorithm for cell in cells) else LEGEND
    console.print(legend + notes.unbuildable_legend(cell.plan for cell in cells))
    for line in dict.fromkeys(f"{cell.column}: {cell.refusal}" for cell in cells if cell.refusal):
        console.print(line)
