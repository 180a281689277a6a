"""What `show` says of an array of axes, or of an instance of operators: its array, its network, or a plan of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from hypar_opt.instance import Overrides
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.instance.read import is_array, load, load_axes
from hypar_opt.instance.shipped import (
    find_file,
    shipped_arrays,
    shipped_axes,
    shipped_instances,
    shipped_operators,
)
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rich.console import Console

    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.instance.operators.standing import Standing
    from hypar_opt.report.charts import Figure
    from hypar_opt.report.tables import TableDocument
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True)
class Shown:
    """Something to show.

    Parameters
    ----------
    document
        For machines.
    headline
        What it is, in lines.
    show
        Prints it.
    figure
        Draws it, where there is a picture of it: of a plan, and of an array.
    tables
        Returns it as tables, where there are any: of a plan, and of a network.
    """

    document: Callable[[], dict[str, Any]]
    headline: Callable[[], Sequence[str]]
    show: Callable[[Console], None]
    figure: Callable[[], Figure] | None = None
    tables: Callable[[], TableDocument] | None = None


def shown_of(name: str, plan: Path | None, levels: int | None, *, network: bool) -> Shown | None:
    """Return what is to be shown, or None where it is about an array of links.

    Parameters
    ----------
    name
        Of what is shipped, or a file.
    plan
        To show, of the instance; its file says what replaced fields.
    levels
        So many axes of two instead.
    network
        Whether the layers are asked for.

    Raises
    ------
    InputError
        If something cannot be read, or does not go together.
    """
    shipped = {**shipped_arrays(), **shipped_axes(), **shipped_instances(), **shipped_operators()}
    path = find_file(name, shipped, "the name of a shipped array or instance")
    if is_array(path):
        axes = load_axes(path, Overrides(levels=levels))
        if axes is not None and network:
            raise InputError(
                "expected an instance to show the network of, got an array, which has no network", file=path
            )
        return None if axes is None else _of_axes(path.stem, axes)
    instance = load(path, **({"levels": levels} if plan is None else _overrides_of(plan)))
    if not isinstance(instance, OperatorInstance):
        return None
    if plan is not None:
        if levels is not None:
            raise InputError("the plan's file says how many there are; leave it out", field="--levels")
        return _of_plan(instance, plan)
    return _of_network(instance) if network else _of_axes(instance.name, instance.spec.array, instance.standing)


def _overrides_of(plan: Path) -> dict[str, Any]:
    """Return what a plan's file says replaced fields; nothing of a pipe, which can be read but once."""
    from hypar_opt.verification import read_claim

    if plan.is_fifo():
        return {}
    return dict(read_claim(plan).overrides)


def _of_axes(name: str, axes: AxesArraySpec, standing: Standing | None = None) -> Shown:
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


def _of_network(instance: OperatorInstance) -> Shown:
    from hypar_opt.report.operators.network import headline, network_document, network_tables, show_network

    return Shown(
        partial(network_document, instance),
        partial(headline, instance),
        lambda to: show_network(to, instance),
        tables=partial(network_tables, instance),
    )


def _of_plan(instance: OperatorInstance, path: Path) -> Shown:
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
