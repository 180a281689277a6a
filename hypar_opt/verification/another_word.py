"""What other formulations than the claim's say of a whole problem: evidence where none is more independent.

That there is nothing better is an exact one's word. A better plan needs no word: it is recounted, whoever found it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.formulation.registry import constructions, vouchers
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.evidence import able, apart, beside, unproven
from hypar_opt.verification.evidence_search import NOTHING, better
from hypar_opt.verification.solver_choice import half
from hypar_opt.verification.verdict import Evidence

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.solver.problem import Problem
    from hypar_opt.verification.claim_case import EvidenceSearch


def word_of_another(problem: Problem, besides: str, search: EvidenceSearch, shared: str = "") -> Evidence:
    """Return what the first exact formulation finds that takes a problem, of another encoding if there is one.

    Parameters
    ----------
    problem
        Of what.
    besides
        The formulation whose claim is in question.
    search
        Within which limits, and who hears of it; half of what is left of the time is given to each.
    shared
        What the two have in common, for the verdict.
    """
    encoding = able(besides).encoding
    others = [name for name in vouchers(problem.use) if apart(name, besides) and able(name).exact]
    for name in sorted(others, key=lambda one: able(one).encoding == encoding):
        try:
            plan = solve(problem, name, limits=half(search.limits), listener=search.listener)
        except Refusal:
            continue
        if plan.status in (Status.ERROR, Status.NO_SOLUTION):
            continue
        how = f"a proof ({plan.native_status})" if plan.status is Status.OPTIMAL else unproven(plan)
        text = f"{how} by {name}, {beside(name, besides)}{shared}"
        return Evidence(text, plan.bound, better(plan), plan.status is Status.INFEASIBLE, word_of=name)
    return NOTHING


def better_construction(problem: Problem, limit: Fraction | None, search: EvidenceSearch) -> Evidence:
    """Return the first plan by a formulation that proves nothing which is better than claimed, recounted.

    Parameters
    ----------
    problem
        Of what.
    limit
        What it has to be below; without one any plan will do.
    search
        Within which limits, and who hears of it; half of what is left of the time is given to each.
    """
    for name in constructions(problem.use):
        if search.limits.over:
            break
        try:
            plan = solve(problem, name, limits=half(search.limits), listener=search.listener)
        except Refusal:
            continue
        found = None if plan.status is Status.ERROR else better(plan)
        if found is not None and (limit is None or found.objective < limit):
            return Evidence(f"a plan by {name}, recounted", best=found)
    return NOTHING
