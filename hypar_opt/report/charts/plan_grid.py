"""A plan as a picture: layers x levels with the choice in each cell (HyPar, Figure 5), beside it each layer's bytes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.plan_file import in_full
from hypar_opt.report.charts.fitting import RIGID
from hypar_opt.report.charts.plan_bars import BY_LAYER, layer_rows, plan_bars
from hypar_opt.report.charts.plan_cells import PlanCell, PlanRows, left_out
from hypar_opt.report.charts.plan_marks import (
    MEANINGS,
    letter_text,
    levels_axis,
    names_axis,
    plan_colour,
    row_step,
)
from hypar_opt.report.charts.plan_table import plan_table
from hypar_opt.report.charts.theme import figure
from hypar_opt.report.numbers import in_bytes, share

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt

    from hypar_opt.report.charts.figure import Figure
    from hypar_opt.reporting import Named

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


def plan_figure(named: Named, name: str = "plan") -> Figure:
    """Return the picture of a plan, with the formula of every number on hover.

    Parameters
    ----------
    named
        The plan.
    name
        The figure's; letters, digits and hyphens.
    """
    import altair as alt

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
    import altair as alt

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
