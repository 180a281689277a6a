"""Bars of plans of operators beside each other, stacked from parts that each have a colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.theme import PALETTE, inline
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

STEP: Final = 26
"""Pixels of a bar with its space."""


@dataclass(frozen=True)
class StackedBars:
    """Bars, a plan each.

    Parameters
    ----------
    title
        Of their axis.
    unit
        Of what they measure.
    text
        Returns a value in short, with its unit.
    values
        By plan and part.
    limit
        Where a line stands, if one does.
    """

    title: str
    unit: str
    text: Callable[[Fraction], str]
    values: Mapping[str, Mapping[str, Fraction]]
    limit: Fraction | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """All that some plan has, in order."""
        return tuple(dict.fromkeys(part for own in self.values.values() for part in own))

    @property
    def data(self) -> list[dict[str, Any]]:
        """A datum a plan and part."""
        return [
            {"plan": plan, "part": part, "at": self.parts.index(part), "value": float(value)}
            | {"exact": f"{in_full(value)} {self.unit}", "short": self.text(value)}
            for plan, own in self.values.items()
            for part, value in own.items()
        ]

    def chart(self) -> alt.LayerChart | alt.FacetChart:
        """Return the bars with their sums, and the limit as a line."""
        y = alt.Y("plan:N", sort=None, title=None)
        scale = alt.Scale(domain=list(self.parts), range=[PALETTE[at % len(PALETTE)] for at in range(len(self.parts))])
        legend = alt.Legend(orient="top", title=None, columns=3, symbolType="square")
        axis = alt.Axis(**ticks(self.unit), tickCount=6)
        bars = (
            alt.Chart(inline(self.data))
            .transform_calculate(said="datum.plan + ', ' + datum.part + ': ' + datum.exact")
            .mark_bar(stroke="white", strokeWidth=0.5)
            .encode(
                x=alt.X("value:Q", title=self.title, stack=True, axis=axis),
                y=y,
                color=alt.Color("part:N", scale=scale, legend=legend),
                order=alt.Order("at:O"),
                tooltip=[alt.Tooltip(f"{name}:N") for name in ("plan", "part", "short", "exact")],
                description=alt.Description("said:N"),
            )
        )
        sums = [{"plan": plan, "value": float(whole), "text": self.text(whole)} for plan, whole in self.wholes.items()]
        texts = alt.Chart(inline(sums)).mark_text(align="left", dx=4, aria=False)
        layers: list[Any] = [bars, texts.encode(x="value:Q", y=y, text="text:N")]
        if self.limit is not None:
            line = [{"limit": float(self.limit), "said": f"capacity {self.text(self.limit)}"}]
            rule = alt.Chart(inline(line)).mark_rule(strokeDash=[5, 3], strokeWidth=2, color="#B00020")
            layers.append(rule.encode(x="limit:Q", tooltip="said:N", description=alt.Description("said:N")))
        return alt.layer(*layers).properties(width=520, height=alt.Step(STEP))

    @property
    def wholes(self) -> Mapping[str, Fraction]:
        """By plan, all its parts."""
        return {plan: sum(own.values(), start=0 * next(iter(own.values()))) for plan, own in self.values.items() if own}

    def said(self) -> str:
        """Return each plan's sum and its largest part, in a sentence."""
        told = []
        for plan, whole in self.wholes.items():
            most = max(self.values[plan], key=lambda part: self.values[plan][part])
            told.append(f"{plan}: {self.text(whole)}, most of it {most} ({self.text(self.values[plan][most])})")
        return "; ".join(told)

    def table(self, name: str, title: str, notes: Sequence[str] = ()) -> Table:
        """Return the numbers: a row a plan, exact."""
        columns = (
            Column("plan", "Plan"),
            *(Column(part, part, self.unit, digits=4) for part in self.parts),
            Column("all", "all", self.unit, digits=4, best="least"),
        )
        rows = [
            (plan, *(own.get(part) for part in self.parts), self.wholes.get(plan)) for plan, own in self.values.items()
        ]
        return Table(name, title, columns, entry_rows(columns, rows), tuple(notes))
