"""How many times better one plan is than another, by one component of their costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.studies.claims import rounding
from hypar_opt.studies.claims.pricing import byte_cost, cost_of, plan_of
from hypar_opt.studies.claims.verdict import ClaimVerdict, Judgement, Settled
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.claims.model_statements import Gain
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case


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
    problem: NetworkProblem
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


def found(case: Case, against: Case, statement: Gain, component: str, plans: PlanCache) -> Found:
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
        raise Settled(
            Judgement(ClaimVerdict.NOT_REPRODUCIBLE, why=f"the plan takes no {component}", evidence=case.label)
        )
    problem = plans.problem(case)
    return Found(case, problem, words, component, cost, base, Fraction(problem.bytes_of(words).total))


GB = 10**9


def judge_given(one: Found, statement: Gain, details: dict[str, Any]) -> Judgement:
    """Judge a gain by the printed bytes in place of the plan's own: by all that may round to them."""
    low, middle, high = _gains(one, statement)
    expected = statement.expected
    how = expected.how(low, high)
    shown = expected.shown(middle, None) + (f" ({how})" if how else "")
    evidence = f"{_printed(statement)} in place of the plan's own {in_full(one.bytes)} bytes"
    details = {**details, "from_printed_bytes": [str(low), str(high)]}
    if how is not None:
        return Judgement(ClaimVerdict.CONFIRMED, shown, "", evidence, "", details)
    return Judgement(ClaimVerdict.REFUTED, shown, expected.why_not(middle), evidence, "", details)


def exchanges_printed(one: Found, statement: Gain) -> bool:
    """Return whether a plan's own bytes are those that are printed; also where none are."""
    number = statement.communication_GB
    return number is None or rounding.agrees(one.bytes / GB, number)


def why_unlike(each: Sequence[Found], statement: Gain) -> str:
    """Return that a plan's bytes are those that are printed under no accounting, and what those would give."""
    low, _, high = _gains(each[0], statement)
    follows = "would follow" if statement.expected.how(low, high) is not None else "would not follow either"
    own = "the plan exchanges other bytes than are printed"
    if len(each) > 1:
        own = f"under none of {len(each)} accountings does the plan exchange the bytes that are printed"
    return f"{own}; from those, the number {follows}"


def _gains(one: Found, statement: Gain) -> tuple[Fraction, Fraction, Fraction]:
    """Return the least gain that the printed bytes may mean, that of the number itself, and the largest."""
    number = statement.communication_GB
    assert number is not None
    least, most = rounding.interval(number)
    low, middle, high = (one.exchanging(Fraction(amount) * GB) for amount in (most, number, least))
    return low, middle, high


def _printed(statement: Gain) -> str:
    assert statement.communication_GB is not None
    return f"printed {statement.communication_GB.text} GB"
