"""Evaluators of claims that plans are optima."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, MissingPlan, PublishedClaim, Settled
from hypar_opt.studies.claims.legality import forbidden
from hypar_opt.studies.claims.replacements import Case, difference, words_of
from hypar_opt.studies.claims.statements import AlsoOptimal, Exact, Optimal
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.communication import Bytes
    from hypar_opt.studies.claims.plans import PlanCache


@dataclass(frozen=True)
class Trial:
    """One plan and what is known of the optimum.

    Parameters
    ----------
    case, verdict, why
        Which, whether the plan is an optimum, and why not or why that is open.
    total, best
        Bytes of the plan, and of the best plan known.
    differs
        By layer, the plan's word and the better plan's.
    evidence
        What the bound rests on.
    """

    case: Case
    verdict: ClaimVerdict
    why: str = ""
    total: Bytes | None = None
    best: Bytes | None = None
    differs: Mapping[str, tuple[str, str]] | None = None
    evidence: str = ""

    @property
    def row(self) -> dict[str, Any]:
        """For machines."""
        found = {"communication_bytes": exact(self.total), "best_bytes": exact(self.best)}
        differs = {layer: list(words) for layer, words in (self.differs or {}).items()}
        return {**self.case.row, **found, "verdict": self.verdict.value, "why": self.why, "differs": differs}

    @property
    def side_by_side(self) -> str:
        """The plan beside one that is better; or why it is none."""
        if self.total is None or self.best is None:
            return f"{self.case.label}: {self.why}"
        layers = "; ".join(f"{layer} {one}, better {two}" for layer, (one, two) in (self.differs or {}).items())
        return f"{self.case.label}: {in_full(self.total)} bytes, better {in_full(self.best)} bytes ({layers})"


def held_against_optimum(case: Case, words: Mapping[str, str], plans: PlanCache, whose: str = "") -> Trial:
    """Return what comes of a plan; `whose` is the formulation that has proven it to be an optimum, if one has."""
    problem = plans.problem(case)
    breakdown = problem.bytes_of(words)
    total = breakdown.total
    why = forbidden(problem, words)
    if why is not None:
        return Trial(case, ClaimVerdict.REFUTED, why, total)
    known, cost = plans.optimum(case, whose), problem.objective_of(breakdown)
    if known.strategies is not None and forbidden(problem, known.strategies) is None:
        best = problem.bytes_of(known.strategies)
        if problem.objective_of(best) < cost:
            differs = difference(words, known.strategies)
            return Trial(case, ClaimVerdict.REFUTED, "a better plan exists", total, best.total, differs, known.text)
    if known.highest is not None and known.highest > cost:
        why = (
            f"a contradiction: the bound {in_full(known.highest)} is above the objective {in_full(cost)} of the plan, "
            f"which is allowed: {known.text}"
        )
        return Trial(case, ClaimVerdict.UNDECIDED, why, total)
    if known.bound != cost:
        why = f"no better plan is known, and it is not proven that there is none: {known.text}"
        return Trial(case, ClaimVerdict.UNDECIDED, why, total)
    return Trial(case, ClaimVerdict.CONFIRMED, "", total, total, {}, known.text)


def tried(case: Case, found_for: Case, formulation: str, plans: PlanCache) -> Trial:
    """Return what comes of a formulation's plan, also where that is clear before there is one.

    Parameters
    ----------
    case
        Whose optimum the plan is held against.
    found_for
        What the formulation solved: the same, or the same under another accounting.
    formulation, plans
        Who, and where its plans are.
    """
    try:
        words = plans.strategies(found_for, formulation)
    except MissingPlan as none:
        return Trial(case, ClaimVerdict.NOT_REPRODUCIBLE, none.judgement.why)
    except Settled as settled:
        return Trial(case, settled.judgement.verdict, settled.judgement.why)
    proven = case == found_for and plans.plan(case, formulation).proven
    return held_against_optimum(case, words, plans, formulation if proven else "")


NAMED = 3
"""Counterexamples in the evidence; all are in the details."""
SHORT: Final[Mapping[ClaimVerdict, str]] = MappingProxyType(
    {
        ClaimVerdict.REFUTED: "not optimal",
        ClaimVerdict.UNDECIDED: "open",
        ClaimVerdict.NOT_REPRODUCIBLE: "no plan",
        ClaimVerdict.CONFIRMED: "optimal",
    }
)
"""What comes of a trial, in short; what comes of one of several decides in this order."""


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
    verdict = next(one for one in SHORT if any(trial.verdict is one for trial in trials))
    found = [trial for trial in trials if trial.verdict is verdict]
    alone, evidence = "-", [one.case.label for one in found]
    if verdict is ClaimVerdict.CONFIRMED:
        alone, evidence = f"{in_full(found[0].best or 0)} bytes", [*dict.fromkeys(one.evidence for one in found)]
    elif verdict is ClaimVerdict.REFUTED:
        best = found[0].best
        alone = "no optimum" if best is None else f"better: {in_full(best)} bytes"
        more = [f"and {len(found) - NAMED} more"] if len(found) > NAMED else []
        evidence = [*(one.side_by_side for one in found[:NAMED]), *more]
    recomputed = alone if len(trials) == 1 else f"{SHORT[verdict]} in {len(found)} of {len(trials)}"
    why = "; ".join(dict.fromkeys(one.why for one in found))
    return Judgement(verdict, recomputed, why, "; ".join(evidence), "", {"trials": [one.row for one in trials]})
