"""What `show` says of an array of several kinds of accelerators, and of a plan for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.evaluation.mixed import fault_of
from hypar_opt.report.mixed.array import array_lines, mixed_array_document, show_mixed_array
from hypar_opt.report.mixed.plan import headline, mixed_plan_document, show_mixed_plan
from hypar_opt.report.mixed.plan_tables import mixed_plan_tables
from hypar_opt.report.shown import Shown
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.util.errors import InputError
from hypar_opt.verification import read_claim
from hypar_opt.verification.checks import check_binding

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance import Instance
    from hypar_opt.instance.hardware.mixed import MixedArray
    from hypar_opt.report.arrays.shown import PlacedArray
    from hypar_opt.report.charts import Figure


def of_array(name: str, array: MixedArray) -> Shown:
    """Return an array."""
    return Shown(
        partial(mixed_array_document, name, array),
        partial(array_lines, name, array),
        lambda to: show_mixed_array(to, name, array),
        lambda: _array_figure(name, array),
    )


def _array_figure(name: str, array: MixedArray) -> Figure:
    from hypar_opt.report.charts.mixed_array import array_figure

    return array_figure(name, array)


def of_plan(instance: Instance, path: Path) -> Shown:
    """Return a plan of an instance, whatever its status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    claim, plan, problem = read_claim(path), Plan.load(path), MixedProblem(instance)
    check_binding(problem, claim)
    strategies = claim.strategies_for("a plan to show")
    fault = fault_of(problem.work, strategies, plan.shares, problem.judged_by, problem.rules)
    if fault is not None:
        raise InputError(fault, file=path, field="plan")
    return Shown(
        partial(mixed_plan_document, problem, plan),
        lambda: headline(problem, plan).split("\n"),
        lambda to: show_mixed_plan(to, problem, plan),
        lambda: _plan_figure(problem, plan),
        partial(mixed_plan_tables, problem, claim),
        lambda: _on_links(problem, plan),
    )


def _plan_figure(problem: MixedProblem, plan: Plan) -> Figure:
    from hypar_opt.report.charts.mixed_grid import mixed_figure
    from hypar_opt.report.content.mixed_plan import NamedMixedPlan

    return mixed_figure(NamedMixedPlan(plan.formulation, problem, plan))


def _on_links(problem: MixedProblem, plan: Plan) -> PlacedArray:
    from hypar_opt.report.content.mixed_plan import NamedMixedPlan
    from hypar_opt.report.mixed.links import placed_array

    return placed_array(NamedMixedPlan(plan.formulation, problem, plan))
