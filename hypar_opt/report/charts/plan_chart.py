"""A plan as a chart of Altair, for notebooks: `Plan.plot`, which finds this by its entry point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.instance.objective.components import TOTAL
from hypar_opt.report.charts.mixed_grid import mixed_figure
from hypar_opt.report.charts.operator_grid import operators_figure, words_grid
from hypar_opt.report.charts.plan_cells import (
    MEANINGS,
    letter_text,
    levels_axis,
    names_axis,
    plan_colour,
    row_step,
)
from hypar_opt.report.charts.plan_grid import plan_figure
from hypar_opt.report.charts.theme import CONFIG, Figure, inline
from hypar_opt.report.content import NamedPlan
from hypar_opt.report.content.mixed_plan import NamedMixedPlan
from hypar_opt.report.content.operator_plan import NamedOperatorPlan
from hypar_opt.solver.kinds import network_problem_of, problem_of
from hypar_opt.solver.plan import Plan

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.solver.problem import Problem

CELL = 26
"""Pixels."""
DRAWN: Final[Mapping[str, Callable[[Plan, Any], Figure]]] = MappingProxyType(
    {
        "network": lambda plan, problem: plan_figure(NamedPlan(plan.formulation, problem, plan)),
        "mixed": lambda plan, problem: mixed_figure(NamedMixedPlan(plan.formulation, problem, plan)),
        "operators": lambda plan, problem: operators_figure(NamedOperatorPlan(plan.formulation, problem, plan)),
    }
)
"""By kind of problem, what draws a plan of it."""


def plan_chart(
    plan: Plan, instance: Instance | OperatorInstance | Problem | Path | str | None = None
) -> alt.TopLevelMixin:
    """Return a plan's grid; with its instance beside it the bytes of each layer or operator.

    Raises
    ------
    ValueError
        If there are no strategies by layer and level.
    InputError
        If it is no plan of the instance.
    """
    if plan.strategies is None:
        raise ValueError(f"a result of status {plan.status.value} has no strategies to draw")
    if TOTAL in plan.costs:
        raise ValueError("a strategy graph's plan has no levels to draw; its strategies stand in to_frame()")
    if instance is None:
        title = alt.TitleParams(
            f"{plan.instance}: {plan.status.value} by {plan.formulation}", anchor="start", fontSize=12
        )
        drawn = words_grid(plan) if plan.axes else _grid(plan.strategies)
        grid: alt.LayerChart = drawn.properties(title=title).configure(**_config(CONFIG))
        return grid
    problem = problem_of(instance)
    if problem.kind not in DRAWN:
        problem = network_problem_of(problem)  # which says what is wrong with it
    problem.choices(plan.strategies)  # which says what keeps a plan from being one of this instance
    spec = DRAWN[problem.kind](plan, problem).spec
    return alt.HConcatChart.from_dict({**spec, "config": _config(spec["config"])})


def _config(looks: Mapping[str, Any]) -> dict[str, Any]:
    """Return looks without what Vega knows and Altair's schema does not."""
    legend = {name: value for name, value in looks["legend"].items() if name != "layout"}
    return {**looks, "legend": legend, "range": {"category": looks["range"]["category"]}}


def _grid(strategies: Mapping[str, str]) -> Any:
    cells = [
        {"l": layer, "h": level, "a": letter, "c": MEANINGS[letter]}
        for layer, word in strategies.items()
        for level, letter in enumerate(word, start=1)
    ]
    said = {"l": "layer", "h": "level", "c": "choice"}
    base = alt.Chart(inline(cells)).encode(
        x=alt.X("h:O", axis=levels_axis()),
        y=alt.Y("l:N", sort=None, axis=names_axis(len(strategies))),
        tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in said.items()],
    )
    letters = "".join(strategies.values())
    marks = base.mark_rect(stroke="white", strokeWidth=1).encode(color=plan_colour("a", letters, kinds={}))
    width, height = CELL * max(map(len, strategies.values()), default=0), row_step(len(strategies)) * len(strategies)
    return alt.layer(marks, letter_text(base, "a", len(strategies))).properties(width=width, height=height)
