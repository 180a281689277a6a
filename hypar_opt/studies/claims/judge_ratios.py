"""Evaluator of how much one plan of an instance has beside another."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim, Settled
from hypar_opt.studies.claims.plan_quantities import PLAN_QUANTITIES, PlanQuantity
from hypar_opt.studies.claims.plan_statements import PlanRatio
from hypar_opt.studies.claims.planned import planned_collectives, planned_words
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case


def judge_ratio(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge the exact ratio of a quantity of two plans against the printed number.

    Raises
    ------
    Settled
        If there is no such plan, or the one that is compared with has nothing.
    """
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, PlanRatio)
    quantity = PLAN_QUANTITIES[statement.of]
    words = {name: planned_words(case, plan, plans) for name, plan in statement.plans.items()}
    own, other = (_value(case, one, quantity, plans) for one in words.values())
    if not other:
        why = f"the plan that it is compared with has no {quantity.unit}"
        raise Settled(Judgement(ClaimVerdict.NOT_REPRODUCIBLE, "-", why, case.label))
    ratio = statement.scale * own / other
    how = statement.expected.how(ratio)
    evidence = f"{statement.plan.says} over {statement.over.says}: {in_full(own)} by {in_full(other)} {quantity.unit}"
    details = {
        "plans": {name: dict(one) for name, one in words.items()},
        "values": [str(exact(own)), str(exact(other))],
        "ratio": str(own / other),
    }
    why = "" if how is not None else statement.expected.why_not(ratio)
    return Judgement.confirmed_unless(why, statement.expected.shown(ratio, how, statement.unit), evidence, details)


def _value(case: Case, words: Mapping[str, str], quantity: PlanQuantity, plans: PlanCache) -> Fraction:
    if quantity.component is None:
        return Fraction(len(planned_collectives(case, words, plans)))
    return plans.cost(case, words, quantity.component)
