"""What every layer exchanges more in one plan than in another, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.charts.plan_marks import bytes_axis, plan_colour, row_step
from hypar_opt.report.charts.plan_pair_data import BY_LAYER, GAP, IN_ALL, SIDES, Plans
from hypar_opt.report.charts.theme import inline

if TYPE_CHECKING:
    import altair as alt

BARS: Final = 260
"""Pixels."""


def pair_bars(known: Plans) -> alt.LayerChart | alt.FacetChart:
    """Return bars of what every layer exchanges more in the second plan than in the first."""
    import altair as alt

    rows, exact = len(known.layers), known.exact
    said = {"l": "layer", "u": "strategies"}
    texts = {"u": "datum.w[first] + ' → ' + datum.w[second]"}
    for number, what in (("p", "intra-layer"), ("q", "inter-layer before")):
        for side in SIDES:
            texts[f"{number}{side}"] = _digits(number, side, exact=exact)
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
    heading = [
        alt.Chart(alt.NamedData(IN_ALL))
        .transform_calculate(v=text)
        .mark_text(x=0, y=height, align="left", baseline="bottom", fontSize=11, fontWeight="bold", aria=False)
        .encode(text=alt.Text("v:N"))
        for text, height in (("'second - first'", -50), ("datum.m[first][second]", -36))
    ]
    return alt.layer(bars, zero, *heading).properties(width=BARS, height=row_step(rows) * rows)


def _digits(number: str, side: str, *, exact: bool) -> str:
    """Return the expression of a plan's bytes with all digits, of which a browser's numbers may lack some."""
    return f"format(datum.{number}[{side}], ',d')" if exact else f"datum.{number.upper()}[{side}]"
