"""Evaluator of proxies: does the least of one component come with the least of another."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim, Settled
from hypar_opt.studies.claims.judge_optimality import tried
from hypar_opt.studies.claims.statements import Proxy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case

SOLVER = "joint-dp"
"""Whose plans are held against each other, once other code has proven them too."""


@dataclass(frozen=True)
class ProxyPair:
    """The best of the plans with the least of one component, beside the best plan by the other.

    Parameters
    ----------
    case
        Of which instance.
    cost, least
        Of the other component: of the first plan, and the least that there is.
    evidence
        What that is the least rests on.
    """

    case: Case
    cost: Fraction
    least: Fraction
    evidence: str

    @property
    def gap(self) -> Fraction:
        """How much more than the least the first plan costs, as a share."""
        return self.cost / self.least - 1 if self.least else Fraction(0)

    @property
    def row(self) -> dict[str, Any]:
        """For machines."""
        gap = f"{float(self.gap):.6%}"
        return {"instance": self.case.instance.name, "cost": str(self.cost), "least": str(self.least), "gap": gap}


def judge_proxy(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge on every instance; of plans that tie by the first component, the best by the other is taken."""
    statement = claim.statement
    assert isinstance(statement, Proxy)
    pairs = [_pair(cases, statement, plans) for cases in zip(*claim.by_reading, strict=True)]
    allowed = Fraction(0) if statement.within is None else statement.within.amount
    far = [one for one in pairs if one.gap > allowed]
    worst = max(pairs, key=lambda one: one.gap)
    count = len(pairs)
    recomputed = f"{count - len(far)} of {count}"
    if worst.gap:
        recomputed += f", at worst {float(worst.gap):.2%} above it ({worst.case.instance.name})"
    evidence = "; ".join(dict.fromkeys(one.evidence for one in pairs))
    details = {"pairs": [one.row for one in pairs]}
    names = ", ".join(f"{one.case.instance.name} {float(one.gap):.2%}" for one in far)
    why = f"plans with the least {statement.by} have more {statement.of} than the best plan: {names}" if far else ""
    return Judgement.confirmed_unless(why, recomputed, evidence, details)


def _pair(cases: Sequence[Case], statement: Proxy, plans: PlanCache) -> ProxyPair:
    by, both, of = cases
    proofs = [_proven(case, plans) for case in (by, of)]
    first, best = (plans.strategies(case, SOLVER) for case in (both, of))
    if plans.cost(by, first, statement.by) != plans.cost(by, plans.strategies(by, SOLVER), statement.by):
        why = f"{SOLVER} contradicts itself on the least {statement.by} of {by.label}"
        raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=why))
    cost, least = (plans.cost(of, words, statement.of) for words in (first, best))
    if cost < least:
        why = f"a contradiction: a plan has less {statement.of} than is proven to be the least of {of.label}"
        raise Settled(Judgement(ClaimVerdict.UNDECIDED, why=why))
    return ProxyPair(of, cost, least, proofs[1])


def _proven(case: Case, plans: PlanCache) -> str:
    """Return what it rests on that a plan is the best, or settle that this is open."""
    trial = tried(case, case, SOLVER, plans)
    if trial.verdict is not ClaimVerdict.CONFIRMED:
        verdict = ClaimVerdict.UNDECIDED if trial.verdict is ClaimVerdict.REFUTED else trial.verdict
        raise Settled(Judgement(verdict, why=trial.why or "nothing is proven", evidence=case.label))
    return trial.evidence
