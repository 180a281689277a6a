"""What it costs to force a layer off its strategy: a bar a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.bar_ends import cut_at, cut_note, end_of, mark_of, title_with
from hypar_opt.report.charts.plan_cells import names_axis, row_step
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.numbers import exactly, in_component, unit_of_objective
from hypar_opt.report.plan_rows import regret_text
from hypar_opt.report.tables import Column, Entry, Table, entry_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.report.content.content import LayerRegrets
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.regrets import Regret

MOST_BARS: Final = 150
"""Layers of a picture that can still be read."""
SAID: Final = "datum.layer + ' ' + datum.word + ', second best ' + datum.second + ': ' + datum.text"
NONE: Final = "no other strategy is allowed"


def regrets_figure(found: LayerRegrets) -> Figure:
    """Return a bar for every layer: how much more the best plan costs in which it has another strategy."""
    named, regrets = found.named, found.explanation.regrets
    problem, objective = named.problem, named.problem.objective
    unit, worth = unit_of_objective(objective)
    lengths = {layer: 0.0 if one is None else float(one.cost / worth) for layer, one in regrets.items()}
    end = end_of(list(lengths.values())[:MOST_BARS])
    rows: list[dict[str, Any]] = []
    for layer, one in regrets.items():
        text = NONE if one is None else _signed(problem, one) if one.cost else "0, a tie"
        rows.append(
            {
                "layer": layer, "word": named.strategies[layer], "second": "none" if one is None else one.second_best,
                "regret": lengths[layer], "drawn": cut_at(lengths[layer], end), "text": text,
                "mark": mark_of(lengths[layer], end),
            }
        )  # fmt: skip
    title = f"{named.name}: what the best plan with another strategy of a layer costs more"
    shown = rows[:MOST_BARS]
    notes = notes_of(found, len(shown))
    cut = cut_note([row["layer"] for row in shown if row["mark"]], end)
    largest = sorted(shown, key=lambda row: -row["regret"])[:3]
    most = "; ".join(f"{row['layer']} {row['text']}" for row in largest)
    within = ", in the objective's unit" if objective.unit else ""
    alternative = (
        f"A bar for each of {len(shown)} layers{within}. The largest: {most}. {' '.join(filter(None, (*notes, cut)))}"
    )
    chart = _chart(shown, title_with(f"regret ({objective.spelt})", end), unit)
    return figure("regrets", title, alternative, chart, _table(found, notes))


def _signed(problem: NetworkProblem, regret: Regret) -> str:
    return f"{'+' if regret.cost > 0 else ''}{regret_text(problem, regret)}"


def notes_of(found: LayerRegrets, shown: int) -> tuple[str, ...]:
    """Return what the regrets say of the plan as a whole, and what they rest on."""
    costs = [one.cost for one in found.explanation.regrets.values() if one is not None]
    if costs and min(costs) < 0:
        said = "Where it is below 0 there is a plan that costs less: this one is not optimal."
    elif found.explanation.unique:
        said = "Every other strategy of any layer costs more: the plan is the only one of its cost."
    else:
        said = "Where it is 0 the layer can choose otherwise at the same cost."
    source = found.explanation.source
    how = (
        f"solving again without each layer's strategy ({source})"
        if found.explanation.again
        else f"{source}'s exact min-marginals"
    )
    notes = [f"By {how}, all other layers chosen anew.", said]
    if found.named.problem.is_free:
        notes.append("They are for this plan's placement.")
    layers = len(found.explanation.regrets)
    notes += [f"The first {shown:,} of {layers:,} layers are drawn."] if shown < layers else []
    return tuple(notes)


def _chart(rows: Sequence[Mapping[str, Any]], across: str, unit: str) -> alt.TopLevelMixin:
    ends = [row["drawn"] for row in rows]
    low, high = min(0.0, *ends), max(0.0, *ends)
    scale = alt.Scale(domain=[low, high + (high - low or 1) * 0.2], nice=False)
    base = alt.Chart(inline(rows)).encode(y=alt.Y("layer:N", sort=None, axis=names_axis(len(rows))))
    bars = (
        base.transform_calculate(d=SAID)
        .mark_bar(height=row_step(len(rows)) - 5, color=PALETTE[0])
        .encode(
            x=alt.X("drawn:Q", title=across, scale=scale, axis=alt.Axis(**ticks(unit), tickCount=5)),
            description=alt.Description("d:N"),
            tooltip=[alt.Tooltip(f"{field}:N", title=said) for field, said in ON_BAR.items()],
        )
    )
    labels = base.transform_calculate(t="datum.mark + datum.text + '  (' + datum.second + ')'").mark_text(
        align="left", dx=4, fontSize=10, aria=False
    )
    right = alt.X("at:Q")
    words = labels.transform_calculate(at="max(datum.drawn, 0)").encode(x=right, text="t:N")
    return alt.layer(bars, words).properties(width=420, height=row_step(len(rows)) * len(rows))


ON_BAR: Final = {"layer": "layer", "word": "strategy", "second": "second best", "text": "regret"}
"""What is said of a bar on hover."""


def _table(found: LayerRegrets, notes: tuple[str, ...]) -> Table:
    columns = (
        Column("layer", "Layer"),
        Column("strategy", "Strategy"),
        Column("second", "Second best"),
        Column("regret", "Regret"),
    )
    problem, rows = found.named.problem, []
    for layer, one in found.explanation.regrets.items():
        regret = Entry(None, text=NONE) if one is None else Entry(one.cost, _in_full(problem, one))
        rows.append((layer, found.named.strategies[layer], None if one is None else one.second_best, regret))
    return Table("regrets", "Regrets of the layers", columns, entry_rows(columns, rows), notes)


def _in_full(problem: NetworkProblem, regret: Regret) -> str:
    """Return a regret rounded and in full; of one component before another each by itself."""
    text = regret_text(problem, regret)
    if regret.costs:
        return "; ".join(f"{in_component(name, cost)} {name}" for name, cost in regret.costs.items())
    return f"{text} ({exactly(problem.objective, regret.cost)})" if regret.cost else text


FIGURE: Final = FigureKind("regrets", "Regrets of the layers", "regrets", regrets_figure, "regrets")
