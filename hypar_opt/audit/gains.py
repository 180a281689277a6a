"""How many times better one plan is than another, by one component of their costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.audit.pricing import byte_cost, cost_of, plan_of
from hypar_opt.audit.verdict import Judgement, Settled, Verdict
from hypar_opt.plan_file import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.audit.claims import Case
    from hypar_opt.audit.model_statements import Gain
    from hypar_opt.audit.plans import Plans
    from hypar_opt.problem import Problem


@dataclass(frozen=True)
class Found:
    """Two plans of a case, held against each other.

    Parameters
    ----------
    case, problem, words
        Of the plan that is better.
    component
        By which it is.
    cost, base
        Of that plan, and of the one that it is compared with.
    bytes
        That the first exchanges.
    """

    case: Case
    problem: Problem
    words: Mapping[str, str]
    component: str
    cost: Fraction
    base: Fraction
    bytes: Fraction

    @property
    def gain(self) -> Fraction:
        """How many times better the first is."""
        return self.base / self.cost

    def exchanging(self, count: Fraction) -> Fraction:
        """Return the gain if the first plan exchanged another number of bytes, all else being as it is."""
        each = byte_cost(self.case, self.words, self.component, self.problem)
        return self.base / (self.cost + each * (count - self.bytes))

    @property
    def row(self) -> dict[str, Any]:
        """For machines."""
        one = self.case.instance
        return {
            "instance": one.name,
            "accounting": one.accounting,
            "batch": one.batch,
            "levels": one.levels,
            "communication_bytes": exact(self.bytes),
            self.component: str(exact(self.cost)),
            "compared_with": str(exact(self.base)),
        }


def found(case: Case, against: Case, statement: Gain, component: str, plans: Plans) -> Found:
    """Return a statement's two plans, each on its own machine.

    Raises
    ------
    Settled
        If there is no such plan, or its cost is not known or nothing.
    """
    words = plan_of(case, statement, plans)
    cost = cost_of(case, words, component, plans)
    base = cost_of(against, plans.strategies(against, statement.over), component, plans)
    if not cost:
        raise Settled(Judgement(Verdict.NOT_REPRODUCIBLE, why=f"the plan takes no {component}", evidence=case.label))
    problem = plans.problem(case)
    return Found(case, problem, words, component, cost, base, Fraction(problem.bytes_of(words).total))
