"""What a chart is, whatever shows it, and how all look: one font, and colours that colour-blind people tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.width import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import altair as alt

    from hypar_opt.report.tables import Table


@dataclass(frozen=True)
class Figure:
    """A chart with what stands for it where it cannot be seen.

    Parameters
    ----------
    name
        Of its files, and of its place on a page; letters, digits and hyphens.
    title
        A line above it.
    alternative
        What it shows, in a sentence or two, for whoever cannot see it.
    spec
        The chart in Vega-Lite. Names from instance files stand in its data only, never in an expression.
    table
        The numbers that it shows.
    printed
        The chart in print, where that is another one: without menus, or with what a page shows on hover.
    """

    name: str
    title: str
    alternative: str
    spec: Mapping[str, Any]
    table: Table
    printed: Mapping[str, Any] | None = None


FONT: Final = "DejaVu Sans, Verdana, sans-serif"
MONO: Final = "DejaVu Sans Mono, monospace"
"""Of words and leaves, whose letters are then as wide as each other."""
PALETTE: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
"""Okabe and Ito's colours, which people with any colour blindness tell apart."""
CONFIG: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "font": FONT,
        "background": "white",
        "view": {"stroke": None},
        "range": {"category": list(PALETTE), "heatmap": "viridis", "ramp": "viridis"},
        "axis": {
            "labelColor": "#222",
            "titleColor": "#222",
            "titleFontWeight": "normal",
            "gridColor": "#ddd",
            "labelLimit": 240,
        },
        "legend": {
            "labelColor": "#222",
            "titleColor": "#222",
            "labelLimit": 240,
            "layout": {"bottom": {"anchor": "start", "direction": "vertical"}},
        },
        "aria": True,
    }
)


def inline(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Return rows as a chart's data; altair copies lists, row by row, whenever views are put together, not tuples."""
    import altair as alt

    return alt.InlineData(values=tuple(dict(row) for row in rows))


def figure(
    name: str,
    title: str,
    alternative: str,
    chart: alt.TopLevelMixin,
    table: Table,
    printed: alt.TopLevelMixin | None = None,
    datasets: Mapping[str, list[dict[str, Any]]] | None = None,
) -> Figure:
    """Return a chart as a figure, with the looks of all charts and its text alternative inside.

    Parameters
    ----------
    printed
        The chart in print, where that is another one.
    datasets
        What the chart calls by name: shared by its views, and not looked through row by row.
    """
    spec = _looks(chart, alternative)
    if datasets:
        spec["datasets"] = {**spec.get("datasets", {}), **datasets}
    return Figure(name, title, alternative, cut(spec), table, None if printed is None else _looks(printed, alternative))


def _looks(chart: alt.TopLevelMixin, alternative: str) -> dict[str, Any]:
    from altair.utils import schemapi

    # checking a chart takes most of the time of making it; who makes many leaves it out (altair's `debug_mode`)
    spec: dict[str, Any] = chart.to_dict(validate=schemapi.DEBUG_MODE)
    if "datasets" in spec:
        spec["datasets"] = {name: list(rows) for name, rows in spec["datasets"].items()}
    spec["config"] = {**dict(CONFIG), **{k: v for k, v in spec.get("config", {}).items() if k != "view"}}
    spec["description"] = alternative
    return spec
