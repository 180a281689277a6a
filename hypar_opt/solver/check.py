"""From choices to a whole plan: decoded, its cost recomputed by code that shares nothing with the search."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.solver.plan import Plan
from hypar_opt.util.extras import version_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.formulation.protocol import Formulation
    from hypar_opt.solver.problem import Problem, Task


def undecoded(
    problem: Problem,
    formulation: Formulation,
    solution: Solution,
    seed: int,
    runtime_s: float,
    task: Task | None = None,
) -> Plan:
    """Return what is known of a plan before its choices are decoded."""
    instance = problem.instance
    shift, unit = (0, 1) if task is None else (task.shift, task.unit)
    return Plan(
        instance=instance.name,
        instance_sha256=instance.sha256,
        formulation=formulation.name,
        status=solution.status,
        native_status=solution.native_status,
        strategies=None,
        communication_bytes=None,
        objective=None,
        bound=None if solution.bound is None else (Fraction(solution.bound) + shift) / unit,
        runtime_s=runtime_s,
        seed=seed,
        note=solution.note,
        versions=versions(formulation),
        overrides=instance.overrides,
        statistics=solution.statistics,
        decided=formulation.capabilities.decides,
    )


def versions(formulation: Formulation) -> dict[str, str]:
    """Return the versions that a result depends on."""
    packages = ("hypar-opt", "numpy", *formulation.capabilities.packages)
    python = ".".join(map(str, sys.version_info[:3]))
    return {"python": python} | {name: version_of(name, "unknown") for name in packages}


def completed(task: Task, solution: Solution, plan: Plan) -> Plan:
    """Return a plan with what a solution's choices stand for; a claim that fails recomputation becomes ERROR."""
    if solution.choices is None:
        return plan
    plan, fault = task.evaluated(solution.choices, plan)
    if fault is None:
        fault = _wrong_bound(solution, task.value(solution.choices))
    return plan if fault is None else replace(plan, status=Status.ERROR, native_status=fault, bound=None)


def _wrong_bound(solution: Solution, value: int | Fraction) -> str | None:
    """Return what is wrong with a solution's bound, or None."""
    if solution.bound is not None and solution.bound > value:
        return f"the bound {solution.bound} is above the plan's cost {value}"
    if solution.status is Status.OPTIMAL and solution.bound != value:
        return f"claims OPTIMAL with cost {value} and bound {solution.bound}"
    return None


def refuted(plan: Plan, fact: str) -> Plan:
    """Return what is left of a proof that there is no plan."""
    said = f"says INFEASIBLE ({plan.native_status}), and {fact}"
    return replace(plan, status=Status.ERROR, native_status=f"{plan.formulation} {said}")


def noted(plan: Plan, *why: str | None) -> Plan:
    """Say why there is no plan, and on what that rests, as far as that is known; everything once."""
    return replace(plan, note="; ".join(dict.fromkeys(filter(None, [plan.note, *why]))))


def well_formed(answer: object, sizes: Sequence[tuple[str, int]] | None) -> Solution:
    """Return a formulation's answer if it is a solution with a value for everything that is decided.

    Parameters
    ----------
    sizes
        What is decided, by name, and how many values each has; None where choices are as many as they are.

    Raises
    ------
    TypeError
        If it is no solution.
    ValueError
        If its choices are not those that are asked for.
    """
    if not isinstance(answer, Solution):
        raise TypeError(f"expected a Solution, got {type(answer).__name__}")
    if answer.choices is not None and sizes is not None:
        if len(answer.choices) != len(sizes):
            raise ValueError(f"{len(answer.choices)} choices for {len(sizes)} variables")
        for (name, size), choice in zip(sizes, answer.choices, strict=True):
            if not 0 <= choice < size:
                raise ValueError(f"{name} has {size} values, {choice} is none of them")
    return answer


def without_forbidden(solution: Solution, allowed: Callable[[Sequence[int]], bool]) -> Solution:
    """Take back choices that are forbidden by costing too much: where those are the best, there are no others."""
    if solution.choices is None or allowed(solution.choices):
        return solution
    status = Status.INFEASIBLE if solution.status is Status.OPTIMAL else Status.NO_SOLUTION
    bound = None if status is Status.INFEASIBLE else solution.bound
    native = (
        f"{solution.native_status}: every plan has something forbidden" if bound is None else solution.native_status
    )
    return replace(solution, status=status, choices=None, bound=bound, native_status=native)
