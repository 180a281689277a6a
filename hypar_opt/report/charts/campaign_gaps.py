"""How gaps of a campaign are distributed: a curve an accounting, of how many chains are missed by more than a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.numbers import percent
from hypar_opt.report.tables import Column, Entry, Table
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.random_instances import CampaignOutcome, Tally

WIDE, HIGH = 560, 340
"""Pixels."""
COLOURS: Final = (*PALETTE[:6], PALETTE[7])
DASHES: Final = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2))
SHOWN: Final = (10, 25, 50, 75, 90, 99, 100)
"""Percentiles of the table."""


def campaign_gaps_figure(outcome: CampaignOutcome) -> Figure:
    """Return shares of the decided chains over gaps, from percentiles of the missed ones.

    Raises
    ------
    Refusal
        If no chain was missed.
    """
    curves = {_name(one): one for one in outcome.tallies if one.percentiles and one.percentiles[-1] > 0}
    if not curves:
        raise Refusal("no chain was missed, so that there are no gaps to draw")
    rows: list[dict[str, Any]] = [
        {
            "gap": gap, "share": share, "curve": name,
            "said": f"{name}: {percent(share)} of the chains by more than {percent(gap)}",
        }
        for name, one in curves.items() for gap, share in _points(one)
    ]  # fmt: skip
    x = alt.X(
        "gap:Q", title="gap, of the optimum", scale=alt.Scale(type="log"), axis=alt.Axis(format="~%", tickCount=6)
    )
    y = alt.Y("share:Q", title="chains with a larger gap", scale=alt.Scale(zero=True), axis=alt.Axis(format="~%"))
    names = list(curves)
    colour = alt.Scale(domain=names, range=[COLOURS[place % len(COLOURS)] for place in range(len(names))])
    dash = alt.Scale(domain=names, range=[list(DASHES[place % len(DASHES)]) for place in range(len(names))])
    legend = alt.Legend(orient="bottom", columns=2)
    chart = (
        alt.Chart(inline(rows))
        .mark_line(strokeWidth=1.6, interpolate="step-after")
        .encode(
            x=x,
            y=y,
            color=alt.Color("curve:N", scale=colour, title=None, legend=legend),
            strokeDash=alt.StrokeDash("curve:N", scale=dash, title=None, legend=legend),
            tooltip=alt.Tooltip("said:N", title="missed"),
            description=alt.Description("said:N"),
        )
        .properties(width=WIDE, height=HIGH)
    )
    ends = "; ".join(f"{name} {percent(one.fraction or 0)}, by up to {percent(one.largest or 0)}"
                     for name, one in curves.items())  # fmt: skip
    said = f"Curves, one an accounting, of the share of chains that are missed by more than a gap. Missed: {ends}."
    title = f"Gaps of family {outcome.family.name}, seed {outcome.seed}, {outcome.chains:,} chains (logarithmic)"
    return figure("gaps", title, said, chart, gaps_table(list(curves.values())))


def gaps_table(tallies: Sequence[Tally]) -> Table:
    """Return the percentiles of missed chains' gaps, a row an accounting."""
    columns = (
        Column("accounting", "accounting"),
        Column("plan", "plan"),
        *(Column(f"p{at}", f"{at} %", digits=3) for at in SHOWN),
    )
    rows = tuple(
        {"accounting": Entry(one.accounting), "plan": Entry(one.plan)}
        | {f"p{at}": Entry(one.percentiles[at - 1], percent(one.percentiles[at - 1])) for at in SHOWN}
        for one in tallies
    )
    return Table("gaps", "Percentiles of the missed chains' gaps", columns, rows)


def _name(tally: Tally) -> str:
    return f"{tally.accounting}, {tally.plan}"


def _points(tally: Tally) -> list[tuple[float, float]]:
    """Return gaps with the share of the decided chains that are missed by more, from where all of them are."""
    share = tally.fraction or 0.0
    values = [(gap, share * (100 - at) / 100) for at, gap in enumerate(tally.percentiles, start=1) if gap > 0]
    return [(values[0][0], share), *values]


FIGURE: Final = FigureKind("gaps", "Gaps of a campaign", "gaps", campaign_gaps_figure)
