"""Evaluators of how long a plan's communication takes on one array, beside another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypar_opt.instance import Instance
from hypar_opt.instance.objective.components import COMM_TIME
from hypar_opt.solver.kinds import network_problem_of
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim, Settled
from hypar_opt.studies.claims.legality import require_allowed
from hypar_opt.studies.claims.statements import Slower
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case


def judge_slower(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a factor between two arrays: of every instance the exact one has to round to what is printed."""
    statement = claim.statement
    assert isinstance(statement, Slower)
    found = {case.instance.name: _factor(case, statement, plans) for case in claim.cases}
    agreeing = [statement.times.agrees(factor) for factor in found.values()]
    details: dict[str, Any] = {"factors": {name: str(exact(factor)) for name, factor in found.items()}}
    rests = f"{statement.placement} placement, {statement.formulation}'s plan, by walking every route"
    why = "" if all(agreeing) else f"rounds to what is printed in {sum(agreeing)} of {len(agreeing)}"
    return Judgement.confirmed_unless(why, _range(found), rests, details)


def _factor(case: Case, statement: Slower, plans: PlanCache) -> Fraction:
    words = plans.strategies(case, statement.formulation)
    here = _time(case, statement.array_json, statement.placement, words, plans)
    there = _time(case, statement.than_json, "best", words, plans)
    if not there:
        raise Settled(Judgement(ClaimVerdict.NOT_REPRODUCIBLE, why=f"{case.label}: nothing is exchanged"))
    return here / there


def _time(case: Case, array: str | None, placement: str, words: Mapping[str, str], plans: PlanCache) -> Fraction:
    """Return the seconds that a plan's communication takes on an array; of all claims once."""
    key = case, array, placement, frozenset(words.items())
    if key not in plans.comm_seconds:
        plans.comm_seconds[key] = _found(case, array, placement, words, plans)
    return plans.comm_seconds[key]


def _found(case: Case, array: str | None, placement: str, words: Mapping[str, str], plans: PlanCache) -> Fraction:
    problem = NetworkProblem(on_array(case, array, placement))
    require_allowed(case, problem, words)  # which may not fit into the memories of another array
    if problem.placed is not None:
        return problem.objective_of(problem.bytes_of(words))
    objective = plans.placed(problem, words).objective
    assert objective is not None
    return objective


def on_array(case: Case, array: str | None, placement: str) -> Instance:
    """Return a case's instance on another array, with the objective comm-time.

    Parameters
    ----------
    array
        As JSON.

    Raises
    ------
    InputError
        If there is no such array, it does not fit, or it has accelerators of several kinds.
    """
    own = {"identity": "identity", "best": "free"}.get(placement)
    changed = replace(case.overrides, array=array, placement=own, objective=COMM_TIME)
    assert case.file is not None
    found = case.file.under(changed)
    network_problem_of(found)
    return found


def _range(factors: Mapping[str, Fraction]) -> str:
    """Return one factor as it is, and of several the least and the largest with their instances."""
    low, high = (choose(factors, key=lambda name: factors[name]) for choose in (min, max))
    if factors[low] == factors[high]:
        return f"exactly {exact(factors[low])}"
    return f"{float(factors[low]):.4g} ({low}) to {float(factors[high]):.4g} ({high})"
