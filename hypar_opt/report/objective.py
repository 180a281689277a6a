"""What a plan is best by, in words: an objective's value, what it weighs, and its bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.objective.components import COMPONENTS, COUNTS
from hypar_opt.instance.objective.function import LEXICOGRAPHIC, PRODUCT
from hypar_opt.report.numbers import gap, in_component, in_objective
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.precision_problem import PrecisionProblem


def objective_line(problem: NetworkProblem | OperatorProblem | MixedProblem | PrecisionProblem, plan: Plan) -> str:
    """Return an objective's value, how far it is from the bound, what it weighs, and the bounds."""
    bounds = problem.instance.bounds
    within = f"; with {bounds_text(bounds)}" if bounds else ""
    above = gap(problem.objective, plan)
    return f"objective {objective_text(problem, plan)}{above}: {weighed_text(problem.objective)}{within}"


def objective_text(problem: NetworkProblem | OperatorProblem | MixedProblem | PrecisionProblem, plan: Plan) -> str:
    """Return an objective's value; of one component before another, each of their values."""
    if problem.objective.kind == LEXICOGRAPHIC:
        return ", ".join(in_component(name, plan.costs[name]) for name in problem.objective.components)
    if plan.objective is None:
        return "not known"
    counts = problem.objective.components[0] in COUNTS
    unit = "" if problem.objective.unit or counts else " (no unit)"
    return f"{in_objective(problem.objective, plan.objective)}{unit}"


def bounds_text(bounds: Mapping[str, Fraction]) -> str:
    """Return what a plan may cost at most, by component, with all digits."""
    return " and ".join(
        f"{name} at most {in_full(most)} {COMPONENTS[name].measured_in}" for name, most in bounds.items()
    )


def weighed_text(objective: ObjectiveFunction) -> str:
    """Return what an objective weighs."""
    if objective.kind != "sum":
        return {PRODUCT: " x "}.get(objective.kind, ", then ").join(objective.components)
    return " + ".join(
        name if weight == 1 else f"{in_full(weight)} {name}" for name, weight in objective.weights.items() if weight
    )
