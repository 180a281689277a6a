"""Is a claim about a strategy graph true."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.certificate.graph_arrays import KIND, bind_graph
from hypar_opt.certificate.read import check_file
from hypar_opt.components import TOTAL
from hypar_opt.errors import InputError
from hypar_opt.plan_file import in_full
from hypar_opt.strategy_graph.judging import judge
from hypar_opt.verification.certified import of_graph_certificate
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.concluding import certificate_check, judged, of_no_plan, until_one_fails
from hypar_opt.verification.evidence import Evidence
from hypar_opt.verification.graph_evidence import graph_bound, no_plan
from hypar_opt.verification.verdict import Check, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from hypar_opt.certificate.check import Checked
    from hypar_opt.graph_problem import GraphProblem
    from hypar_opt.strategy_graph.judging import Judged
    from hypar_opt.verification.claim import Claim
    from hypar_opt.verification.search import Search


def verify_graph(problem: GraphProblem, claim: Claim, search: Search, *, as_optimal: bool) -> Verdict:
    """Decide whether what is claimed of a strategy graph is true.

    Parameters
    ----------
    claim
        About this graph.
    as_optimal
        Judge a plan as if it claimed to be optimal.

    Raises
    ------
    InputError
        If the certificate is about another graph, or damaged.
    """
    checked = None if search.certificate is None else _checked(search.certificate, problem)
    if claim.strategies is None:
        if checked is not None and checked.cost is not None:
            return of_no_plan(of_graph_certificate(checked, f"the certificate {search.certificate}"))
        return of_no_plan(no_plan(problem, claim, search))
    verdict = _arithmetic(problem, claim, claim.strategies)
    if verdict.outcome is not Outcome.CONFIRMED:
        return verdict
    if checked is not None:
        verdict = replace(verdict, checks=(*verdict.checks, certificate_check(checked)))
    limit = claim.objective if as_optimal else claim.limit
    if limit is None or verdict.outcome is not Outcome.CONFIRMED:
        return verdict
    return judged(verdict, _evidence(problem, claim, search, checked, limit), limit, "plan")


def _checked(path: Path, problem: GraphProblem) -> Checked:
    """Check a certificate, and that it is one of this graph."""
    checked = check_file(path)
    if checked.header["problem"]["kind"] != KIND:
        raise InputError("is a certificate of a network, this is a strategy graph", file=path, field="problem.kind")
    bind_graph(checked.header, problem.instance, path)
    return checked


def _arithmetic(problem: GraphProblem, claim: Claim, strategies: Mapping[str, str]) -> Verdict:
    """Check whatever needs no search."""
    try:
        choices = problem.choices(strategies)
    except InputError as error:
        return Verdict((check_of("plan", error.message, ""),))
    found = judge(problem.instance, choices)
    return Verdict(until_one_fails(_checks(problem, claim, found)), judged=found)


def _checks(problem: GraphProblem, claim: Claim, found: Judged) -> Iterator[Check]:
    """Yield what can be said of a plan by its costs and usages alone."""
    graph = problem.instance
    yield check_of("plan", None, f"complete: {graph.nodes:,} nodes, each with a strategy of its own")
    ruled = replace(found, violations=())
    yield check_of("strategies", ruled.fault, "no cost is forbidden")
    yield check_of("memory", found.fault, memory_text(found))
    if claim.placement is not None or claim.decided != "strategies":
        yield check_of("placement", "nothing depends on a placement, expected none", "")
    yield equal_check(TOTAL, claim.costs.get(TOTAL), found.total, "recomputed from the graph")
    yield equal_check("objective", claim.objective, found.total, "the total")
    yield bound_check(claim, Fraction(found.total))


def memory_text(found: Judged) -> str:
    """Return how much memory a plan uses at most, and when."""
    when = "" if found.peak_time is None else f", at time {found.peak_time}"
    return f"at most {in_full(found.peak)} of {in_full(found.limit)} at any time{when}"


def _evidence(
    problem: GraphProblem, claim: Claim, search: Search, checked: Checked | None, limit: Fraction
) -> Evidence:
    """Return what the certificate proves, or what can be found where that is less than is claimed."""
    if checked is not None:
        given = of_graph_certificate(checked, f"the certificate {search.certificate}")
        if checked.bound >= limit or (checked.cost is not None and checked.cost < limit):
            return given
    found = graph_bound(problem, claim, search, limit)
    if checked is None or (found.bound is not None and found.bound > checked.bound):
        return found
    return replace(found, bound=checked.bound, text=f"{given.text}; {found.text}")
