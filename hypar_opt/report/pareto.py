"""A Pareto front on the terminal and as a picture."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.report.numbers import QUANTITY, in_component, in_seconds, percent, rounded_up
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require
from hypar_opt.util.numbers import digits_apart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

    from hypar_opt.solver.front import ParetoFront

MOST_ROWS = 40
MOST_CHANGES = 3
"""Layers that are named where they changed."""


def show_front(console: Console, front: ParetoFront) -> None:
    """Print a front: what it is, then its points with what changes from one to the next."""
    from hypar_opt.report.console import terminal_table

    console.print(headline(front))
    if not front.points:
        return
    marked = marks(front)
    columns = [Column("at", ""), *(Column(f"cost {name}", name, align="right") for name in front.components)]
    columns += [Column("changes", "the layers that change"), Column("mark", "")]
    shown = _shown(len(front.points))
    digits = digits_of(front, sorted(shown))
    rows: list[tuple[str, ...]] = []
    before: Mapping[str, str] | None = None
    for position, point in enumerate(front.points):
        if position in shown:
            costs = map(in_component, front.components, point.values, digits)
            words = front.words[position]
            rows.append((str(position + 1), *costs, changes(before, words), marked.get(position, "")))
            before = words
        elif position - 1 in shown:
            rows.append(("...", *("" for _ in columns[1:])))
    table = Table("front", "", tuple(columns), entry_rows(columns, rows))
    fold = {one.key: {"overflow": "fold"} for one in columns}
    console.print(terminal_table(table, options=fold, pad_edge=True))
    if len(shown) < len(front.points):
        console.print(f"{len(shown)} of {len(front.points):,} points; -o writes all of them to a file")


def digits_of(front: ParetoFront, shown: Sequence[int]) -> list[int]:
    """Return by component how many digits tell neighbouring points apart, of those that are shown."""
    return [
        digits_apart([front.points[one].values[place] for one in shown], partial(in_component, name), QUANTITY)
        for place, name in enumerate(front.components)
    ]


def headline(front: ParetoFront) -> str:
    """Return how many points there are, and whether that is all."""
    proven = "complete" if front.complete else "NOT complete"
    count = f"{len(front.points):,} point{'' if len(front.points) == 1 else 's'}"
    lines = [
        f"{front.instance}: front of {' and '.join(front.components)}, {count}, {proven}, by {front.formulation} in "
        f"{in_seconds(front.runtime_s)} ({front.native_status})"
    ]
    if front.complete and not front.points:
        lines.append("no plan is feasible")
    if not front.complete:
        lines.append(f"proven: {proven_of(front)}")
    if front.note:
        lines.append(f"note: {front.note}")
    return "\n".join(lines)


def proven_of(front: ParetoFront) -> str:
    """Return how much better than the points of a front any plan can be."""
    if front.excess is None or not front.points:
        return "nothing of plans that are not here"
    more = percent(rounded_up(front.excess))
    each = " and ".join(f"at most {more} more {name}" for name in front.components)
    return f"for every plan there is, one of these has {each}"


def checked_text(front: ParetoFront, other: ParetoFront, *, agree: bool | None) -> str:
    """Return what comparing two fronts came to; of one that was cut short every point has to be on the other."""
    if agree is None and not front.complete:
        return f"not compared: {front.formulation} did not complete its front"
    if agree is None:
        return f"not checked in full: {other.formulation} found {len(other.points):,} points, none better than these"
    if front.formulation == other.formulation:
        return f"compared with itself: {other.formulation} was asked twice, which checks nothing"
    verb = "finds the same points" if agree else "finds OTHER points"
    return f"{other.formulation} {verb} ({other.native_status}, {in_seconds(other.runtime_s)})"


def marks(front: ParetoFront) -> dict[int, str]:
    """Return what is special about points, by position."""
    best, supported = front.least_product(), front.supported()
    marks: dict[int, str] = {}
    for position, point in enumerate(front.points):
        said = []
        if point is best:
            said.append(f"least {front.components[0]} x {front.components[1]}")
        if supported and position not in supported:
            said.append("no weighted sum finds it")
        if point.unbuildable:
            said.append("cannot be built as it stands")
        marks[position] = ", ".join(said)
    return marks


def _shown(count: int) -> frozenset[int]:
    if count <= MOST_ROWS:
        return frozenset(range(count))
    half = MOST_ROWS // 2
    return frozenset((*range(half), *range(count - half, count)))


def changes(before: Mapping[str, str] | None, words: Mapping[str, str]) -> str:
    """Return the layers whose strategies differ from those of the point shown before."""
    if before is None:
        return "(the first)"
    changed = [name for name, word in words.items() if before[name] != word]
    named = [f"{name} {before[name]} -> {words[name]}" for name in changed[:MOST_CHANGES]]
    rest = len(changed) - len(named)
    return ", ".join(named) + (f" and {rest} more" if rest else "")


FORMATS = (".png", ".svg", ".pdf")


def check_format(path: Path) -> None:
    """Raise `InputError` if a picture cannot be written in the format that a file's name ends with, or at all."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"expected a name that ends with {', '.join(FORMATS)}, got '{path.name}'", field="--plot")
    require("report")


def write_plot(front: ParetoFront, path: Path) -> None:
    """Draw the first two components of a front, a third as colour, as wide as a page of a paper.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    from hypar_opt.report.charts.export import write_picture
    from hypar_opt.report.charts.front import front_figure

    figure = front_figure(front)
    write_picture(replace(figure, title=f"{front.instance}: {figure.title}"), path)
