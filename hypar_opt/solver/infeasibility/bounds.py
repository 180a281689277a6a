"""Why no plan keeps bounds on its cost: the least that a component can come to, and what was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, TypeVar, cast

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.bounds import rounded_up
from hypar_opt.instance.objective.components import COMPONENTS
from hypar_opt.solver.check import noted, refuted
from hypar_opt.util.errors import HyparError
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from fractions import Fraction

    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import AskWithin, Problem


class BoundedInstance(Protocol):
    """An instance whose plans may cost no more than it says."""

    @property
    def bounds(self) -> Mapping[str, Fraction]:
        """By component the most that a plan may cost."""

    @property
    def fix(self) -> Mapping[str, object]:
        """Strategies that are given."""


class BoundedProblem(Protocol):
    """A problem whose plans may cost no more than its instance says."""

    @property
    def instance(self) -> BoundedInstance:
        """What it was compiled from."""

    @property
    def memory(self) -> object | None:
        """What has to suffice, or None."""

    def minimising(self, component: str, bounded: Collection[str]) -> Self:
        """Return the same problem with a component as its objective, and bounds on some of the others."""

    def excess(self, strategies: Mapping[str, str]) -> str | None:
        """Return which bound a plan does not keep, recounted, or None."""


P = TypeVar("P", bound=BoundedProblem)


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
        within = [f"with {' and '.join(self.others)} within bounds"] if self.others else []
        where = "".join(f" {one}" for one in [" and ".join((*self.kept, *within))] if one)
        asked = f"at most {in_full(self.most)} {unit} was asked for"
        return f"{self.component}{where} is at least {_spelt(self.least, unit)}, {asked}"


def _spelt(least: Fraction, unit: str) -> str:
    """Return an amount in full; where that is a fraction the next decimal that a bound can be, and the fraction."""
    text = in_full(least)
    return f"{rounded_up(least)} {unit} (rounded up, exactly {text})" if "/" in text else f"{text} {unit}"


def beyond_bounds(problem: P, plan: Plan, solve: AskWithin, limits: Limits, note_of: Callable[[P, Plan], str]) -> Plan:
    """Return a plan that is none with which bounds are too low; one that keeps them all refutes that there is none.

    Parameters
    ----------
    problem
        With bounds.
    plan
        Says that there is none.
    solve
        Finds plans of other problems.
    limits
        Of all that together.
    note_of
        What of a problem's plan belongs to the reasons, in words.
    """
    notes: list[str] = []

    def ask(other: P) -> Plan | None:
        if limits.over:
            return None
        try:
            found = solve(cast("Problem", other), limits)
        except HyparError:
            return None
        notes.append(note_of(other, found))
        return found

    conflicts, kept = bound_conflicts(problem, ask)
    if kept is not None:
        return refuted(plan, f"there is a plan within all bounds, of {kept.formulation}")
    told = "; ".join(one.text for one in conflicts) or "which of the bounds cannot be kept together is not known"
    return noted(plan, told, *notes)


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
    kept = ["with the given strategies"] if any(problem.instance.fix.values()) else []
    kept += [] if problem.memory is None else ["within the memory"]
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
