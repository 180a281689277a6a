"""What another formulation than the claim's says of a whole problem: evidence where none is more independent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.formulation.registry import vouchers
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.evidence import able, apart, beside, unproven
from hypar_opt.verification.evidence_search import NOTHING, better
from hypar_opt.verification.solver_choice import half
from hypar_opt.verification.verdict import Evidence

if TYPE_CHECKING:
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
