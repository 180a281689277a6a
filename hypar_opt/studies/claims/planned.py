"""The words of plans that are spelt for any number of levels, and the collectives of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.evaluation.communication.counts import PlannedCollective, collectives_of
from hypar_opt.studies.claims.legality import require_allowed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case
    from hypar_opt.studies.claims.spelled_plans import SpelledPlan


def planned_words(case: Case, plan: SpelledPlan, plans: PlanCache) -> Mapping[str, str]:
    """Return the words of a plan of a case.

    Raises
    ------
    Settled
        If there is none, or the instance does not allow it.
    """
    if plan.formulation is not None:
        return plans.strategies(case, plan.formulation)
    words = plan.spelt(case)
    require_allowed(case, plans.problem(case), words)
    return words


def planned_collectives(case: Case, words: Mapping[str, str], plans: PlanCache) -> tuple[PlannedCollective, ...]:
    """Return the collectives of a plan of a case."""
    return collectives_of(plans.problem(case).work, words, input_error=case.instance.input_error)
