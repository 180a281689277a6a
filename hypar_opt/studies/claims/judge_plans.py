"""Evaluator of printed plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.studies.claims.legality import require_allowed
from hypar_opt.studies.claims.spelling import difference, solve_command, worded, words_of
from hypar_opt.studies.claims.statements import PlanOf
from hypar_opt.studies.claims.verdict import ClaimVerdict, Judgement
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from hypar_opt.studies.claims.claims import PublishedClaim
    from hypar_opt.studies.claims.plans import PlanCache


def judge_plan(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge the words that a formulation is said to yield, letter by letter."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, PlanOf)
    printed = words_of(case, statement.strategies, statement.others)
    require_allowed(case, plans.problem(case), printed)
    found = plans.strategies(case, statement.formulation)
    total = plans.problem(case).bytes_of(found).total
    differs = difference(printed, found)
    details = {"plan": dict(found), "communication_bytes": exact(total), "differs": differs}
    evidence = f"{statement.formulation}'s plan exchanges {in_full(total)} bytes"
    command = solve_command(case, statement.formulation)
    if not differs:
        return Judgement(ClaimVerdict.CONFIRMED, "the same", "", evidence, command, details)
    recomputed = worded({layer: words[1] for layer, words in differs.items()})
    why = f"{len(differs)} layers differ" if len(differs) > 1 else "one layer differs"
    if len(printed) == len(found):
        other = plans.problem(case).bytes_of(printed).total
        evidence += f", the printed one {in_full(other)}"
        why += "; the printed plan exchanges as many bytes" if other == total else ""
    return Judgement(ClaimVerdict.REFUTED, recomputed, why, evidence, command, details)
