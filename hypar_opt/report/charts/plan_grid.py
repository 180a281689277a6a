"""A plan as a picture: layers x levels with the choice in each cell (HyPar, Figure 5), beside it each layer's bytes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.plan_cells import (
    MEANINGS,
    PlanCell,
    PlanRows,
    bytes_axis,
    left_out,
    letter_text,
    levels_axis,
    names_axis,
    plan_colour,
    row_step,
)
from hypar_opt.report.charts.plan_formulas import GENERAL
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.numbers import in_bytes, share
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.report.content import NamedPlan


BY_LAYER: Final = "layers"
"""What the bars' data are called."""
BARS: Final = 300
"""Pixels."""


def layer_rows(rows: PlanRows) -> list[dict[str, Any]]:
    """Return of every layer its bytes, as numbers to be drawn and as text with all digits."""
    data = []
    for row, layer in enumerate(rows.layers):
        intra, inter = rows.intra(row), rows.inter(row)
        exact = {"I": in_full(intra), "J": in_full(inter), "T": in_full(intra + inter)}
        short = in_bytes(intra + inter)
        data.append({"l": layer.name, "i": intra, "j": float(inter), "t": float(intra + inter), "s": short, **exact})
    return data


def plan_bars(rows: PlanRows) -> alt.LayerChart | alt.FacetChart:
    """Return intra-layer and inter-layer bytes, stacked, with their sum behind them."""
    said = {"l": "layer", "I": "intra-layer bytes", "J": "inter-layer bytes before it", "T": "bytes in all"}
    base = alt.Chart(alt.NamedData(BY_LAYER)).encode(
        y=alt.Y("l:N", sort=None, axis=None if rows.cells else names_axis(len(rows.layers))),
        tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in said.items()],
    )
    bars = (
        base.transform_fold(["i", "j"], as_=["k", "b"])
        .transform_calculate(d="datum.l + ': intra-layer ' + datum.I + ' bytes, inter-layer before it ' + datum.J")
        .mark_bar(height=row_step(len(rows.layers)) - 4, stroke="#333", strokeWidth=0.8)
        .encode(
            x=bytes_axis("b", some=bool(rows.named.breakdown.total)),
            color=plan_colour("k", rows.named.problem.instance.choices),
            order=alt.Order("k:O"),
            description=alt.Description("d:N"),
        )
    )
    totals = base.mark_text(align="left", dx=4, fontSize=10, color="#222", aria=False).encode(
        x=alt.X("t:Q"), text=alt.Text("s:N")
    )
    return alt.layer(bars, totals).properties(width=BARS, height=row_step(len(rows.layers)) * len(rows.layers))


COLUMNS: Final = (
    Column("layer", "layer"),
    Column("level", "level"),
    Column("choice", "choice"),
    Column("intra", "intra-layer", "B"),
    Column("feature", "F read", "B"),
    Column("error", "E sent back", "B"),
    Column("total", "total", "B"),
)


def plan_table(rows: PlanRows, name: str) -> Table:
    """Return the numbers of a plan's grid: a row for every layer and level, and one for each layer over all levels."""
    entries: list[tuple[Any, ...]] = []
    levels = rows.named.problem.instance.levels
    for row, layer in enumerate(rows.layers):
        own = rows.cells[row * levels : (row + 1) * levels]
        for cell in own:
            parts = cell.intra, cell.feature, cell.error
            entries.append((layer.name, cell.level + 1, cell.choice, *parts, sum(parts)))
        word = rows.named.strategies[layer.name]
        sums = sum(cell.intra for cell in own), sum(cell.feature for cell in own), sum(cell.error for cell in own)
        entries.append((layer.name, Entry(None, text="all"), word, *sums, sum(sums)))
    notes = ["Bytes of one training step, exact; F and E are those of the boundaries that the layer reads."]
    notes += [GENERAL, *left_out(rows)]
    title = f"Bytes of {rows.named.name} by layer and level"
    return Table(name, title, COLUMNS, entry_rows(COLUMNS, entries), tuple(notes))


CELLS: Final = "cells"
"""What the grid's data are called."""
CELL: Final = 26
"""Pixels of a cell's width where there is room."""
MOST_WIDE: Final = 480
"""Pixels of a grid, beyond which its cells get narrower."""
ON_CELL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "l": "layer", "h": "level", "c": "choice", "s": "partial sums of", "i": "intra-layer bytes", "j": "= formula",
        "n": "boundary before", "f": "F read, bytes", "g": "= formula of F", "e": "E sent back, bytes",
        "k": "= formula of E",
    }
)  # fmt: skip
"""What is said of a cell on hover, by field."""
SPOKEN: Final = (
    "datum.l + ', level ' + datum.h + ': ' + datum.c + '. Partial sums of ' + datum.s + ': ' + datum.i + ' bytes' "
    "+ (datum.j ? ', ' + datum.j : '') + '. Boundary before: ' + datum.n "
    "+ (datum.g ? ': F ' + datum.f + ' bytes, ' + datum.g + '; E ' + datum.e + ' bytes, ' + datum.k : '')"
)
"""What a cell is called by a screen reader; the same as on hover."""


def plan_figure(named: NamedPlan, name: str = "plan") -> Figure:
    """Return the picture of a plan, with the formula of every number on hover.

    Parameters
    ----------
    named
        The plan.
    name
        The figure's; letters, digits and hyphens.
    """
    rows = PlanRows(named)
    data = {CELLS: [_datum(rows, cell) for cell in rows.cells], BY_LAYER: layer_rows(rows)}
    line, below = _headline(rows)
    title = alt.TitleParams(line, fontSize=12, subtitle=below, anchor="start")
    chart = alt.hconcat(*([_grid(rows)] if rows.cells else []), plan_bars(rows), spacing=12, title=title)
    return figure(name, f"Plan of {named.name}", alternative(rows), chart, plan_table(rows, name), datasets=data)


def _headline(rows: PlanRows) -> tuple[str, list[str]]:
    """Return a line, and what stands below it."""
    found = rows.named.breakdown
    if not found.total:
        return "nothing is exchanged", left_out(rows)
    intra = sum(map(sum, found.intra))
    exact = f"exactly {in_full(found.total)} bytes"
    return f"{in_bytes(found.total)} a step, {share(intra, found.total)} of it intra-layer", [exact, *left_out(rows)]


def alternative(rows: PlanRows) -> str:
    """Return what the picture shows, in sentences."""
    named = rows.named
    instance, bytes_of = named.problem.instance, named.breakdown
    intra = in_full(sum(map(sum, bytes_of.intra)))
    words = "; ".join(f"{layer.name} {named.strategies[layer.name] or '-'}" for layer in rows.layers)
    return (
        f"A grid of {len(rows.layers)} layers and {instance.levels} levels with the choice in each cell, beside it "
        f"bars of each layer's bytes. {named.name} exchanges {in_full(bytes_of.total)} bytes a step, {intra} of them "
        f"inside layers. By layer, root level first: {words}. {' '.join(left_out(rows))}"
    ).strip()


def _grid(rows: PlanRows) -> alt.LayerChart | alt.FacetChart:
    levels = rows.named.problem.instance.levels
    width = min(CELL, MOST_WIDE / max(1, levels))
    base = alt.Chart(alt.NamedData(CELLS)).encode(
        x=alt.X("h:O", axis=levels_axis()),
        y=alt.Y("l:N", sort=None, axis=names_axis(len(rows.layers))),
        tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in ON_CELL.items()],
    )
    cells = base.mark_rect(stroke="white", strokeWidth=1).encode(
        color=plan_colour("a", rows.named.problem.instance.choices), description=alt.Description("d:N")
    )
    return (
        alt.layer(cells, letter_text(base, "a", len(rows.layers)))
        .transform_calculate(c=f"{dict(MEANINGS)}[datum.a]")
        .transform_calculate(d=SPOKEN)
        .properties(
            name=f"{RIGID}_grid", width=width * max(1, levels), height=row_step(len(rows.layers)) * len(rows.layers)
        )
    )


def _datum(rows: PlanRows, cell: PlanCell) -> dict[str, Any]:
    """Return what is known of a cell, as text with all digits."""
    tensor, own = (cell.summed, None) if isinstance(cell.summed, str) else cell.summed
    held = "" if own is None else f": {in_full(own.held)} elements a group"
    several = len(cell.crossings) > 1
    before = "; ".join(f"{one.producer} {one.choice} → {cell.choice}" for one in cell.crossings)
    found: dict[str, Any] = {"l": rows.layers[cell.row].name, "h": cell.level + 1, "a": cell.choice}
    found |= {"s": tensor + held, "i": in_full(cell.intra), "j": "" if own is None else str(own)}
    found |= {"n": before or "none: reads the input", "f": in_full(cell.feature), "e": in_full(cell.error)}
    parts = [(str(one.feature_from), str(one.error_from)) for one in cell.crossings]
    for key, place in (("g", 0), ("k", 1)):
        found[key] = " + ".join(f"({part[place]})" if several else part[place] for part in parts)
    return found


FIGURE: Final = FigureKind("plan", "The plan, layer by layer", "plan", plan_figure)
