"""What a claim of optimality is judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.plan import Status
from hypar_opt.solving import solve

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.problem import Problem
    from hypar_opt.run import Limits, Listener

PROVER = "joint-dp"


@dataclass(frozen=True)
class Optimum:
    """What is proven of a problem's optimum.

    Parameters
    ----------
    bound
        No plan's objective is lower; None where nothing is proven.
    strategies
        The best plan that is known, or None.
    text
        What the bound rests on.
    """

    bound: Fraction | None
    strategies: Mapping[str, str] | None
    text: str


def optimum(problem: Problem, limits: Limits, listener: Listener | None = None) -> Optimum:
    """Return what can be proven of a problem's optimum within limits.

    Raises
    ------
    Refusal
        If the problem is too large to prove anything of.
    """
    plan = solve(problem, PROVER, limits=limits, listener=listener)
    said = plan.native_status or str(plan.status)
    if plan.status is not Status.OPTIMAL:
        return Optimum(plan.bound, plan.strategies, f"{PROVER} has no proof: {said}")
    return Optimum(plan.bound, plan.strategies, f"{PROVER} proves it: {said}")
