"""How all charts look: colours that colour-blind people tell apart, one font, and how a chart becomes a figure."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.cutting import cut
from hypar_opt.report.charts.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import altair as alt

    from hypar_opt.report.tables import Table

FONT: Final = "DejaVu Sans, Verdana, sans-serif"
PALETTE: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")
"""Okabe and Ito's colours, which people with any colour blindness tell apart."""
LETTERS: Final[Mapping[str, str]] = MappingProxyType({"d": PALETTE[0], "m": PALETTE[1], "o": PALETTE[2]})
"""The colour of each choice; charts show the letter too."""
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
    in_print = None if printed is None else _looks(printed, alternative)
    spec = _looks(chart, alternative)
    if datasets:
        spec["datasets"] = {**spec.get("datasets", {}), **datasets}
    return Figure(name, title, alternative, cut(spec), table, in_print)


def _looks(chart: alt.TopLevelMixin, alternative: str) -> dict[str, Any]:
    from altair.utils import schemapi

    # checking a chart takes most of the time of making it; who makes many leaves it out (altair's `debug_mode`)
    spec: dict[str, Any] = chart.to_dict(validate=schemapi.DEBUG_MODE)
    if "datasets" in spec:
        spec["datasets"] = {name: list(rows) for name, rows in spec["datasets"].items()}
    spec["config"] = {**dict(CONFIG), **{k: v for k, v in spec.get("config", {}).items() if k != "view"}}
    spec["description"] = alternative
    return spec
