"""Is a plan's claim true."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.boxes import LEAF_EXACT
from hypar_opt.certificate.header import bind
from hypar_opt.certificate.read import check_file
from hypar_opt.errors import InputError
from hypar_opt.instance import load
from hypar_opt.plan import Plan
from hypar_opt.plan_file import in_full
from hypar_opt.problem import Problem
from hypar_opt.run import Limits, Listener
from hypar_opt.verification.checks import check_binding, cost_checks, placement_checks, strategy_checks
from hypar_opt.verification.claim import Claim, claim_of, read_claim
from hypar_opt.verification.evidence import Evidence, lower_bound, of_certificate
from hypar_opt.verification.verdict import Better, Check, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from hypar_opt.certificate.check import Checked
    from hypar_opt.instance import Instance


@dataclass(frozen=True)
class Search:
    """How evidence is looked for.

    Parameters
    ----------
    limits
        Of the search for a proof or a better plan.
    certificate
        Evidence that came with the plan; some is made anew where there is none.
    listener
        Hears the search's events.
    """

    limits: Limits = field(default_factory=Limits)
    certificate: Path | None = None
    listener: Listener | None = None


def verify(
    instance: Instance | Problem | Path | str,
    claim: Claim | Plan | Path | str,
    *,
    limits: Limits | None = None,
    certificate: Path | None = None,
    as_optimal: bool = False,
    listener: Listener | None = None,
) -> Verdict:
    """Decide whether a plan's claim is true.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance; or an instance read with the claim's overrides, or compiled from that.
    claim
        A plan file or what was read from it, or a plan.
    limits
        Of the search for a proof or a better plan; checking comes on top.
    certificate
        Evidence that came with the plan; some is made anew where there is none.
    as_optimal
        Judge the plan as if it claimed to be optimal, whatever it claims.
    listener
        Hears the search's events.

    Raises
    ------
    InputError
        If the claim or the certificate is about another instance, or the certificate is damaged.
    """
    claim = _claim(claim)
    problem = _problem(instance, claim)
    search = Search(limits or Limits(), certificate, listener)
    check_binding(problem, claim)
    checked = None if certificate is None else _checked(certificate, problem)
    if claim.strategies is None:
        return _of_no_plan(_evidence(problem, claim, search, checked))
    verdict = _arithmetic(problem, claim, claim.strategies)
    breakdown = verdict.breakdown
    if breakdown is None or verdict.outcome is not Outcome.CONFIRMED:
        return verdict
    if checked is not None:
        verdict = replace(verdict, checks=(*verdict.checks, _of_certificate(checked)))
    limit = claim.objective if as_optimal else claim.limit
    if limit is None or verdict.outcome is not Outcome.CONFIRMED:
        return verdict
    if limit <= 0:
        return _ended(verdict, Outcome.CONFIRMED, "no plan costs less than nothing", limit)
    return _judged(verdict, _evidence(problem, claim, search, checked), limit, _whose(claim))


def _claim(claim: Claim | Plan | Path | str) -> Claim:
    if isinstance(claim, Plan):
        return claim_of(claim)
    return claim if isinstance(claim, Claim) else read_claim(claim)


def _problem(instance: Instance | Problem | Path | str, claim: Claim) -> Problem:
    """Return the problem that a claim is about; an instance that is only named is read with the claim's overrides."""
    if isinstance(instance, Problem):
        return instance
    if not isinstance(instance, Path | str):
        return Problem(instance)
    try:
        return Problem(load(instance, **claim.overrides))
    except InputError as error:
        if error.field is None or not error.field.startswith("--"):
            raise
        raise claim.error(error.message, f"overrides.{error.field.removeprefix('--')}") from None


def _arithmetic(problem: Problem, claim: Claim, strategies: Mapping[str, str]) -> Verdict:
    """Check whatever needs no search."""
    checks = _until_one_fails(chain(strategy_checks(problem, strategies), placement_checks(problem, claim)))
    if checks[-1].outcome is Outcome.REFUTED:
        return Verdict(checks)
    breakdown, leaves = problem.bytes_of(strategies), problem.bytes_of(strategies, LEAF_EXACT)
    checks += _until_one_fails(cost_checks(problem, claim, breakdown))
    return Verdict(checks, breakdown, leaves)


def _until_one_fails(checks: Iterable[Check]) -> tuple[Check, ...]:
    found = []
    for one in checks:
        found.append(one)
        if one.outcome is Outcome.REFUTED:
            break
    return tuple(found)


def _evidence(problem: Problem, claim: Claim, search: Search, checked: Checked | None) -> Evidence:
    """Return what the certificate proves, or what can be found without one."""
    if checked is not None and checked.proven:
        return of_certificate(checked, problem, f"the certificate {search.certificate}", str(search.certificate))
    given = claim.strategies if claim.decided == "placement" else None
    return lower_bound(
        problem, besides=claim.formulation, strategies=given, limits=search.limits, listener=search.listener
    )


def _whose(claim: Claim) -> str:
    """Return what it is that none is claimed to be better of."""
    return "placement of these strategies" if claim.decided == "placement" else "plan"


def _judged(verdict: Verdict, evidence: Evidence, limit: Fraction, whose: str) -> Verdict:
    """Decide whether nothing of a kind has an objective below a limit."""
    best, bound = evidence.best, evidence.bound
    if best is not None and best.objective < limit:
        return _ended(verdict, Outcome.REFUTED, _cheaper(best, limit), bound, best)
    if bound is not None and bound >= limit:
        text = f"no {whose} is below {in_full(limit)}: {evidence.text}"
        return _ended(verdict, Outcome.CONFIRMED, text, bound)
    known = "no bound is known" if bound is None else f"the best bound known is {in_full(bound)}"
    text = f"is no {whose} below {in_full(limit)}? {known}: {evidence.text}"
    return _ended(verdict, Outcome.UNDECIDED, text, bound)


def _of_no_plan(evidence: Evidence) -> Verdict:
    """Decide whether there is no plan."""
    if evidence.infeasible:
        return _ended(Verdict(()), Outcome.CONFIRMED, f"there is no plan: {evidence.text}", None)
    if evidence.best is not None:
        text = f"there is a plan, with the objective {in_full(evidence.best.objective)}, by {evidence.best.source}"
        return _ended(Verdict(()), Outcome.REFUTED, text, evidence.bound, evidence.best)
    return _ended(Verdict(()), Outcome.UNDECIDED, f"is there no plan? {evidence.text}", evidence.bound)


def _cheaper(best: Better, limit: Fraction) -> str:
    return f"{best.source} has a plan with the objective {in_full(best.objective)}, below {in_full(limit)}"


def _ended(
    verdict: Verdict, outcome: Outcome, text: str, bound: Fraction | None, better: Better | None = None
) -> Verdict:
    checks = (*verdict.checks, Check("optimality", outcome, text))
    return replace(verdict, checks=checks, bound=bound, better=better)


def _checked(path: Path, problem: Problem) -> Checked:
    """Check a certificate, and that it is one of the problem."""
    checked = check_file(path)
    bind(checked.header, problem, path)
    return checked


def _of_certificate(checked: Checked) -> Check:
    """Return what a certificate says of itself; one that fails leaves the plan's own claim open."""
    if checked.proven:
        return Check("certificate", Outcome.CONFIRMED, f"proves the bound {in_full(checked.bound)}")
    text = "; ".join(checked.faults)
    return Check("certificate", Outcome.UNDECIDED, f"{text}; without it evidence is made anew")
