"""A plan of operators as a picture: a row an operator, a column an axis, and beside it the bytes of its collectives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.cost.operators.domains import BESIDE as WITHOUT_WORDS
from hypar_opt.report.charts.operator_rows import DARK, PictureRows, colours
from hypar_opt.report.charts.plan_cells import bytes_axis, names_axis, row_step
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.again import again_notes
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.report.content.operator_plan import NamedOperatorPlan
    from hypar_opt.solver.plan import Plan

CELLS: Final = "cells"
BARS: Final = "bars"
SUMS: Final = "sums"
"""What the data are called."""
BESIDE: Final = WITHOUT_WORDS
"""How names end that have no words: of how parameters and maps are kept, and of blocks that run once more."""
CELL: Final = 66
"""Pixels of a cell's width."""
LABEL: Final = 270
"""Pixels of a row's name."""
WIDE: Final = 260
"""Pixels of the bars."""
ON_CELL: Final[Mapping[str, str]] = {
    "row": "operator",
    "k": "kind",
    "n": "operators",
    "x": "axis",
    "dim": "split along",
}
ON_BAR: Final[Mapping[str, str]] = {"row": "operator", "c": "collective", "e": "bytes received", "n": "operators"}
"""What is said on hover, by field."""


def operators_figure(named: NamedOperatorPlan, name: str = "plan") -> Figure:
    """Return the picture of a plan.

    Parameters
    ----------
    named
        The plan.
    name
        The figure's; letters, digits and hyphens.
    """
    rows = PictureRows(named)
    axes = axes_of(named)
    data = {CELLS: cell_data(rows, axes), BARS: bar_data(rows), SUMS: sum_data(rows)}
    total = sum(row.total for row in rows.all)
    below = [f"exactly {in_full(total)} bytes", *rows.left_out] if total else rows.left_out
    line = f"{in_bytes(total)} received by all devices in a step" if total else "nothing is exchanged"
    title = alt.TitleParams(line, fontSize=12, subtitle=below, anchor="start")
    panels = [grid(len(rows.shown), axes, rows.colours)] if axes else []
    panels += [_bars(rows)] if total or not axes else []
    chart = alt.hconcat(*panels, spacing=12, title=title).resolve_scale(color="independent")
    return figure(name, f"Plan of {named.name}", alternative(rows, axes), chart, grid_table(rows, axes), datasets=data)


def axes_of(named: NamedOperatorPlan) -> tuple[str, ...]:
    """Return the axes with their sizes, outermost first."""
    return tuple(f"{axis.name} ({axis.size})" for axis in named.problem.instance.partition.axes)


def cell_data(rows: PictureRows, axes: Sequence[str]) -> list[dict[str, Any]]:
    """Return a datum a row and axis."""
    return [
        {"row": row.label, "k": row.kind, "n": row.count, "x": axis, "dim": entry}
        for row in rows.shown
        for axis, entry in zip(axes, row.word, strict=True)
    ]


def bar_data(rows: PictureRows) -> list[dict[str, Any]]:
    """Return a datum a row and kind of collective."""
    return [
        {"row": row.label, "n": row.count, "c": kind, "at": place, "b": float(row.received[kind])}
        | {"e": in_full(row.received[kind])}
        for row in rows.shown
        for place, kind in enumerate(rows.kinds)
        if row.received.get(kind)
    ]


def sum_data(rows: PictureRows) -> list[dict[str, Any]]:
    """Return a datum a row: what stands behind its bar."""
    return [
        {"row": row.label, "t": float(row.total), "s": in_bytes(row.total) if row.total else ""} for row in rows.shown
    ]


def grid(count: int, axes: Sequence[str], colours: Mapping[str, str]) -> alt.LayerChart | alt.FacetChart:
    """Return the cells of so many rows, called by `CELLS`, coloured by dimension."""
    said = "datum.row + ', ' + datum.x + ': ' + datum.dim"
    legend = alt.Legend(title=None, orient="bottom", direction="vertical", columns=3, symbolType="square")
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    axis = alt.Axis(title=None, orient="top", labelAngle=0, domain=False, ticks=False, labelLimit=CELL)
    base = alt.Chart(alt.NamedData(CELLS)).encode(
        x=alt.X("x:N", sort=None, axis=axis),
        y=alt.Y("row:N", sort=None, axis=labels_axis(count)),
        tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in ON_CELL.items()],
    )
    cells = (
        base.transform_calculate(said=said)
        .mark_rect(stroke="white", strokeWidth=1)
        .encode(color=alt.Color("dim:N", scale=scale, legend=legend), description=alt.Description("said:N"))
    )
    dark = [name for name, colour in colours.items() if colour in DARK]
    ink = alt.ExprRef(f"indexof({dark}, datum.dim) >= 0 ? 'white' : 'black'")
    words = base.mark_text(fontSize=10, color=ink, limit=CELL - 4, aria=False).encode(text=alt.Text("dim:N"))
    return alt.layer(cells, words).properties(
        name=f"{RIGID}_grid", width=CELL * len(axes), height=row_step(count) * count
    )


def words_grid(plan: Plan) -> alt.LayerChart | alt.FacetChart:
    """Return the cells of a plan of which only its words are known: a row a name, those of shared tensors too."""
    words = {name: word.split() for name, word in (plan.strategies or {}).items() if not name.endswith(BESIDE)}
    data = [
        {"row": name, "k": "-", "n": 1, "x": axis, "dim": entry}
        for name, word in words.items()
        for axis, entry in zip(plan.axes, word, strict=True)
    ]
    entries = [entry for word in words.values() for entry in word]
    drawn = grid(len(words), plan.axes, colours(entries))
    return drawn.properties(datasets={CELLS: data})


def labels_axis(count: int) -> alt.Axis:
    """Return the axis of the rows, of which long names are those of blocks, and differ at their ends."""
    axis = names_axis(count)
    axis.labelLimit = LABEL
    return axis


def _bars(rows: PictureRows) -> alt.LayerChart | alt.FacetChart:
    """Return what each row receives, by kind of collective, with the sum behind it."""
    count, kinds = len(rows.shown), rows.kinds
    scale = alt.Scale(domain=list(kinds), range=list(kinds.values()))
    legend = alt.Legend(
        title=None, orient="bottom", direction="vertical", columns=2, symbolType="square", symbolStrokeColor="#333",
        symbolStrokeWidth=0.8,
    )  # fmt: skip
    height = row_step(count)
    axis = None if rows.named.problem.instance.levels else labels_axis(count)
    y = alt.Y("row:N", sort=[row.label for row in rows.shown], axis=axis)
    bars = (
        alt.Chart(alt.NamedData(BARS))
        .transform_calculate(said="datum.row + ', ' + datum.c + ': ' + datum.e + ' bytes'")
        .mark_bar(height=height - 4, stroke="#333", strokeWidth=0.8)
        .encode(
            x=bytes_axis("b", title="bytes received in a step", some=any(row.total for row in rows.shown)),
            y=y,
            color=alt.Color("c:N", scale=scale, legend=legend if kinds else None),
            order=alt.Order("at:O"),
            tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in ON_BAR.items()],
            description=alt.Description("said:N"),
        )
    )
    sums = (
        alt.Chart(alt.NamedData(SUMS))
        .mark_text(align="left", dx=4, fontSize=10, color="#222", aria=False)
        .encode(x=alt.X("t:Q"), y=y, text=alt.Text("s:N"))
    )
    return alt.layer(bars, sums).properties(width=WIDE, height=height * count)


def alternative(rows: PictureRows, axes: Sequence[str]) -> str:
    """Return what the picture shows, in sentences."""
    total = sum(row.total for row in rows.all)
    alike: dict[str, list[str]] = {}
    for row in rows.shown:
        alike.setdefault(" ".join(row.word) or "-", []).append(row.label.replace(": ", " "))
    words = "; ".join(f"{word}: {', '.join(labels)}" for word, labels in alike.items())
    among = ", ".join(axes) or "one device"
    return (
        f"A grid of {len(rows.shown):,} rows of operators and {len(axes):,} axes ({among}) with the dimension that is "
        f"split in each cell, beside it bars of the bytes that each row's collectives receive; equal blocks share "
        f"rows. {rows.named.name} moves {in_full(total)} bytes a step. By word, outermost axis first: {words}. "
        f"{' '.join((*again_notes(rows.named.strategies), *rows.left_out))}"
    ).strip()


def grid_table(rows: PictureRows, axes: Sequence[str]) -> Table:
    """Return the numbers: a row a row of the picture, and those that it has no room for."""
    kinds = list(dict.fromkeys(kind for row in rows.all for kind in row.received))
    columns = (
        Column("operator", "operator"),
        Column("kind", "kind"),
        Column("operators", "operators"),
        *(Column(f"axis_{at + 1}", axis) for at, axis in enumerate(axes)),
        *(Column(kind, kind, "B", group="received") for kind in kinds),
        Column("total", "total", "B", group="received"),
    )
    entries: list[tuple[Any, ...]] = [
        (row.label, row.kind, row.count, *row.word, *(Entry(row.received.get(kind, 0)) for kind in kinds), row.total)
        for row in rows.all
    ]
    said = "Bytes of one training step that all devices together receive, exact; of equal blocks together."
    notes = (said, *again_notes(rows.named.strategies))
    title = f"Bytes of {rows.named.name} by operator and collective"
    return Table("operators", title, columns, entry_rows(columns, entries), notes)


FIGURE: Final = FigureKind("operators", "The plan, operator by operator", "plan", operators_figure, of=("operators",))
