"""Evidence of claims about instances of operators: a certificate made anew and checked, or another's word."""

from __future__ import annotations

from dataclasses import replace
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.registry import certifiers, defaults, vouchers
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.operator_in_turn import PLACES, least_anywhere
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.certificate.check import CertificateError, check
from hypar_opt.verification.certificate.of_operators import write_operator_certificate
from hypar_opt.verification.evidence import able, apart, beside, unproven
from hypar_opt.verification.evidence_search import NOTHING, better
from hypar_opt.verification.solver_choice import half
from hypar_opt.verification.verdict import Better, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.formulation.potentials import Potentials
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.verification.certificate.check import Checked
    from hypar_opt.verification.claim import Claim
    from hypar_opt.verification.claim_case import EvidenceSearch

PLACED_S: Final = 60.0
"""How long a placement is searched for, at most: the search may never end where no bound is met."""


def of_operator_certificate(checked: Checked, source: str, unit: str) -> Evidence:
    """Return what a checked certificate proves.

    Parameters
    ----------
    checked
        Bound to the problem.
    source
        What the certificate is called.
    unit
        What stands behind a value of the objective.
    """
    best = None if checked.cost is None else Better(source, checked.plan, None, checked.cost, unit=unit)
    text = f"{source}, checked in exact integers by code that shares nothing with the solvers"
    return Evidence(text, checked.bound, best)


def operator_evidence(problem: OperatorProblem, besides: str, search: EvidenceSearch) -> Evidence:
    """Find the best lower bound on a problem's objective that does not rest on one solver's word.

    Parameters
    ----------
    problem
        Whose objective.
    besides
        The formulation whose claim is in question.
    search
        Its limits, and who hears of it.
    """
    late = ""
    if problem.uncertifiable is None:
        try:
            return _by_certificate(problem, certifiers()[0], search)
        except (IndexError, Refusal):  # nobody writes any, or it declines
            pass
        except CertificateError as error:  # too large for the checker
            late = f"; a certificate cannot be checked: {error}"
    found = _by_another(problem, besides, search)
    return replace(found, text=f"{found.text}{late}")


def placed_evidence(problem: OperatorProblem, claim: Claim, search: EvidenceSearch) -> Evidence:
    """Find what no placement of a claim's words costs less than; or, where both were decided, no words anywhere.

    The latter is the least bytes, each across the nearest accelerators, or by all of their links at once.

    Parameters
    ----------
    problem
        Whose placement is to be decided.
    claim, search
        What is claimed of it, and within which limits evidence is looked for.
    """
    if claim.decided == "placement":
        limits = search.limits.within(PLACED_S)
        plan = solve(problem, PLACES, start=claim.strategies, limits=limits, listener=search.listener)
        found = better(plan)
        best = None if found is None else replace(found, placement=plan.placement)
        whose = "asked again" if claim.formulation == PLACES else beside(PLACES, claim.formulation)
        how = "a proof" if plan.proven else unproven(plan)
        return Evidence(f"{how} by {PLACES}, {whose}", plan.bound, best, False, PLACES)
    least = operator_evidence(problem.by_communication, claim.formulation, search)
    bound = least_anywhere(problem, least.bound)
    if bound is None:
        return replace(NOTHING, infeasible=least.infeasible)
    return Evidence(f"the least bytes at the nearest accelerators: {least.text}", bound, None)


def _by_certificate(problem: OperatorProblem, certifier: str, search: EvidenceSearch) -> Evidence:
    proofs: list[Potentials] = []
    plan = solve(problem, certifier, limits=half(search.limits), listener=search.listener, proof=proofs.append)
    if plan.status is not Status.OPTIMAL or not proofs:
        raise Refusal(f"{certifier} ended without a proof ({plan.native_status})")
    with TemporaryFile() as file:
        write_operator_certificate(file, problem, proofs.pop(), plan)
        file.seek(0)
        checked = check(file)
    if not checked.proven:
        return Evidence(f"{certifier}'s certificate fails its check: {'; '.join(checked.faults)}", checked.bound)
    return of_operator_certificate(checked, f"a certificate by {certifier}", problem.objective.unit)


def _by_another(problem: OperatorProblem, besides: str, search: EvidenceSearch) -> Evidence:
    """Return the bound of the first other formulation that takes the problem, of another encoding if there is one."""
    for taken, name in _vouching(problem, besides):
        try:
            plan = solve(taken, name, limits=half(search.limits), listener=search.listener)
        except Refusal:
            continue
        if plan.status in (Status.OPTIMAL, Status.INFEASIBLE) or plan.bound is not None:
            how = "a proof" if plan.proven else unproven(plan)
            text = f"{how} by {name}, {beside(name, besides)}"
            return Evidence(text, plan.bound, better(plan), plan.status is Status.INFEASIBLE, name)
    return NOTHING


def _vouching(given: OperatorProblem, besides: str) -> Iterator[tuple[OperatorProblem, str]]:
    """Yield who is asked, of another encoding first, and about the tables reduced or the operators as they are."""
    asked: list[tuple[OperatorProblem, str]] = []
    for tables in (True, False):
        problem = replace(given, as_tables=tables, known=given.components)
        if problem.is_tight == tables:
            asked += ((problem, name) for name in (*vouchers(problem.use), *defaults(problem.use)))
    apart_from = (one for one in dict.fromkeys(asked) if apart(one[1], besides))
    yield from sorted(apart_from, key=lambda one: able(one[1]).encoding == able(besides).encoding)
