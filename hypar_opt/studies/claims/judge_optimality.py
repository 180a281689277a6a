"""Evaluators of claims that plans are optima."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.studies.claims.spelling import words_of
from hypar_opt.studies.claims.statements import AlsoOptimal, Exact, Optimal
from hypar_opt.studies.claims.trial import held_against_optimum, tried
from hypar_opt.studies.claims.verdict import ClaimVerdict, Judgement
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.claims.claims import PublishedClaim
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.trial import Trial

NAMED = 3
"""Counterexamples in the evidence; all are in the details."""


def judge_optimal(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge whether one plan is an optimum: a formulation's, or the one that the claim spells."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, Optimal)
    if statement.formulation is not None:
        return _judgement([tried(case, case, statement.formulation, plans)])
    words = words_of(case, statement.strategies, statement.others)
    return _judgement([held_against_optimum(case, words, plans)])


def judge_exact(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge whether a formulation finds optima: one counterexample refutes."""
    statement = claim.statement
    assert isinstance(statement, Exact)
    return _judgement([tried(case, case, statement.formulation, plans) for case in claim.cases])


def judge_also_optimal(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge whether plans found under one accounting are optima under another."""
    statement = claim.statement
    assert isinstance(statement, AlsoOptimal)
    pairs = zip(*claim.by_reading, strict=True)
    return _judgement([tried(there, here, statement.formulation, plans) for here, there in pairs])


def _judgement(trials: Sequence[Trial]) -> Judgement:
    """Return what all trials together say: a counterexample, then what is open, then where no plan is, agreement."""
    details: dict[str, Any] = {"trials": [one.row for one in trials]}
    by_verdict = {verdict: [one for one in trials if one.verdict is verdict] for verdict in ClaimVerdict}
    if by_verdict[ClaimVerdict.REFUTED]:
        return _refuted(by_verdict[ClaimVerdict.REFUTED], len(trials), details)
    for verdict, short in ((ClaimVerdict.UNDECIDED, "open"), (ClaimVerdict.NOT_REPRODUCIBLE, "no plan")):
        if by_verdict[verdict]:
            return _without_answer(by_verdict[verdict], len(trials), short, details)
    evidence = "; ".join(dict.fromkeys(one.evidence for one in trials))
    count = len(trials)
    recomputed = f"{in_full(trials[0].best or 0)} bytes" if count == 1 else f"optimal in {count} of {count}"
    return Judgement(ClaimVerdict.CONFIRMED, recomputed, "", evidence, "", details)


def _refuted(found: Sequence[Trial], count: int, details: dict[str, Any]) -> Judgement:
    why = "; ".join(dict.fromkeys(one.why for one in found))
    shown = [one.side_by_side for one in found[:NAMED]]
    more = [f"and {len(found) - NAMED} more"] if len(found) > NAMED else []
    best = found[0].best
    alone = "no optimum" if best is None else f"better: {in_full(best)} bytes"
    recomputed = alone if count == 1 else f"not optimal in {len(found)} of {count}"
    return Judgement(ClaimVerdict.REFUTED, recomputed, why, "; ".join([*shown, *more]), "", details)


def _without_answer(found: Sequence[Trial], count: int, short: str, details: dict[str, Any]) -> Judgement:
    why = "; ".join(dict.fromkeys(one.why for one in found))
    recomputed = "-" if count == 1 else f"{short} in {len(found)} of {count}"
    return Judgement(found[0].verdict, recomputed, why, "; ".join(one.case.label for one in found), "", details)
