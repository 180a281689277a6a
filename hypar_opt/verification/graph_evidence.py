"""Evidence for claims about strategy graphs: bounds that the checker of certificates confirms, and solvers' words."""

from __future__ import annotations

import time
from dataclasses import replace
from tempfile import TemporaryFile
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.certificate.check import CertificateError, Checked, check
from hypar_opt.certificate.of_graph import write_graph_certificate
from hypar_opt.errors import Refusal
from hypar_opt.formulation import found, load_formulation
from hypar_opt.plan import Plan, Status
from hypar_opt.solving import solve
from hypar_opt.strategy_graph.judging import shortage
from hypar_opt.verification.evidence import Evidence, beside, encoding_of
from hypar_opt.verification.verdict import Better

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from hypar_opt.formulation import Capabilities
    from hypar_opt.graph_problem import GraphProblem
    from hypar_opt.run import Event, Limits
    from hypar_opt.verification.search import Search

ASKED: Final = ("portfolio", "milp-highs", "brute-force", "cp-sat", "lagrangian")
"""Formulations that are asked, until one has an answer: the exact ones first, of these those whose word counts, then
those of another encoding than the claim's. Each is given half of what is left of the time."""

MEMBERS: Final = ("milp-highs", "lagrangian")
"""Whom portfolio runs: no word of theirs stands apart from its own."""


def no_plan(problem: GraphProblem, besides: str, search: Search) -> Evidence:
    """Return whether there is a plan, as far as can be found.

    Parameters
    ----------
    besides
        The formulation whose claim is in question.
    """
    short = shortage(problem.instance)
    if short is not None:
        return Evidence(short.text, infeasible=True)
    if problem.refuted is not None:
        return Evidence(f"presolve finds that {problem.refuted}", infeasible=True)
    return _asked(problem, besides, search, None)


def graph_bound(problem: GraphProblem, besides: str, search: Search, limit: Fraction) -> Evidence:
    """Return the best lower bound that is found, and the best plan; no more than is needed to judge a limit.

    Parameters
    ----------
    besides
        The formulation whose claim is in question.
    limit
        Enough is a bound of as much, or a plan that costs less.
    """
    return _asked(problem, besides, search, limit)


def of_graph_certificate(checked: Checked, source: str) -> Evidence:
    """Return what a checked certificate proves.

    Parameters
    ----------
    checked
        Bound to the graph.
    source
        What the certificate is called.
    """
    best = None if checked.cost is None else Better(source, checked.plan, None, checked.cost)
    text = f"{source}, checked in exact integers by code that shares nothing with the solvers"
    return Evidence(text, checked.bound, best)


def _asked(problem: GraphProblem, besides: str, search: Search, limit: Fraction | None) -> Evidence:
    """Ask one formulation after the other until the answer is enough; return the best."""
    best = Evidence("no formulation that could decide it takes this problem within the limits")
    names = _in_order(besides)
    for name in names:
        if search.limits.over:
            break
        part = search if name == names[-1] else replace(search, limits=_half(search.limits))
        for one in _answers(problem, name, besides, part, limit):
            best = _better_of(best, one)
            if best.decides(limit):
                return best
    return best


def _half(limits: Limits) -> Limits:
    """Return limits that leave half of the time to others."""
    left = limits.remaining_s()
    return limits if left is None else replace(limits, deadline=time.monotonic() + left / 2)


def _in_order(besides: str) -> list[str]:
    known = {name: able for name in ASKED if name in found() and (able := _able(name)) is not None}
    known = {name: able for name, able in known.items() if able.prices or _apart(name, besides)}

    def order(name: str) -> tuple[bool, bool, bool]:
        return not known[name].exact, not _apart(name, besides), known[name].encoding == encoding_of(besides)

    return sorted(known, key=order)


def _apart(name: str, besides: str) -> bool:
    """Return whether a formulation's word says anything of another's claim."""
    of_portfolio = [one for one in ((name, besides), (besides, name)) if one[0] == "portfolio" and one[1] in MEMBERS]
    return name != besides and not of_portfolio


def _able(name: str) -> Capabilities | None:
    try:
        return load_formulation(name).capabilities
    except Refusal:  # installed, and it cannot be imported
        return None


def _better_of(first: Evidence, second: Evidence) -> Evidence:
    """Return the evidence of the better bound, with the better plan."""
    plans = [one.best for one in (first, second) if one.best is not None]
    best = min(plans, key=lambda plan: plan.objective, default=None)
    is_better = second.infeasible or first.bound is None or (second.bound is not None and second.bound > first.bound)
    return replace(second if is_better else first, best=best)


def _answers(
    problem: GraphProblem, name: str, besides: str, search: Search, limit: Fraction | None
) -> Iterator[Evidence]:
    """Yield what a certificate of a formulation proves, then what it says where it is not its own claim in question."""
    proofs: list[Any] = []
    enough = _Enough(search, limit)
    try:
        proof = proofs.append if load_formulation(name).capabilities.prices else None
        plan = solve(problem, name, limits=enough.limits, listener=enough.hear, proof=proof)
    except Refusal:
        return
    if plan.status is Status.ERROR:
        return
    certified = proofs and plan.strategies is not None
    if certified:
        yield _certified(problem, plan, proofs[-1])
    if _apart(name, besides):
        infeasible = plan.status is Status.INFEASIBLE
        yield Evidence(_how(plan, besides, limit), plan.bound, _found(plan), infeasible, name)
    elif not certified:
        text = f"{plan.status} by {name}, whose word on a claim of {besides} does not count"
        yield Evidence(text, None, _found(plan))


def _certified(problem: GraphProblem, plan: Plan, duals: Any) -> Evidence:
    """Write a certificate, and return what the checker says that it proves."""
    with TemporaryFile() as file:
        try:
            write_graph_certificate(file, problem, duals, plan)
        except Refusal as refusal:
            return Evidence(f"{plan.formulation}'s bound: {refusal}", None, _found(plan))
        file.seek(0)
        try:
            checked = check(file)
        except CertificateError as error:  # too large for the checker
            return Evidence(f"{plan.formulation}'s certificate cannot be checked: {error}", None, _found(plan))
    if not checked.proven:
        text = f"{plan.formulation}'s certificate fails its check: {'; '.join(checked.faults)}"
        return Evidence(text, checked.bound, _found(plan))
    return replace(of_graph_certificate(checked, f"a certificate by {plan.formulation}"), best=_found(plan))


def _how(plan: Plan, besides: str, limit: Fraction | None) -> str:
    enough = limit is not None and plan.bound is not None and plan.bound >= limit
    proven = plan.status is Status.OPTIMAL or enough
    how = "a proof" if proven else f"{plan.status} ({plan.native_status})"
    whose = f"{how} by {plan.formulation}, {beside(plan.formulation, besides)}"
    return f"{whose}; {plan.note}" if plan.note else whose


def _found(plan: Plan) -> Better | None:
    """Return a plan whose cost was recomputed from the graph, if there is one."""
    if plan.strategies is None or plan.objective is None:
        return None
    return Better(plan.formulation, dict(plan.strategies), None, plan.objective)


class _Enough:
    """Stops a search when what it told is enough to judge a limit, and passes on what it tells."""

    def __init__(self, search: Search, limit: Fraction | None) -> None:
        self._limit, self._listener = limit, search.listener
        self.limits = replace(search.limits, stop=_Either(search.limits.stop))

    def hear(self, event: Event) -> None:
        if event.value is not None:
            found = event.kind == "incumbent" and (self._limit is None or event.value < self._limit)
            proven = event.kind == "bound" and self._limit is not None and event.value >= self._limit
            if found or proven:
                self.limits.stop.set()
        if self._listener is not None:
            self._listener(event)


class _Either(Flag):
    """A flag that is set with another one, too."""

    def __init__(self, other: Flag) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        """Return whether either is."""
        return super().is_set() or self._other.is_set()
