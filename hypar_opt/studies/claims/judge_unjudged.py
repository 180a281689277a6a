"""Evaluators of claims that are listed with why they are not judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.claims.unjudged_statements import NotReproducible, OutOfScope

if TYPE_CHECKING:
    from hypar_opt.studies.claims.plans import PlanCache


def judge_not_reproducible(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Say why nothing here can recompute it."""
    statement = claim.statement
    assert isinstance(statement, NotReproducible)
    return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, why=statement.why)


def judge_out_of_scope(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Say why there is nothing to recompute."""
    statement = claim.statement
    assert isinstance(statement, OutOfScope)
    return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, why=f"out of scope: {statement.why}")
