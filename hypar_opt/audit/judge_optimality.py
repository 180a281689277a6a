"""Evaluators of claims that plans are optima."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.audit.spelling import in_full, words_of
from hypar_opt.audit.statements import AlsoOptimal, Exact, Optimal
from hypar_opt.audit.trial import held_against_optimum, tried
from hypar_opt.audit.verdict import Judgement, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.audit.claims import Claim
    from hypar_opt.audit.plans import Plans
    from hypar_opt.audit.trial import Trial

NAMED = 3
"""Counterexamples in the evidence; all are in the details."""


def judge_optimal(claim: Claim, plans: Plans) -> Judgement:
    """Judge whether one plan is an optimum: a formulation's, or the one that the claim spells."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, Optimal)
    if statement.formulation is not None:
        words = plans.strategies(case, statement.formulation)
    else:
        words = words_of(case, statement.strategies, statement.others)
    return _judgement([held_against_optimum(case, words, plans, statement.formulation or "")])


def judge_exact(claim: Claim, plans: Plans) -> Judgement:
    """Judge whether a formulation finds optima: one counterexample refutes."""
    statement = claim.statement
    assert isinstance(statement, Exact)
    return _judgement([tried(case, case, statement.formulation, plans) for case in claim.cases])


def judge_also_optimal(claim: Claim, plans: Plans) -> Judgement:
    """Judge whether plans found under one accounting are optima under another."""
    statement = claim.statement
    assert isinstance(statement, AlsoOptimal)
    pairs = zip(*claim.by_accounting, strict=True)
    return _judgement([tried(there, here, statement.formulation, plans) for here, there in pairs])


def _judgement(trials: Sequence[Trial]) -> Judgement:
    """Return what all trials together say: a counterexample before what is open, and that before agreement."""
    details: dict[str, Any] = {"trials": [one.row for one in trials]}
    by_verdict = {verdict: [one for one in trials if one.verdict is verdict] for verdict in Verdict}
    if by_verdict[Verdict.REFUTED]:
        return _refuted(by_verdict[Verdict.REFUTED], len(trials), details)
    if by_verdict[Verdict.UNDECIDED]:
        return _undecided(by_verdict[Verdict.UNDECIDED], len(trials), details)
    evidence = "; ".join(dict.fromkeys(one.evidence for one in trials))
    count = len(trials)
    recomputed = f"{in_full(trials[0].best or 0)} bytes" if count == 1 else f"optimal in {count} of {count}"
    return Judgement(Verdict.CONFIRMED, recomputed, "", evidence, "", details)


def _refuted(found: Sequence[Trial], count: int, details: dict[str, Any]) -> Judgement:
    why = "; ".join(dict.fromkeys(one.why for one in found))
    shown = [one.side_by_side for one in found[:NAMED]]
    more = [f"and {len(found) - NAMED} more"] if len(found) > NAMED else []
    best = found[0].best
    alone = "no optimum" if best is None else f"better: {in_full(best)} bytes"
    recomputed = alone if count == 1 else f"not optimal in {len(found)} of {count}"
    return Judgement(Verdict.REFUTED, recomputed, why, "; ".join([*shown, *more]), "", details)


def _undecided(found: Sequence[Trial], count: int, details: dict[str, Any]) -> Judgement:
    why = "; ".join(dict.fromkeys(one.why for one in found))
    recomputed = "-" if count == 1 else f"open in {len(found)} of {count}"
    return Judgement(Verdict.UNDECIDED, recomputed, why, "; ".join(one.case.label for one in found), "", details)
