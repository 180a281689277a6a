"""What plans cost drawn."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.components import (
    ADD_ENERGY,
    COMM_ENERGY,
    COMM_TIME,
    COMPUTE_TIME,
    DRAM_ENERGY,
    MULTIPLY_ENERGY,
    SRAM_ENERGY,
    TOTALS,
)
from hypar_opt.plan_file import exact
from hypar_opt.report.charts.theme import PALETTE, inline
from hypar_opt.report.numbers import in_component, share, unit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    import altair as alt

COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {
        COMPUTE_TIME: PALETTE[4],
        COMM_TIME: PALETTE[1],
        MULTIPLY_ENERGY: PALETTE[0],
        ADD_ENERGY: PALETTE[4],
        SRAM_ENERGY: PALETTE[2],
        DRAM_ENERGY: PALETTE[6],
        COMM_ENERGY: PALETTE[1],
    }
)
"""By part; communication has one colour in both."""
PLAIN: Final = 100_000
"""Seconds or joules up to which an axis has no prefixes."""
BAR: Final = 22
"""Pixels of a plan's bar."""


def _rows(costs: Mapping[str, Mapping[str, Fraction]], total: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for plan, own in costs.items():
        known = [part for part in TOTALS[total] if part in own]
        whole = sum(own[part] for part in known)
        own_rows: list[dict[str, Any]] = [
            {
                "plan": plan,
                "part": part,
                "order": order,
                "value": float(own[part]),
                "exact": f"{exact(own[part])} {unit_of(part)}",
                "share": share(own[part], whole),
            }
            for order, part in enumerate(known)
        ]
        if own_rows:
            own_rows[-1] |= {"whole": in_component(total, whole), "end": float(whole)}
        rows += own_rows
    return rows


def chart_of(costs: Mapping[str, Mapping[str, Fraction]], totals: Sequence[str]) -> alt.TopLevelMixin:
    """Return a panel of bars a total, one below the other.

    Parameters
    ----------
    costs
        By plan, the parts that are known of it.
    totals
        What is drawn: time, energy.
    """
    import altair as alt

    bars = [_bars(_rows(costs, total), total) for total in totals]
    made: alt.TopLevelMixin = alt.vconcat(*bars, spacing=14).resolve_scale(color="independent")
    return made


def _ticks_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return plain numbers for ticks that need no prefix: 200 s, not 0.2k s."""
    most = max((row["end"] for row in rows if "end" in row), default=0)
    return ",~r" if 1 <= most < PLAIN else "~s"


def _bars(rows: Sequence[Mapping[str, Any]], total: str) -> alt.LayerChart | alt.FacetChart:
    import altair as alt

    parts = list(dict.fromkeys(row["part"] for row in rows))
    scale = alt.Scale(domain=parts, range=[COLOURS[part] for part in parts])
    legend = alt.Legend(orient="top", title=None, columns=3, symbolType="square")
    base = alt.Chart(inline(rows)).encode(y=alt.Y("plan:N", sort=None, title=None))
    said = "datum.plan + ', ' + datum.part + ': ' + datum.exact + ', ' + datum.share"
    bars = (
        base.transform_calculate(said=said)
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X(
                "value:Q",
                title=f"{total} ({unit_of(total)})",
                stack=True,
                axis=alt.Axis(format=_ticks_of(rows), tickCount=6),
            ),
            color=alt.Color("part:N", scale=scale, legend=legend),
            order=alt.Order("order:Q"),
            tooltip=[
                alt.Tooltip("plan:N"),
                alt.Tooltip("part:N"),
                alt.Tooltip("exact:N", title="exactly"),
                alt.Tooltip("share:N", title=f"share of {total}"),
            ],
            description=alt.Description("said:N"),
        )
    )
    wholes = base.transform_filter("isValid(datum.whole)").mark_text(align="left", dx=4, aria=False)
    shown = wholes.encode(x="end:Q", text="whole:N")
    return alt.layer(bars, shown).properties(width=520, height=alt.Step(BAR))
