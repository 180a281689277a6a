"""Why no plan keeps bounds on its cost: the least that a component can come to, and what was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor
from typing import TYPE_CHECKING, Final, TypeVar

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMPONENTS
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from hypar_opt.solver.network_costs import NetworkCosts
    from hypar_opt.solver.plan import Plan

DIGITS: Final = 12
"""Of a least cost that is rounded up."""
P = TypeVar("P", bound="NetworkCosts")


@dataclass(frozen=True)
class BoundConflict:
    """A bound that nothing keeps, with some of the others or without.

    Parameters
    ----------
    component
        That is bounded.
    least
        A proven lower bound of it, over all plans that keep the others.
    most
        Its bound.
    others
        The components whose bounds are kept.
    kept
        What else all those plans keep to, in words: what is least without it may be less.
    """

    component: str
    least: Fraction
    most: Fraction
    others: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """In a sentence."""
        unit = COMPONENTS[self.component].measured_in
        within = [f"{' and '.join(self.others)} within bounds"] if self.others else []
        where = "".join(f" {'and' if i else 'with'} {one}" for i, one in enumerate((*self.kept, *within)))
        asked = f"at most {in_full(self.most)} {unit} was asked for"
        return f"{self.component}{where} is at least {_spelt(self.least, unit)}, {asked}"


def _spelt(least: Fraction, unit: str) -> str:
    """Return an amount in full; where that is a fraction the next decimal that a bound can be, and the fraction."""
    text = in_full(least)
    if "/" not in text:
        return f"{text} {unit}"
    scale = 10 ** max(0, DIGITS - len(str(floor(least))))
    up = Decimal(ceil(least * scale)) / scale
    return f"{up.normalize():f} {unit} (rounded up, exactly {text})"


def bound_conflicts(problem: P, ask: Callable[[P], Plan | None]) -> tuple[tuple[BoundConflict, ...], Plan | None]:
    """Return which bounds cannot be kept, each alone if any, else each beside the others; and a plan that keeps all.

    Parameters
    ----------
    problem
        With bounds.
    ask
        Finds the plan of a problem, or None.
    """
    bounds = problem.instance.bounds
    kept = ["the given strategies"] if any(problem.instance.fix.values()) else []
    kept += [] if problem.memory is None else ["a memory that suffices"]
    for alone in (True, False):
        found = []
        for name, most in bounds.items():
            others = () if alone else tuple(other for other in bounds if other != name)
            plan = ask(problem.minimising(name, others))
            if plan is None or plan.status is Status.INFEASIBLE:
                continue
            if plan.bound is not None and plan.bound > most:
                found.append(BoundConflict(name, plan.bound, most, others, tuple(kept)))
            elif plan.strategies is not None and problem.excess(plan.strategies) is None:
                return (), plan
        if found:
            return tuple(found), None
    return (), None
