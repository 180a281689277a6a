"""What `show` says of an array of axes, or of an instance of operators: its array, its network, or a plan of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.report.shown import Shown

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.instance.operators.standing import Standing
    from hypar_opt.report.charts import Figure
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan


def of_axes(name: str, axes: AxesArraySpec, standing: Standing | None = None) -> Shown:
    """Return an array of axes, or that of an instance."""
    from hypar_opt.report.operators.array import axes_document, axes_headline, show_axes

    return Shown(
        partial(axes_document, name, axes),
        partial(axes_headline, name, axes),
        lambda to: show_axes(to, name, axes),
        lambda: _axes_figure(axes, standing),
    )


def _axes_figure(axes: AxesArraySpec, standing: Standing | None) -> Figure:
    from hypar_opt.report.charts.operator_axes import axes_figure
    from hypar_opt.report.charts.operator_axes_data import AxesDrawing

    return axes_figure(AxesDrawing.of_array(axes, standing))


def of_network(instance: OperatorInstance) -> Shown:
    """Return the operators of an instance."""
    from hypar_opt.report.operators.network import headline, network_document, network_tables, show_network

    return Shown(
        partial(network_document, instance),
        partial(headline, instance),
        lambda to: show_network(to, instance),
        tables=partial(network_tables, instance),
    )


def of_plan(instance: OperatorInstance, path: Path) -> Shown:
    """Return a plan of an instance, whatever its status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    from hypar_opt.report.operators.plan import headline, operator_plan_document, show_operator_plan
    from hypar_opt.report.operators.plan_tables import operator_plan_tables
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.verification import read_claim
    from hypar_opt.verification.checks import check_binding

    claim, plan, problem = read_claim(path), Plan.load(path), OperatorProblem(instance)
    check_binding(problem, claim)
    problem.check_words(claim.strategies_for("a plan to show"), path)
    return Shown(
        partial(operator_plan_document, problem, plan),
        lambda: headline(problem, plan).split("\n"),
        lambda to: show_operator_plan(to, problem, plan),
        lambda: _figure(problem, plan),
        partial(operator_plan_tables, problem, claim),
    )


def _figure(problem: OperatorProblem, plan: Plan) -> Figure:
    from hypar_opt.report.charts.operator_axes import beside_axes
    from hypar_opt.report.charts.operator_grid import operators_figure
    from hypar_opt.report.content.operator_plan import NamedOperatorPlan

    named = NamedOperatorPlan(plan.formulation, problem, plan)
    drawn, instance = operators_figure(named), named.standing.instance
    return drawn if instance.standing is None else beside_axes(drawn, instance.spec.array, instance.standing)
