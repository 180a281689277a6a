"""An audit as a chart: how many claims of every source hold."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.studies.claims import ClaimRow, ClaimVerdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


LOOKS: Final[Mapping[ClaimVerdict, tuple[str, str]]] = MappingProxyType(
    {
        ClaimVerdict.CONFIRMED: ("✓", PALETTE[4]),
        ClaimVerdict.REFUTED: ("✗", PALETTE[5]),
        ClaimVerdict.NOT_REPRODUCIBLE: ("–", PALETTE[6]),
        ClaimVerdict.UNDECIDED: ("?", "#bbb"),
    }
)
"""Colours, all light enough for black letters, and the sign that stands beside each."""
SHOWN: Final = "(datum.claims > 1 ? datum.claims + ' ' : '') + substring(datum.verdict, 0, 1)"
SAID: Final = "datum.claims + ' of ' + datum.of + ' claims ' + substring(datum.verdict, 2) + ', ' + datum.source"
"""In a bar, and to whoever cannot see it."""


def verdicts_figure(rows: Sequence[ClaimRow]) -> Figure:
    """Return how many claims of every source have which verdict, as stacked bars in the claims' order."""
    counts = counted(rows)
    totals = {verdict: sum(own[verdict] for own in counts.values()) for verdict in ClaimVerdict}
    known = [f"{count} {verdict}" for verdict, count in totals.items() if count]
    worst = [source for source, own in counts.items() if own[ClaimVerdict.REFUTED]]
    refuted = f" Sources with a refuted claim: {'; '.join(worst)}." if worst else ""
    title = f"{len(rows)} claims by source: {', '.join(known) or 'none judged'}"
    return figure("verdicts", title, f"{title}.{refuted}", _chart(counts), verdicts_table(counts))


def counted(rows: Sequence[ClaimRow]) -> dict[str, dict[ClaimVerdict, int]]:
    """Return how many claims of every source have which verdict."""
    counts: dict[str, dict[ClaimVerdict, int]] = {}
    for row in rows:
        own = counts.setdefault(row.claim.spec.source, dict.fromkeys(ClaimVerdict, 0))
        own[row.verdict] += 1
    return counts


def verdicts_table(counts: Mapping[str, Mapping[ClaimVerdict, int]]) -> Table:
    """Return the numbers."""
    columns = (
        Column("source", "Source"),
        *(Column(one.value.replace(" ", "_"), one.value.capitalize()) for one in ClaimVerdict),
        Column("claims", "Claims"),
    )
    rows = ((source, *(own[one] for one in ClaimVerdict), sum(own.values())) for source, own in counts.items())
    return Table("verdicts", "Verdicts by source", columns, entry_rows(columns, rows))


def _rows(counts: Mapping[str, Mapping[ClaimVerdict, int]]) -> list[dict[str, Any]]:
    rows = []
    for source, own in counts.items():
        begin = 0
        for position, verdict in enumerate(ClaimVerdict):
            if own[verdict]:
                shown = f"{LOOKS[verdict][0]} {verdict.value}"
                row = {"source": source, "verdict": shown, "claims": own[verdict], "of": sum(own.values())}
                rows.append(row | {"order": position, "middle": begin + own[verdict] / 2})
            begin += own[verdict]
    return rows


def _chart(counts: Mapping[str, Mapping[ClaimVerdict, int]]) -> alt.TopLevelMixin:
    rows = _rows(counts)
    if not rows:  # an axis of nothing would have no end
        said: alt.Chart = alt.Chart(inline([{"text": "no claims"}])).mark_text().encode(text="text:N")
        return said
    used = [one for one in ClaimVerdict if any(own[one] for own in counts.values())]
    scale = alt.Scale(domain=[f"{LOOKS[one][0]} {one}" for one in used], range=[LOOKS[one][1] for one in used])
    legend = alt.Legend(orient="bottom", title=None, direction="horizontal", columns=2, symbolType="square")
    base = alt.Chart(inline(rows)).encode(y=alt.Y("source:N", sort=None, title=None))
    bars = base.mark_bar(stroke="white", strokeWidth=1).encode(
        x=alt.X("claims:Q", title="claims", stack=True, axis=alt.Axis(tickMinStep=1)),
        color=alt.Color("verdict:N", scale=scale, legend=legend),
        order=alt.Order("order:Q"),
        tooltip=[alt.Tooltip("source:N"), alt.Tooltip("verdict:N"), alt.Tooltip("claims:Q"), alt.Tooltip("of:Q")],
        description=alt.Description("said:N"),
    )
    signs = base.mark_text(fontSize=9, color="black", aria=False).encode(x="middle:Q", text="shown:N")
    whole = alt.layer(bars.transform_calculate(said=SAID), signs.transform_calculate(shown=SHOWN))
    return whole.properties(width=460, height=alt.Step(16))


FIGURE: Final = FigureKind("verdicts", "Verdicts on claims", "claims", verdicts_figure)
