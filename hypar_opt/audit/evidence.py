"""What a claim of optimality is judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.problem import Problem
    from hypar_opt.run import Limits, Listener


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


def optimum(problem: Problem, limits: Limits, *, besides: str = "", listener: Listener | None = None) -> Optimum:
    """Return what can be proven of a problem's optimum within limits.

    Parameters
    ----------
    problem, limits, listener
        As of `solve`.
    besides
        The formulation whose plan is in question: its own word is no evidence.
    """
    from hypar_opt.verification import lower_bound

    found = lower_bound(problem, besides=besides, limits=limits, listener=listener)
    return Optimum(found.bound, None if found.best is None else found.best.strategies, found.text)
