"""From checks and evidence to a verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.util.numbers import in_full
from hypar_opt.verification.verdict import Better, Check, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from hypar_opt.verification.certificate.check import Checked
    from hypar_opt.verification.evidence import Evidence


def until_one_fails(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Return checks up to the first that is refuted."""
    found = []
    for one in checks:
        found.append(one)
        if one.outcome is Outcome.REFUTED:
            break
    return tuple(found)


def judged(verdict: Verdict, evidence: Evidence, limit: Fraction, whose: str) -> Verdict:
    """Decide whether nothing of a kind has an objective below a limit."""
    best, bound = evidence.best, evidence.bound
    if best is not None and best.objective < limit:
        return ended(verdict, Outcome.REFUTED, _cheaper(best, limit), bound, best)
    if bound is not None and bound >= limit:
        text = f"no {whose} is below {in_full(limit)}: {evidence.text}"
        return ended(verdict, Outcome.CONFIRMED, text, bound)
    known = "no bound is known" if bound is None else f"the best bound known is {in_full(bound)}"
    text = f"is no {whose} below {in_full(limit)}? {known}: {evidence.text}"
    return ended(verdict, Outcome.UNDECIDED, text, bound)


def of_no_plan(evidence: Evidence) -> Verdict:
    """Decide whether there is no plan."""
    if evidence.infeasible:
        return ended(Verdict(()), Outcome.CONFIRMED, f"there is no plan: {evidence.text}", None)
    if evidence.best is not None:
        text = f"there is a plan, with the objective {in_full(evidence.best.objective)}, by {evidence.best.source}"
        return ended(Verdict(()), Outcome.REFUTED, text, evidence.bound, evidence.best)
    return ended(Verdict(()), Outcome.UNDECIDED, f"is there no plan? {evidence.text}", evidence.bound)


def _cheaper(best: Better, limit: Fraction) -> str:
    return f"{best.source} has a plan with the objective {in_full(best.objective)}, below {in_full(limit)}"


def ended(
    verdict: Verdict, outcome: Outcome, text: str, bound: Fraction | None, better: Better | None = None
) -> Verdict:
    """Return a verdict with its last check, of optimality."""
    checks = (*verdict.checks, Check("optimality", outcome, text))
    return replace(verdict, checks=checks, bound=bound, better=better)


def certificate_check(checked: Checked) -> Check:
    """Return what a certificate says of itself; one that fails leaves the plan's own claim open."""
    if checked.proven:
        return Check("certificate", Outcome.CONFIRMED, f"proves the bound {in_full(checked.bound)}")
    text = "; ".join(checked.faults)
    return Check("certificate", Outcome.UNDECIDED, f"{text}; without it evidence is made anew")
