"""An array of several kinds as a graph, with what a plan's accelerators read from each other on its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.evaluation.communication import by_phase
from hypar_opt.evaluation.links import Traffic
from hypar_opt.report.arrays.shown import PlacedArray

if TYPE_CHECKING:
    from hypar_opt.report.content.mixed_plan import NamedMixedPlan


def placed_array(named: NamedMixedPlan) -> PlacedArray:
    """Return an array with the traffic of a plan on it.

    Raises
    ------
    Refusal
        If its routes are too many or too long to be walked.
    """
    problem = named.problem if named.plan.placement is None else named.problem.at(named.plan.placement)
    instance = problem.instance
    measured = problem.traffic_of(named.strategies, named.plan.shares)
    placed, origin = problem.compiled.placed, "identity, none is given"
    if instance.placement is not None:
        origin = "identity" if instance.spec.array.placement == "identity" else "given"
    if named.plan.placement is not None:
        origin = "of the plan"
    parts = by_phase(problem.work, named.strategies, named.breakdown)
    whole = Traffic(measured.machine, placed, parts, measured.walked)
    return PlacedArray(instance.name, measured.machine, placed, origin, measured, whole)
