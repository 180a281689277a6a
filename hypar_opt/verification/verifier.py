"""Is a plan's claim true."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Limits, Listener, limits_of
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.read import load
from hypar_opt.instance.text import shown
from hypar_opt.solver.front import TradeOff
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import Plan
from hypar_opt.util.errors import InputError
from hypar_opt.verification.checks import check_binding
from hypar_opt.verification.claim import Claim, claim_of, read_claim
from hypar_opt.verification.claim_case import ClaimCase, EvidenceSearch
from hypar_opt.verification.collective_claim import CollectiveClaim
from hypar_opt.verification.graph_claim import GraphClaim
from hypar_opt.verification.mixed_claim import MixedClaim
from hypar_opt.verification.network_claim import NetworkClaim
from hypar_opt.verification.operator_claim import OperatorClaim
from hypar_opt.verification.packing_claim import PackingClaim
from hypar_opt.verification.pipeline_claim import PipelineClaim
from hypar_opt.verification.precision_claim import PrecisionClaim
from hypar_opt.verification.staged_claim import StagedClaim
from hypar_opt.verification.task_claim import TaskClaim
from hypar_opt.verification.verdict import (
    LOWER_BOUND,
    OPTIMALITY,
    Check,
    CheckOutcome,
    Question,
    Verdict,
    certificate_check,
    ended,
    judged,
    of_no_plan,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.read import AnyInput
    from hypar_opt.solver.problem import Problem

CASES: Final[Mapping[str, type[ClaimCase]]] = MappingProxyType(
    {
        "network": NetworkClaim,
        "mixed": MixedClaim,
        "strategy-graph": GraphClaim,
        "operators": OperatorClaim,
        "pipeline": PipelineClaim,
        "staged": StagedClaim,
        "precision": PrecisionClaim,
        "collective": CollectiveClaim,
        "packing": PackingClaim,
        "task-graph": TaskClaim,
    }
)
"""How claims are judged and certificates written, by the kind that a problem says."""


def verify(
    instance: AnyInput | Problem | Path | str,
    claim: Claim | Plan | TradeOff | Path | str,
    *,
    limits: Limits | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    certificate: Path | None = None,
    as_optimal: bool = False,
    own_evidence: bool = True,
    listener: Listener | None = None,
) -> Verdict:
    """Decide whether a plan's claim is true.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance; or an instance read with the claim's overrides, or compiled from that;
        or an instance of operators, or a strategy graph.
    claim
        A plan file or what was read from it, a plan, or a point of a front.
    limits
        Of the search for a proof or a better plan; checking comes on top. A strategy graph is searched for
        `claim_case.SEARCH_S` where no deadline is given.
    time_limit, seed, workers
        Instead of those of `limits`; the time in seconds.
    certificate
        Evidence that came with the plan; some is made anew where there is none.
    as_optimal
        Judge the plan as if it claimed to be optimal, whatever it claims.
    own_evidence
        Whether evidence that stands in the plan's own file counts: boxes of shares of accelerators of several kinds.
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
    claim = claimed(claim)
    problem = problem_claimed(instance, claim)
    check_binding(problem, claim)
    case = CASES[problem.kind](problem, claim, EvidenceSearch(limits, certificate, listener, own_evidence))
    case.prepare()
    checked = None if certificate is None else case.checked(certificate)
    if claim.strategies is None:
        return of_no_plan(case.evidence(checked, None), case.unit)
    verdict = case.arithmetic(claim.strategies)
    if verdict.outcome is not CheckOutcome.CONFIRMED:
        return verdict
    if checked is not None:
        verdict = replace(verdict, checks=(*verdict.checks, certificate_check(checked, case.unit)))
    limit = claim.objective if as_optimal else claim.limit
    if limit is None or verdict.outcome is not CheckOutcome.CONFIRMED:
        return verdict
    name = OPTIMALITY if as_optimal or claim.status is Status.OPTIMAL else LOWER_BOUND
    if case.least is not None and limit <= case.least:
        return ended(verdict, Check(name, CheckOutcome.CONFIRMED, "no plan costs less than nothing"), limit)
    return judged(verdict, case.evidence(checked, limit), Question(name, limit, case.whose, case.unit))


def claimed(claim: Claim | Plan | TradeOff | Path | str) -> Claim:
    """Return what a plan, a point of a front, or the file of either claims.

    Raises
    ------
    InputError
        If it is no plan file, or claims nothing.
    TypeError
        If it is something else.
    """
    if isinstance(claim, TradeOff):
        return claim_of(claim.plan, criteria=claim.components)
    if isinstance(claim, Plan):
        return claim_of(claim)
    if not isinstance(claim, Claim | Path | str):
        raise TypeError(f"claim: expected a plan, a plan file's path, or what was read from one, got {shown(claim)}")
    return claim if isinstance(claim, Claim) else read_claim(claim)


def problem_claimed(instance: AnyInput | Problem | Path | str, claim: Claim) -> Problem:
    """Return the problem that a claim is about; an instance that is only named is read with the claim's overrides."""
    if not isinstance(instance, Path | str):
        return problem_of(instance)
    try:
        return problem_of(load(instance, **claim.overrides))
    except InputError as error:
        if error.field is None or not error.field.startswith("--"):
            raise
        raise claim.error(error.message, f"overrides.{error.field.removeprefix('--')}") from None
