"""An array of axes as a picture: for each axis the devices, those of a group in one colour."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import altair as alt

from hypar_opt.report.charts.links_geometry import CHARACTER
from hypar_opt.report.charts.operator_axes_data import COLOURS, SWITCH, AxesDrawing
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import MONO, Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.instance.operators.standing import Standing

NODES: Final = "axes-nodes"
LINKS: Final = "axes-links"
"""What the data are called."""
MOST_NODES: Final = 256
"""Of a picture that can still be read."""
BESIDE: Final = 2
"""Axes side by side."""
LONGEST: Final = 420.0
"""Pixels of a panel's longer side."""
IDLE: Final = "#CFCFCF"
"""Of links that join no two devices of a group."""
GREY: Final = "#999999"
"""Of switches."""


def axes_figure(drawing: AxesDrawing, name: str = "devices") -> Figure:
    """Return the groups of each axis: on the graph that devices stand on, or as a grid.

    Parameters
    ----------
    drawing
        The array.
    name
        The figure's; letters, digits and hyphens.

    Raises
    ------
    Refusal
        If it has no axis, or too many devices for a picture.
    """
    _refuse_large(drawing)
    data = {NODES: list(drawing.nodes()), LINKS: list(drawing.links())}
    axes = range(drawing.partition.levels)
    panels = [_panel(drawing, axis) for axis in axes]
    title = alt.TitleParams(drawing.said, fontSize=12, subtitle=_below(drawing), anchor="start")
    chart = alt.concat(*panels, columns=BESIDE, spacing=24, title=title)
    return figure(name, "The groups of the axes", alternative(drawing), chart, drawing.table(name), datasets=data)


def _below(drawing: AxesDrawing) -> list[str]:
    """Return how to read the picture."""
    most = max(drawing.partition.leaves // axis.size for axis in drawing.partition.axes)
    again = f"; colours return after {len(COLOURS)} groups" if most > len(COLOURS) else ""
    labels = ["labels: coordinates, outermost axis first"] if _labelled(drawing) else []
    links = "" if drawing.standing is None else ", and so have links between two of them"
    return [f"devices of a group have one colour{links}{again}", *labels]


def _labelled(drawing: AxesDrawing) -> bool:
    """Return whether coordinates have room in the nodes."""
    geometry = drawing.geometry
    left, _, right, _ = geometry.box
    letters = len(drawing.partition.address(drawing.partition.leaves - 1))
    return geometry.inside and geometry.dot * _sizes(drawing)[0] / (right - left) >= CHARACTER * letters + 2


def _refuse_large(drawing: AxesDrawing) -> None:
    count = drawing.partition.leaves
    if not drawing.partition.levels:
        raise Refusal("one device has no axes to draw")
    if count > MOST_NODES or len(drawing.machine.names) > MOST_NODES:
        count = max(count, len(drawing.machine.names))
        raise Refusal(f"a picture of {count:,} nodes cannot be read, at most {MOST_NODES:,} are drawn")


def beside_axes(upper: Figure, array: AxesArraySpec, standing: Standing) -> Figure:
    """Return a plan's picture with the groups of its axes below, where these can be drawn."""
    drawing = AxesDrawing.of_array(array, standing)
    if not is_drawable(drawing):
        return upper
    lower = axes_figure(drawing)
    whole = ("config", "datasets", "$schema", "description")
    views = [{key: part for key, part in one.spec.items() if key not in whole} for one in (upper, lower)]
    spec = {key: upper.spec[key] for key in whole if key in upper.spec}
    spec["datasets"] = {**upper.spec["datasets"], **lower.spec["datasets"]}
    said = spec["description"] = f"{upper.alternative} {lower.alternative}"
    return replace(upper, alternative=said, spec=spec | {"vconcat": views, "spacing": 30})


def is_drawable(drawing: AxesDrawing) -> bool:
    """Return whether there is a picture of an array."""
    try:
        _refuse_large(drawing)
    except Refusal:
        return False
    return True


def alternative(drawing: AxesDrawing) -> str:
    """Return what the picture shows, in sentences."""
    each = "; ".join(", ".join(drawing.headings(axis)) for axis in range(drawing.partition.levels))
    on = "a grid, a dimension an axis" if drawing.standing is None else f"a graph ({drawing.machine.topology})"
    return f"{drawing.partition.leaves:,} devices on {on}, once for each axis, coloured by its groups. {each}."


def _panel(drawing: AxesDrawing, axis: int) -> alt.LayerChart | alt.FacetChart:
    """Return the devices, coloured by their groups along an axis."""
    geometry = drawing.geometry
    left, low, right, high = geometry.box
    width, height = _sizes(drawing)
    colour = f"isValid(datum.c{axis}) ? datum.c{axis} : "
    x = alt.Scale(domain=[left, right], nice=False, zero=False)
    y = alt.Scale(domain=[low, high], nice=False, zero=False)
    links = (
        alt.Chart(alt.NamedData(LINKS))
        .transform_filter(f"datum.real || isValid(datum.c{axis})")
        .mark_rule(
            stroke=alt.ExprRef(f"{colour}'{IDLE}'"),
            strokeWidth=alt.ExprRef(f"isValid(datum.c{axis}) ? 5 : 1"),
            aria=False,
        )
        .encode(x=alt.X("x:Q", axis=None, scale=x), y=alt.Y("y:Q", axis=None, scale=y), x2="X", y2="Y")
    )
    base = alt.Chart(alt.NamedData(NODES)).encode(
        x=alt.X("x:Q", axis=None, scale=x),
        y=alt.Y("y:Q", axis=None, scale=y),
        tooltip=[alt.Tooltip("d:N", title="device"), alt.Tooltip("w:N", title="coordinates"), alt.Tooltip("n:N")],
    )
    size = min(geometry.dot * width / (right - left), geometry.dot) ** 2
    is_switch = f"datum.d === '{SWITCH}'"
    dots = (
        base.transform_calculate(said="datum.n + ', ' + datum.d + (datum.w ? ' at ' + datum.w : '')")
        .mark_point(
            fill=alt.ExprRef(f"{colour}'{GREY}'"),
            stroke="black",
            strokeWidth=0.7,
            opacity=1,
            shape=alt.ExprRef(f"{is_switch} ? 'square' : 'circle'"),
            size=alt.ExprRef(f"{is_switch} ? {0.35 * size} : {size}"),
        )
        .encode(description=alt.Description("said:N"))
    )
    labels = [base.mark_text(font=MONO, fontSize=10, aria=False).encode(text="w:N")] if _labelled(drawing) else []
    heading, *more = drawing.headings(axis)
    title = alt.TitleParams(heading, subtitle=more, fontSize=11, anchor="start")
    return alt.layer(links, dots, *labels).properties(
        name=f"{RIGID}_axis_{axis}", width=round(width), height=round(height), title=title
    )


def _sizes(drawing: AxesDrawing) -> tuple[float, float]:
    """Return a panel's sides in pixels: no longer than can be looked at side by side."""
    geometry = drawing.geometry
    left, low, right, high = geometry.box
    longest = max(right - left, high - low)
    scale = min(1.0, LONGEST / longest)
    return (right - left) * scale, (high - low) * scale


FIGURE: Final = FigureKind(
    "axes", "The groups of the axes", "axes", axes_figure, "array", is_drawable, of=("operators",)
)
