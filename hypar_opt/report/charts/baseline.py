"""Plans beside data parallelism: by every component of cost, how many times less they need."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.instance.objective.components import COMPONENTS
from hypar_opt.report.charts.bar_ends import cut_at, cut_note, end_of, mark_of, title_with
from hypar_opt.report.charts.quantities import APART
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.numbers import in_component, in_gain, unit_of
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.studies.baseline import data_parallelism

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.report.content.baseline import BesideBaseline
    from hypar_opt.report.content.named_plan import NamedPlan

LANE: Final = 15
"""Pixels of a bar."""
FULL, PALE = "#0072B2", "#999999"
"""Of a plan's bar, and of the baseline's."""
SAID: Final = "datum.plan + ', ' + datum.component + ': ' + datum.cost + ', gain ' + datum.said"


def baseline_figure(given: BesideBaseline) -> Figure:
    """Return the gain of every plan over data parallelism, by every component of cost that is known."""
    named = _once(given)
    costs = {one.name: one.problem.costs(one.breakdown, one.placed) for one in named}
    base = costs[given.baseline.name]
    components = [name for name in COMPONENTS if all(name in own for own in costs.values())]
    weighed = given.baseline.problem.objective.components
    gains = [_gain(base[name], own[name]) for name in components for own in costs.values()]
    end = end_of(float(gain) for gain in gains if gain is not None)
    rows = [
        _row(one.name, name, own[name], base[name], end, is_base=one is given.baseline)
        for name in components
        for one, own in zip(named, costs.values(), strict=True)
    ]
    notes = notes_of(given)
    cut = cut_note([f"{row['component']} of {row['plan']}" for row in rows if row["mark"]], end)
    best = given.plans[0].name
    said = "; ".join(
        f"{name} {in_component(name, costs[best][name])}, gain {in_gain(_gain(base[name], costs[best][name]))}"
        for name in components
    )
    title = "Gain over data parallelism by component of cost"
    alternative = (
        f"Bars, a group a component: how many times as much data parallelism costs. {best}: {said}. "
        f"The objective weighs {', '.join(weighed)}. {' '.join(filter(None, (*notes, cut)))}"
    )
    return figure("baseline", title, alternative, _chart(rows, end), _table(costs, base, components, notes))


def _once(given: BesideBaseline) -> list[NamedPlan]:
    """Return the plans and the baseline, which may be one of them."""
    there = any(one is given.baseline for one in given.plans)
    return list(given.plans) if there else [*given.plans, given.baseline]


def notes_of(given: BesideBaseline) -> tuple[str, ...]:
    """Return what the comparison rests on, in sentences."""
    named = given.baseline
    notes = [f"A gain is the cost of {data_parallelism(named.problem.instance.fix)} over the plan's."]
    if named.problem.is_free and named.plan.placement is not None:
        machine = named.problem.instance.machine
        ordered = tuple(named.plan.placement) == machine.accelerators[: len(named.plan.placement)]
        where = "on the accelerators in order" if ordered else "where the best plan stands"
        notes.append(f"Data parallelism stands {where}; its best placement was not searched for.")
    return tuple(notes)


def _gain(base: Fraction | int, cost: Fraction | int) -> Fraction | None:
    return Fraction(base) / cost if cost else None


def _row(
    plan: str, component: str, cost: Fraction, base: Fraction, end: float | None, *, is_base: bool
) -> dict[str, Any]:
    gain = _gain(base, cost)
    row = {"plan": plan, "component": component, "cost": in_component(component, cost), "base": is_base}
    row |= {"gain": None, "drawn": None, "mark": ""}
    if gain is not None:
        row |= {"gain": float(gain), "drawn": cut_at(float(gain), end), "mark": mark_of(float(gain), end)}
    return row | {"said": in_gain(gain)}


def _chart(rows: Sequence[Mapping[str, Any]], end: float | None) -> alt.TopLevelMixin:
    most = max((row["drawn"] for row in rows if row["drawn"] is not None), default=1.0)
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y("component:N", sort=None, title=None, axis=alt.Axis(ticks=False, domain=False, labelFontWeight="bold")),
        yOffset=alt.YOffset("plan:N", sort=None),
    )
    across = title_with("times as much by data parallelism", end)
    scale = alt.Scale(domain=[0, max(most, 1.0) * 1.35], nice=False)
    bars = (
        base.transform_calculate(d=SAID)
        .mark_bar(height=LANE - 3)
        .encode(
            x=alt.X("drawn:Q", title=across, scale=scale, axis=alt.Axis(tickCount=5, labelSeparation=APART)),
            color=alt.condition("datum.base", alt.value(PALE), alt.value(FULL)),
            description=alt.Description("d:N"),
            tooltip=[alt.Tooltip(f"{field}:N", title=said) for field, said in ON_BAR.items()],
        )
    )
    words = base.transform_calculate(t="datum.mark + datum.said + '  ' + datum.plan").mark_text(
        align="left", dx=4, aria=False
    )
    one = alt.Chart(inline([{}])).mark_rule(color="#444", strokeDash=[3, 3]).encode(x=alt.datum(1))
    labels = words.encode(x=alt.X("drawn:Q"), text="t:N")
    step = alt.Step(LANE, **{"for": "offset"})
    return alt.layer(bars, one, labels).properties(width=480, height=step)


ON_BAR: Final = {"plan": "plan", "component": "component", "cost": "costs", "said": "gain"}
"""What is said of a bar on hover."""


def _table(
    costs: Mapping[str, Mapping[str, Fraction]],
    base: Mapping[str, Fraction],
    components: Sequence[str],
    notes: tuple[str, ...],
) -> Table:
    columns = [Column("plan", "Plan")]
    for name in components:
        columns.append(Column(name, name.capitalize(), unit_of(name), digits=4, best="least"))
        columns.append(Column(f"{name} gain", f"{name.capitalize()}: gain", digits=4))
    least = {name: min(own[name] for own in costs.values()) for name in components}
    rows = []
    for plan, own in costs.items():
        row: list[Any] = [plan]
        for name in components:
            row += [Entry(own[name], best=own[name] == least[name]), _gain(base[name], own[name])]
        rows.append(tuple(row))
    return Table("baseline", "Plans beside data parallelism", tuple(columns), entry_rows(columns, rows), notes)


FIGURE: Final = FigureKind("baseline", "Beside data parallelism", "baseline", baseline_figure, "baseline")
