"""Where an array's nodes and links stand, as axes of pixels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt

    from hypar_opt.report.charts.links_data import Links


def across(field: str, known: Links) -> alt.X:
    """Return the axis of pixels from left to right."""
    import altair as alt

    left, _, right, _ = known.geometry.box
    return alt.X(f"{field}:Q", axis=None, scale=alt.Scale(domain=[left, right], nice=False, zero=False))


def up(field: str, known: Links) -> alt.Y:
    """Return the axis of pixels from below."""
    import altair as alt

    _, low, _, high = known.geometry.box
    return alt.Y(f"{field}:Q", axis=None, scale=alt.Scale(domain=[low, high], nice=False, zero=False))
