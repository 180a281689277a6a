"""The nodes of an array as marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.arrays.style import GROUPS
from hypar_opt.report.arrays.style import SWITCH as SWITCH_COLOUR
from hypar_opt.report.charts.links_axes import across, up
from hypar_opt.report.charts.links_data import SWITCH, UNUSED, Links

if TYPE_CHECKING:
    import altair as alt

NODES: Final = "nodes"
"""What the data are called."""
PALE: Final = "#E8E8E8"
"""Of accelerators that no leaf stands on."""
FONT: Final = "DejaVu Sans Mono, monospace"
"""Of leaves, whose digits are then as wide as each other."""


def nodes(known: Links) -> list[alt.Chart]:
    """Return accelerators coloured by their group and labelled with their leaf, switches grey and square."""
    import altair as alt

    groups = known.groups()
    kinds = [*groups, UNUSED, SWITCH]
    data = known.nodes()
    there = [kind for kind in kinds if any(datum["g"] == kind for datum in data)]
    colours = dict(zip(kinds, [*GROUPS[: len(groups)], PALE, SWITCH_COLOUR], strict=True))
    shapes = {kind: "square" if kind == SWITCH else "diamond" if kind == UNUSED else "circle" for kind in kinds}
    legend = alt.Legend(title="nodes", symbolStrokeColor="black", symbolStrokeWidth=0.7, symbolSize=110)
    said = {"n": "node", "g": "which is", "w": "leaf"}
    base = alt.Chart(alt.NamedData(NODES)).encode(
        x=across("x", known),
        y=up("y", known),
        tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
    )
    size = known.geometry.dot**2
    dots = (
        base.transform_calculate(d="datum.n + ', ' + datum.g + (datum.w ? ', leaf ' + datum.w : '')")
        .mark_point(strokeWidth=0.7, opacity=1)
        .encode(
            fill=alt.Fill("g:N", scale=alt.Scale(domain=there, range=[colours[one] for one in there]), legend=legend),
            shape=alt.Shape("g:N", scale=alt.Scale(domain=there, range=[shapes[one] for one in there]), legend=legend),
            size=alt.condition(f"datum.g === '{SWITCH}'", alt.value(0.4 * size), alt.value(size)),
            stroke=alt.StrokeValue("black"),
            description=alt.Description("d:N"),
        )
    )
    if known.geometry.inside:
        return [dots, base.mark_text(font=FONT, fontSize=10, aria=False).encode(text=alt.Text("w:N"))]
    return [dots, *(_outside(base, known, ends=ends) for ends in (False, True))]


def _outside(base: alt.Chart, known: Links, *, ends: bool) -> alt.Chart:
    """Return the labels that begin at their nodes, or those that end there."""
    import altair as alt

    text: alt.Chart = base.transform_filter(f"datum.e === {'true' if ends else 'false'}")
    marks: alt.Chart = text.mark_text(font=FONT, fontSize=9, align="right" if ends else "left", aria=False)
    return marks.encode(
        x=across("X", known), y=up("Y", known), text=alt.Text("w:N"), angle=alt.Angle("a:Q", scale=None)
    )
