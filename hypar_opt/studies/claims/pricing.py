"""What a plan costs on the machine of a case, by code that shares nothing with what formulations minimise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.objective.components import PLACED, depends_on, unknown_needs
from hypar_opt.instance.text import dotted
from hypar_opt.studies.claims.legality import require_allowed
from hypar_opt.studies.claims.spelling import words_of
from hypar_opt.studies.claims.verdict import ClaimVerdict, Judgement, Settled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case
    from hypar_opt.studies.claims.statement_parts import PlanGiven


def plan_of(case: Case, statement: PlanGiven, plans: PlanCache) -> Mapping[str, str]:
    """Return the words of the plan that a statement names or spells."""
    if statement.formulation is not None:
        return plans.strategies(case, statement.formulation)
    words = words_of(case, statement.strategies, statement.others)
    require_allowed(case, plans.problem(case), words)
    return words


def cost_of(case: Case, words: Mapping[str, str], component: str, plans: PlanCache) -> Fraction:
    """Return what a plan costs, exactly.

    Raises
    ------
    Settled
        If the case does not say what the component needs to be known.
    """
    _require_machine(case, component)
    problem = plans.problem(case)
    return problem.costs(problem.bytes_of(words), case.instance.placement)[component]


def byte_cost(case: Case, words: Mapping[str, str], component: str, problem: NetworkProblem) -> Fraction:
    """Return what a byte more adds to what a plan costs, at whichever level it is exchanged.

    Raises
    ------
    Settled
        If that depends on the level, so that bytes in all do not say what they cost.
    """
    _require_machine(case, component)
    breakdown, placed = problem.bytes_of(words), case.instance.placement
    before = problem.costs(breakdown, placed)[component]
    more = (problem.costs(_with_byte(breakdown, h), placed)[component] for h in range(case.instance.levels))
    added = {after - before for after in more}
    if len(added) > 1:
        raise _unknown(case, f"a byte of one level costs more {component} than one of another")
    return added.pop() if added else Fraction(0)


def _with_byte(breakdown: Breakdown, h: int) -> Breakdown:
    """Return what a plan exchanges, and a byte more at a level (from 0), inside the first layer."""
    first, *others = breakdown.intra
    return replace(breakdown, intra=((*first[:h], first[h] + 1, *first[h + 1 :]), *others))


def _require_machine(case: Case, component: str) -> None:
    fault = unknown_needs(case.instance.spec.array, [component])
    if fault is not None:
        lacks = f"the {component} of a plan needs {dotted(fault[0])}, which is missing"
        raise _unknown(case, f"{lacks}; the array hypar-16 has it")
    if case.instance.placement is None and depends_on(component, PLACED):
        raise _unknown(case, f"{component} depends on the placement, which the array does not give")


def _unknown(case: Case, why: str) -> Settled:
    return Settled(Judgement(ClaimVerdict.NOT_REPRODUCIBLE, why=why, evidence=case.label))
