"""Is a plan's claim true."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.boxes import LEAF_EXACT
from hypar_opt.certificate.header import bind
from hypar_opt.certificate.read import check_file
from hypar_opt.errors import InputError
from hypar_opt.graph_problem import GraphProblem
from hypar_opt.instance.wording import shown
from hypar_opt.plan import Plan
from hypar_opt.problem import Problem
from hypar_opt.reading import load
from hypar_opt.run import Limits, Listener, limits_of
from hypar_opt.tasks import problem_of
from hypar_opt.verification.checks import check_binding, cost_checks, placement_checks, strategy_checks
from hypar_opt.verification.claim import Claim, claim_of
from hypar_opt.verification.claim_file import read_claim
from hypar_opt.verification.concluding import certificate_check, ended, judged, of_no_plan, until_one_fails
from hypar_opt.verification.evidence import Evidence, lower_bound, of_certificate
from hypar_opt.verification.of_graph import verify_graph
from hypar_opt.verification.search import Search
from hypar_opt.verification.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.certificate.check import Checked
    from hypar_opt.instance import Instance
    from hypar_opt.strategy_graph import StrategyGraph
    from hypar_opt.tasks import Subject


def verify(
    instance: Instance | StrategyGraph | Subject | Path | str,
    claim: Claim | Plan | Path | str,
    *,
    limits: Limits | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    certificate: Path | None = None,
    as_optimal: bool = False,
    listener: Listener | None = None,
) -> Verdict:
    """Decide whether a plan's claim is true.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance; or an instance read with the claim's overrides, or compiled from that;
        or a strategy graph.
    claim
        A plan file or what was read from it, or a plan.
    limits
        Of the search for a proof or a better plan; checking comes on top. A strategy graph is searched for
        `search.SEARCH_S` where no deadline is given.
    time_limit, seed, workers
        Instead of those of `limits`; the time in seconds.
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
    Interrupted
        If it has to stop while routes are followed.
    """
    limits = limits_of(limits, time_limit, seed, workers)
    claim = _claim(claim)
    problem = _problem(instance, claim)
    search = Search(limits, certificate, listener)
    check_binding(problem, claim)
    if isinstance(problem, GraphProblem):
        return verify_graph(problem, claim, search, as_optimal=as_optimal)
    problem.follow_routes(search.limits.stop.is_set)
    checked = None if certificate is None else _checked(certificate, problem)
    if claim.strategies is None:
        return of_no_plan(_evidence(problem, claim, search, checked))
    verdict = _arithmetic(problem, claim, claim.strategies)
    breakdown = verdict.breakdown
    if breakdown is None or verdict.outcome is not Outcome.CONFIRMED:
        return verdict
    if checked is not None:
        verdict = replace(verdict, checks=(*verdict.checks, certificate_check(checked)))
    limit = claim.objective if as_optimal else claim.limit
    if limit is None or verdict.outcome is not Outcome.CONFIRMED:
        return verdict
    if limit <= 0:
        return ended(verdict, Outcome.CONFIRMED, "no plan costs less than nothing", limit)
    return judged(verdict, _evidence(problem, claim, search, checked), limit, _whose(claim))


def _claim(claim: Claim | Plan | Path | str) -> Claim:
    if isinstance(claim, Plan):
        return claim_of(claim)
    if not isinstance(claim, Claim | Path | str):
        raise TypeError(f"claim: expected a plan, a plan file's path, or what was read from one, got {shown(claim)}")
    return claim if isinstance(claim, Claim) else read_claim(claim)


def _problem(instance: Instance | StrategyGraph | Subject | Path | str, claim: Claim) -> Subject:
    """Return the problem that a claim is about; an instance that is only named is read with the claim's overrides."""
    if isinstance(instance, Problem | GraphProblem):
        return instance
    if not isinstance(instance, Path | str):
        return problem_of(instance)
    try:
        return problem_of(load(instance, **claim.overrides))
    except InputError as error:
        if error.field is None or not error.field.startswith("--"):
            raise
        raise claim.error(error.message, f"overrides.{error.field.removeprefix('--')}") from None


def _arithmetic(problem: Problem, claim: Claim, strategies: Mapping[str, str]) -> Verdict:
    """Check whatever needs no search."""
    checks = until_one_fails(chain(strategy_checks(problem, strategies), placement_checks(problem, claim)))
    if checks[-1].outcome is Outcome.REFUTED:
        return Verdict(checks)
    breakdown, leaves = problem.bytes_of(strategies), problem.bytes_of(strategies, LEAF_EXACT)
    checks += until_one_fails(cost_checks(problem, claim, breakdown))
    return Verdict(checks, breakdown, leaves, splits=problem.uneven_splits(strategies))


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


def _checked(path: Path, problem: Problem) -> Checked:
    """Check a certificate, and that it is one of the problem."""
    checked = check_file(path)
    bind(checked.header, problem, path)
    return checked
