"""What pictures of graphs from above to below have in common: axes of pixels, and lines from box to box."""

from __future__ import annotations

from typing import Any

import altair as alt


def pixel_axes(size: tuple[float, float], across: str, up: str) -> dict[str, Any]:
    """Return the axes of pixels of two fields, from the left and from above.

    Parameters
    ----------
    size
        Of the picture.
    across, up
        The fields.
    """
    width, height = size
    return {
        "x": alt.X(f"{across}:Q", axis=None, scale=alt.Scale(domain=[0, width], nice=False, zero=False)),
        "y": alt.Y(f"{up}:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False, zero=False)),
    }


def graph_lines(size: tuple[float, float], data: str, title: str, unit: str = "") -> alt.Chart:
    """Return lines from x, y to X, Y, thick and dark where m, with their names k and bytes b.

    Parameters
    ----------
    size
        Of the picture.
    data
        What the lines' data are called.
    title
        What a line's name is of.
    unit
        What is said behind its bytes, where they are numbers.
    """
    said = f" + '{unit}'" if unit else ""
    base = alt.Chart(alt.NamedData(data)).transform_calculate(d=f"datum.k + ': ' + datum.b{said}")
    chart: alt.Chart = base.mark_rule(strokeCap="round").encode(
        **pixel_axes(size, "x", "y"),
        x2="X:Q",
        y2="Y:Q",
        color=alt.condition("datum.m", alt.value("#222"), alt.value("#999")),
        strokeWidth=alt.condition("datum.m", alt.value(2.8), alt.value(1.2)),
        description=alt.Description("d:N"),
        tooltip=[alt.Tooltip("k:N", title=title), alt.Tooltip("b:N", title="bytes")],
    )
    return chart
