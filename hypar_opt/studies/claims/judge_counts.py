"""Evaluator of how many collectives a plan takes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.claims import Judgement, PublishedClaim
from hypar_opt.studies.claims.plan_statements import PlanCollectives
from hypar_opt.studies.claims.planned import planned_collectives, planned_words

if TYPE_CHECKING:
    from hypar_opt.studies.claims.plans import PlanCache


def judge_count(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a number of collectives: those that layouts make necessary, counted one by one."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, PlanCollectives)
    words = planned_words(case, statement.plan, plans)
    meant = [
        one
        for one in planned_collectives(case, words, plans)
        if statement.kind in (None, one.kind)
        and statement.phase in (None, one.phase)
        and (statement.layers is None or one.layer in statement.layers)
    ]
    each = Counter(f"{one.phase} {one.kind}" for one in meant)
    evidence = ", ".join(f"{count} {name}" for name, count in each.items()) or "none"
    details = {
        "plan": dict(words),
        "collectives": [{"layer": one.layer, "kind": one.kind, "phase": one.phase} for one in meant],
    }
    why = "" if len(meant) == statement.count else f"{len(meant):,} are needed"
    return Judgement.confirmed_unless(why, f"{len(meant):,}", f"{statement.plan.says}: {evidence}", details)
