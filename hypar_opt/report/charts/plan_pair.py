"""Two plans side by side, chosen from all of an instance: what differs, and what that costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import altair as alt

from hypar_opt.report.charts.plan_cells import (
    bytes_axis,
    left_out,
    levels_axis,
    names_axis,
    on_dark,
    plan_colour,
    row_step,
)
from hypar_opt.report.charts.plan_pair_data import BY_LAYER, GAP, IN_ALL, SIDES, Plans, difference_of, plans_table
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.charts.width import RIGID
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.content import NamedPlan

    Layered = alt.LayerChart | alt.FacetChart


BARS: Final = 260
"""Pixels."""


def pair_bars(known: Plans) -> alt.LayerChart | alt.FacetChart:
    """Return bars of what every layer exchanges more in the second plan than in the first."""
    rows, exact = len(known.layers), known.exact
    said = {"l": "layer", "u": "strategies"}
    texts = {"u": "datum.w[first] + ' → ' + datum.w[second]"}
    for number, what in (("p", "intra-layer"), ("q", "inter-layer before")):
        for side in SIDES:
            # with all digits, of which a browser's numbers may lack some
            texts[f"{number}{side}"] = (
                f"format(datum.{number}[{side}], ',d')" if exact else f"datum.{number.upper()}[{side}]"
            )
            said[f"{number}{side}"] = f"{side} plan, {what}, bytes"
        more = f"datum.{number}[second] - datum.{number}[first]"
        texts[f"{number}more"] = f"format({more}, '+,d')" if exact else f"'about ' + format({more}, '+.6~g')"
        said[f"{number}more"] = f"{what}, difference"
    base = (
        alt.Chart(alt.NamedData(BY_LAYER))
        .transform_calculate(i="datum.p[second] - datum.p[first]", j="datum.q[second] - datum.q[first]", **texts)
        .transform_calculate(
            d="datum.l + ', ' + datum.u + ': intra-layer ' + datum.pmore + ' bytes, inter-layer ' + datum.qmore"
        )
        .transform_fold(["i", "j"], as_=["k", "b"])
        .encode(
            y=alt.Y("l:N", sort=None, axis=None, scale=alt.Scale(paddingInner=GAP)),
            tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
        )
    )
    bars = base.mark_bar(stroke="#333", strokeWidth=0.8).encode(
        x=bytes_axis("b", title="bytes more in the second plan"),
        color=plan_colour("k", known.all[0].problem.instance.choices),
        order=alt.Order("k:O"),
        description=alt.Description("d:N"),
    )
    zero = alt.Chart(inline([{"z": 0}])).mark_rule(color="#333", aria=False).encode(x=alt.X("z:Q"))
    heading = _above([("'second - first'", "bold"), ("datum.m[first][second]", "bold")])
    return alt.layer(bars, zero, *heading).properties(width=BARS, height=row_step(rows) * rows)


CELL, NARROWEST, MOST_WIDE = 26, 120, 400
"""Pixels: of a cell where there is room, of a grid at the least and the most."""
LINE, FIRST = 14, -22
"""Pixels: of a line above a grid, and from the grid up to them all."""
FADED: Final = 0.3
"""Opacity of cells in which the plans agree."""


def pair_figure(plans: Sequence[NamedPlan]) -> Figure:
    """Return any two of an instance's plans side by side; at first the best and the greedy one.

    Parameters
    ----------
    plans
        Of one instance.

    Raises
    ------
    Refusal
        If there are fewer than two, or nothing was to be chosen.
    """
    if len(plans) < 2:
        raise Refusal(f"two plans are needed to be set side by side, got {len(plans)}")
    known = Plans(tuple(plans))
    if not plans[0].problem.instance.levels:
        raise Refusal("one accelerator leaves nothing to choose, so that plans do not differ")
    grids = [_grid(known, side, named=side == "first") for side in SIDES]
    data = {BY_LAYER: known.by_layer(), IN_ALL: [known.in_all()]}
    subtitle = left_out(known.rows[0])
    chart = alt.hconcat(*grids, pair_bars(known), spacing=14, params=_selects(known))
    if subtitle:
        chart = chart.properties(title=alt.TitleParams(subtitle[0], fontWeight="normal", fontSize=11))
    return figure(
        "plans-side-by-side",
        "Two plans side by side",
        alternative(known),
        chart,
        plans_table(known, "plans"),
        datasets=data,
    )


def alternative(known: Plans) -> str:
    """Return what the picture shows at first, in sentences."""
    first, second = (known.all[place] for place in known.default())
    more = difference_of(first, second)
    unlike = [name for name in known.layers if first.strategies[name] != second.strategies[name]]
    words = "; ".join(f"{name} {first.strategies[name]} and {second.strategies[name]}" for name in unlike)
    return (
        f"Grids of two plans, chosen from {len(known.all)}, and bars of what each layer exchanges more in the second. "
        f"At first {first.name} and {second.name}, which compared with it exchanges {more}. "
        f"They choose differently in {len(unlike)} of {len(known.layers)} layers{': ' if words else ''}{words}."
    )


def _selects(known: Plans) -> list[alt.VariableParameter]:
    """Names are the options' labels; what is chosen is a position."""
    names = [one.name for one in known.all]
    return [
        alt.VariableParameter(
            name=side,
            value=place,
            bind=alt.binding_select(options=list(range(len(names))), labels=names, name=f"{side} plan "),
        )
        for side, place in zip(SIDES, known.default(), strict=True)
    ]


def _grid(known: Plans, side: str, *, named: bool) -> Layered:
    """One plan's choices; those that the other does not share are framed, the rest pale."""
    field, rows = SIDES[side], len(known.layers)
    instance = known.all[0].problem.instance
    levels = max(1, instance.levels)
    width = min(MOST_WIDE, max(NARROWEST, CELL * levels))
    letters = {f"{letter}": f"split(datum.w[{side}], '')" for side, letter in SIDES.items()}
    said = {"l": "layer", "h": "level", "a": "first plan's choice", "b": "second plan's choice"}
    base = (
        alt.Chart(alt.NamedData(BY_LAYER))
        .transform_calculate(h=f"sequence(1, {instance.levels + 1})", **letters)
        .transform_flatten(["h", "a", "b"])
        .transform_calculate(
            x="datum.a !== datum.b",
            d="datum.l + ', level ' + datum.h + ': first ' + datum.a + ', second ' + datum.b",
        )
        .encode(
            x=alt.X("h:O", axis=levels_axis(), scale=alt.Scale(paddingInner=GAP)),
            y=alt.Y("l:N", sort=None, axis=names_axis(rows) if named else None, scale=alt.Scale(paddingInner=GAP)),
            tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
        )
    )
    cells = base.mark_rect(
        stroke="black", fillOpacity=alt.ExprRef(f"datum.x ? 1 : {FADED}"), strokeWidth=alt.ExprRef("datum.x ? 2 : 0")
    ).encode(color=plan_colour(field, instance.choices), description=alt.Description("d:N"))
    ink = alt.ExprRef(f"datum.x && {on_dark(field)} ? 'white' : 'black'")
    weight: Literal["bold", "normal"] = "bold" if instance.levels <= 8 else "normal"
    text = base.mark_text(fontSize=11, fontWeight=weight, color=ink, aria=False).encode(text=alt.Text(f"{field}:N"))
    return alt.layer(cells, text, *_heading(known, side, width)).properties(
        name=f"{RIGID}_{side}", width=width, height=row_step(rows) * rows
    )


def _heading(known: Plans, side: str, width: float) -> list[alt.Chart]:
    """Return the plan's name, its bytes, and what it comes to in what is optimised, above its grid."""
    fields = [("n", "bold"), ("s", "normal"), *([("o", "normal")] if known.weighed else [])]
    return _above([(f"datum.{field}[{side}]", weight) for field, weight in fields], limit=width)


def _above(lines: Sequence[tuple[str, Any]], *, limit: Any = alt.Undefined) -> list[alt.Chart]:
    """Return lines above a grid, each an expression of Vega with its weight."""
    looks: dict[str, Any] = {"align": "left", "baseline": "bottom", "fontSize": 11, "aria": False, "limit": limit}
    return [
        alt.Chart(alt.NamedData(IN_ALL))
        .transform_calculate(v=line)
        .mark_text(**looks, x=0, y=LINE * (place - len(lines)) + FIRST, fontWeight=weight)
        .encode(text=alt.Text("v:N"))
        for place, (line, weight) in enumerate(lines)
    ]


FIGURE: Final = FigureKind(
    "pair", "Two plans side by side", "plans", pair_figure, "pairs", accepts=lambda plans: len(plans) > 1
)
