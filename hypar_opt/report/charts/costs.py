"""What plans cost, as stacked bars: the parts of a step's time, and of its energy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.instance.objective.components import COMPONENTS, TIME, TOTALS
from hypar_opt.report.charts.bar_ends import cut_at, cut_note, end_of, mark_of, title_with
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.numbers import QUANTITY, in_component, percent, share, unit_of
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.report.content import NamedPlan


BAR: Final = 22
"""Pixels of a plan's bar."""


def _rows(costs: Mapping[str, Mapping[str, Fraction]], total: str, end: float | None) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for plan, own in costs.items():
        known = [part for part in TOTALS[total] if part in own]
        whole, before = sum(own[part] for part in known), 0.0
        for order, part in enumerate(known):
            value = float(own[part])
            row = {"plan": plan, "part": part, "order": order, "value": value}
            row["drawn"] = value if end is None else cut_at(before + value, end) - cut_at(before, end)
            before += value
            rows.append(row | {"exact": f"{exact(own[part])} {unit_of(part)}", "share": share(own[part], whole)})
        if known:
            text = f"{mark_of(float(whole), end)}{in_component(total, whole)}"
            rows[-1] |= {"whole": text, "end": cut_at(float(whole), end)}
    return rows


def _ends(costs: Mapping[str, Mapping[str, Fraction]], totals: Sequence[str]) -> dict[str, tuple[float | None, str]]:
    """Return by total where its bars are cut, and in a sentence which are."""
    found: dict[str, tuple[float | None, str]] = {}
    for total in totals:
        wholes = {plan: float(sum(own.get(part, 0) for part in TOTALS[total])) for plan, own in costs.items()}
        end = end_of(wholes.values())
        found[total] = (
            end,
            cut_note([f"{total} of {plan}" for plan, whole in wholes.items() if mark_of(whole, end)], end),
        )
    return found


def _bars(rows: Sequence[Mapping[str, Any]], total: str, end: float | None) -> alt.LayerChart | alt.FacetChart:
    parts = list(dict.fromkeys(row["part"] for row in rows))
    scale = alt.Scale(domain=parts, range=[COMPONENTS[part].colour for part in parts])
    legend = alt.Legend(orient="top", title=None, columns=3, symbolType="square")
    base = alt.Chart(inline(rows)).encode(y=alt.Y("plan:N", sort=None, title=None))
    axis = alt.Axis(**ticks(unit_of(total)), tickCount=6)
    said = "datum.plan + ', ' + datum.part + ': ' + datum.exact + ', ' + datum.share"
    bars = (
        base.transform_calculate(said=said)
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("drawn:Q", title=title_with(total, end), stack=True, axis=axis),
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


def costs_figure(plans: Sequence[NamedPlan]) -> Figure:
    """Return what a training step of every plan costs: a bar a plan for time, and one for energy, by parts.

    Raises
    ------
    Refusal
        If no part of either is known of any plan: the array says neither how fast links are, nor what accelerators
        can do.
    """
    costs = {one.name: one.problem.costs(one.breakdown, one.placed) for one in plans}
    totals = [total for total in TOTALS if any(part in own for own in costs.values() for part in TOTALS[total])]
    if not totals:
        raise Refusal("nothing is known of the time or the energy of these plans")
    notes = notes_of(plans, totals)
    model = plans[0].problem.instance.accelerator
    modelled = ", accelerators not known" if model is None else f", accelerators modelled {model.model}"
    title = f"{' and '.join(totals).capitalize()} of a training step by parts{modelled}"
    said = [f"{name}: {_summed(own, totals)}" for name, own in costs.items()]
    ends = _ends(costs, totals)
    cuts = [note for _, note in ends.values() if note]
    alternative = f"Stacked bars, one a plan. {'; '.join(said)}. {' '.join((*notes, *cuts))}"
    panels = [_bars(_rows(costs, total, end), total, end) for total, (end, _) in ends.items()]
    chart = alt.vconcat(*panels, spacing=14).resolve_scale(color="independent")
    return figure("costs", title, alternative, chart, costs_table(costs, totals, notes))


def notes_of(plans: Sequence[NamedPlan], totals: Sequence[str]) -> tuple[str, ...]:
    """Return what the bars rest on: the accelerators' model, what is fitted, what they leave out."""
    instance = plans[0].problem.instance
    notes = []
    if TIME in totals:
        notes.append("Nothing is overlapped: computing, then communicating.")
    model = instance.accelerator
    if model is None:
        return (*notes, "The array does not say what accelerators can do: their parts are missing.")
    notes.append(f"Accelerators are modelled {model.model}.")
    if model.utilisation is not None:
        notes.append(f"They reach {percent(model.utilisation, QUANTITY)} of their peak, a constant of the array.")
    return tuple(notes)


def _summed(own: Mapping[str, Fraction], totals: Sequence[str]) -> str:
    said = []
    for total in totals:
        known = {part: own[part] for part in TOTALS[total] if part in own}
        if known:
            whole, most = sum(known.values()), max(known, key=known.__getitem__)
            said.append(f"{total} {in_component(total, whole)}, most of it {most} ({share(known[most], whole)})")
    return ", ".join(said) or "not known"


def costs_table(costs: Mapping[str, Mapping[str, Fraction]], totals: Sequence[str], notes: tuple[str, ...]) -> Table:
    """Return the numbers: a row a plan, exact."""
    names = [name for total in totals for name in (*TOTALS[total], total) if any(name in own for own in costs.values())]
    columns = (
        Column("plan", "Plan"),
        *(
            Column(name, name.capitalize(), unit_of(name), digits=4, best="least" if name in totals else None)
            for name in names
        ),
    )
    least = {name: min((own[name] for own in costs.values() if name in own), default=None) for name in totals}
    rows = (
        (plan, *(Entry(own.get(name), best=name in own and own[name] == least.get(name)) for name in names))
        for plan, own in costs.items()
    )
    return Table("costs", "Time and energy by parts", columns, entry_rows(columns, rows), notes)


FIGURE: Final = FigureKind("costs", "Time and energy", "plans", costs_figure, "costs")
