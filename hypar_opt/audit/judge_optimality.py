"""Evaluators of claims that plans are optima."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from hypar_opt.audit.spelling import difference, in_full, words_of
from hypar_opt.audit.statements import AlsoOptimal, Exact, Optimal
from hypar_opt.audit.verdict import Judgement, Settled, Verdict
from hypar_opt.plan_file import exact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.audit.claims import Case, Claim
    from hypar_opt.audit.plans import Plans
    from hypar_opt.boxes import Bytes

NAMED = 3
"""Counterexamples in the evidence; all are in the details."""


@dataclass(frozen=True)
class Trial:
    """One plan held against the optimum of its problem.

    Parameters
    ----------
    case, verdict, why
        Which, whether it is an optimum, and why it is not known.
    total, best
        Bytes of the plan, and of the best plan known.
    differs
        By layer, the plan's word and the best plan's.
    evidence
        What the verdict rests on.
    """

    case: Case
    verdict: Verdict
    why: str = ""
    total: Bytes | None = None
    best: Bytes | None = None
    differs: Mapping[str, tuple[str, str]] | None = None
    evidence: str = ""

    @property
    def row(self) -> dict[str, Any]:
        """For machines."""
        one = self.case.instance
        where = {"instance": one.name, "accounting": one.accounting, "batch": one.batch, "levels": one.levels}
        found = {"communication_bytes": exact(self.total), "optimum_bytes": exact(self.best)}
        return {**where, **found, "verdict": self.verdict.value, "why": self.why, "differs": dict(self.differs or {})}

    @property
    def side_by_side(self) -> str:
        """A plan that is no optimum beside one that is better."""
        layers = "; ".join(f"{layer} {one}, better {two}" for layer, (one, two) in (self.differs or {}).items())
        return f"{self.case.label}: {_bytes(self.total)}, optimum {_bytes(self.best)} ({layers})"


def judge_optimal(claim: Claim, plans: Plans) -> Judgement:
    """Judge whether one plan is an optimum: a formulation's, or the one that the claim spells."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, Optimal)
    if statement.formulation is not None:
        words = plans.strategies(case, statement.formulation)
    else:
        words = words_of(case, statement.strategies, statement.others)
    return _judgement([trial(case, words, plans)])


def judge_exact(claim: Claim, plans: Plans) -> Judgement:
    """Judge whether a formulation finds optima: one counterexample refutes."""
    statement = claim.statement
    assert isinstance(statement, Exact)
    return _judgement(
        [_tried(case, partial(plans.strategies, case, statement.formulation), plans) for case in claim.cases]
    )


def judge_also_optimal(claim: Claim, plans: Plans) -> Judgement:
    """Judge whether plans found under one accounting are optima under another."""
    statement = claim.statement
    assert isinstance(statement, AlsoOptimal)
    own, other = claim.by_accounting
    return _judgement(
        [
            _tried(there, partial(plans.strategies, here, statement.formulation), plans)
            for here, there in zip(own, other, strict=True)
        ]
    )


def trial(case: Case, words: Mapping[str, str], plans: Plans) -> Trial:
    """Hold a plan against the optimum of its problem."""
    problem = plans.problem(case)
    total = problem.bytes_of(words).total
    if not problem.graph.feasible(problem.choices(words)):
        return Trial(case, Verdict.REFUTED, "the plan is not allowed: a split, or a strategy that is given", total)
    known = plans.optimum(case)
    cost, best = problem.objective_of(total), known.plan
    if best is not None and best.objective is not None and best.objective < cost:
        differs = difference(words, best.strategies or {})
        return Trial(
            case, Verdict.REFUTED, "a better plan exists", total, best.communication_bytes, differs, known.text
        )
    if known.bound is None or known.bound < cost:
        return Trial(case, Verdict.UNDECIDED, f"no better plan is known, and no proof: {known.text}", total)
    return Trial(case, Verdict.CONFIRMED, "", total, total, {}, known.text)


def _tried(case: Case, words: Callable[[], Mapping[str, str]], plans: Plans) -> Trial:
    """Return the trial of one among several, also where it settles early."""
    try:
        return trial(case, words(), plans)
    except Settled as settled:
        return Trial(case, settled.judgement.verdict, settled.judgement.why)


def _judgement(trials: Sequence[Trial]) -> Judgement:
    """Return what all trials together say: a counterexample before what is open, and that before agreement."""
    details = {"trials": [one.row for one in trials]}
    for verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
        found = [one for one in trials if one.verdict is verdict]
        if found:
            return _against(verdict, found, len(trials), details)
    texts = "; ".join(dict.fromkeys(one.evidence for one in trials))
    recomputed = (
        f"optimum {_bytes(trials[0].best)}" if len(trials) == 1 else f"optimal in {len(trials)} of {len(trials)}"
    )
    return Judgement(Verdict.CONFIRMED, recomputed, "", texts, "", details)


def _against(verdict: Verdict, found: Sequence[Trial], count: int, details: dict[str, Any]) -> Judgement:
    whys = "; ".join(dict.fromkeys(one.why for one in found))
    if verdict is Verdict.UNDECIDED:
        recomputed = "-" if count == 1 else f"open in {len(found)} of {count}"
        return Judgement(verdict, recomputed, whys, "; ".join(one.case.label for one in found), "", details)
    shown = [one.side_by_side for one in found[:NAMED]]
    more = [f"and {len(found) - NAMED} more"] if len(found) > NAMED else []
    recomputed = f"optimum {_bytes(found[0].best)}" if count == 1 else f"not optimal in {len(found)} of {count}"
    return Judgement(verdict, recomputed, whys, " | ".join([*shown, *more]), "", details)


def _bytes(number: Bytes | None) -> str:
    return "unknown" if number is None else f"{in_full(number)} bytes"
