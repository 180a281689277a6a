"""Asking one formulation after the other about a strategy graph, until what they say is enough.

Prices of a bound come first. Where the exact bound is enough, it is written as a certificate and checked. Where it is
not, it leaves little of the graph to plans that cost no more than the claimed one (`narrowed`), and whoever has no
prices is asked of that. Checking takes longer than such a search: what decides nothing is checked at the end.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import cached_property
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Final

from hypar_opt.costgraph import Duals, Priced
from hypar_opt.costgraph.presolve.components import count_components
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.certificate.check import CertificateError, Checked, check
from hypar_opt.verification.certificate.of_graph import write_graph_certificate
from hypar_opt.verification.evidence import able, apart, beside, unproven
from hypar_opt.verification.reduced_cost_fixing import NarrowedProblem
from hypar_opt.verification.solver_choice import Enough, half, in_order
from hypar_opt.verification.verdict import Better, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from hypar_opt.solver.graph_problem import GraphProblem
    from hypar_opt.verification.claim import Claim
    from hypar_opt.verification.claim_case import EvidenceSearch

NOTHING: Final = Evidence("no formulation that could decide it takes this problem within the limits")


@dataclass(frozen=True, eq=False)
class PricedBound:
    """What prices that a formulation told prove.

    Parameters
    ----------
    problem
        Of the tables that the formulation was given.
    plan
        By the same formulation, for the certificate; may be any.
    duals
        The prices.
    """

    problem: GraphProblem
    plan: Plan
    duals: Duals

    @cached_property
    def bound(self) -> Fraction:
        """What no plan costs less than."""
        return self.problem.shift + Priced(self.problem.graph.tables, self.duals).bound

    @cached_property
    def certified(self) -> Evidence:
        """What the checker says that a certificate of them proves; takes seconds for large graphs."""
        plan, name = self.plan, self.plan.formulation
        with TemporaryFile() as file:
            try:
                write_graph_certificate(file, self.problem, self.duals, plan)
            except Refusal as refusal:
                return Evidence(f"{name}'s bound: {refusal}")
            file.seek(0)
            try:
                checked = check(file)
            except CertificateError as error:  # too large for the checker
                return Evidence(f"{name}'s certificate cannot be checked: {error}")
        if not checked.proven:
            text = f"{name}'s certificate fails its check: {'; '.join(checked.faults)}"
            return Evidence(text, checked.bound)
        return of_graph_certificate(checked, f"a certificate by {name}")


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


def better(plan: Plan) -> Better | None:
    """Return a plan whose cost was recomputed from the graph, if there is one."""
    if plan.strategies is None or plan.objective is None:
        return None
    return Better(plan.formulation, dict(plan.strategies), None, plan.objective)


@dataclass
class Inquiry:
    """What is known so far of a claim.

    Parameters
    ----------
    problem, claim, search
        Of what graph, what is claimed, and how long evidence is looked for.
    limit
        What is to be judged; None where it is whether there is any plan.
    best
        The best evidence.
    prices
        Those of the best bound.
    late
        Whether the time was over before the evidence was enough.
    """

    problem: GraphProblem
    claim: Claim
    search: EvidenceSearch
    limit: Fraction | None = None
    best: Evidence = NOTHING
    prices: PricedBound | None = None
    late: bool = False

    def evidence(self) -> Evidence:
        """Ask one formulation after the other until the answer is enough; return the best."""
        names = in_order(self.claim.formulation, bounding=self.limit is not None)
        for name in names:
            if self.search.limits.over:
                break
            if self._enough(self._answers(name, is_last=name == names[-1])):
                return self.best
        over = self.search.limits.remaining_s() == 0.0
        self.late = not self._enough(self._certified()) and over
        return self.best

    def _enough(self, answers: Iterable[Evidence]) -> bool:
        """Take answers as long as more are needed."""
        for one in answers:
            self.best = better_of(self.best, one)
            if self.best.decides(self.limit):
                return True
        return False

    def _answers(self, name: str, *, is_last: bool) -> Iterator[Evidence]:
        """Yield what a formulation's prices prove, then what it says where it is not its own claim in question."""
        told: deque[Duals] = deque(maxlen=1)
        asked = self._asked(name)
        plan = self._plan(name, asked, told, is_last)
        if plan is None or plan.status is Status.ERROR:
            return
        if told and self.limit is not None:
            prices = PricedBound(asked, self._with_plan(plan), told[-1])
            self.prices = max(prices, self.prices or prices, key=lambda one: one.bound)
            yield from self._certified(at_least=self.limit)
        yield self._word(asked, plan)

    def _asked(self, name: str) -> GraphProblem:
        """Return the whole problem to those that have prices; to others what is left by the best that were told."""
        whole, prices, cost, limits = self.problem, self.prices, self.claim.objective, self.search.limits
        if prices is None or cost is None or able(name).prices:
            return whole
        return NarrowedProblem(whole.instance, whole.presolved, limits, whole=whole, duals=prices.duals, cost=cost)

    def _plan(self, name: str, asked: GraphProblem, told: deque[Duals], is_last: bool) -> Plan | None:
        """Run a formulation; one whose word does not count ends with its prices."""
        search = self.search if is_last else replace(self.search, limits=half(self.search.limits))
        enough = Enough(search, self.limit, () if is_last or self._wants_all(name) else told)
        proof = told.append if able(name).prices else None
        try:
            return solve(asked, name, limits=enough.limits, listener=enough.hear, proof=proof)
        except Refusal:
            return None

    def _wants_all(self, name: str) -> bool:
        """Return whether more than first prices is wanted: a word that counts, a plan, or prices of every component."""
        counts = self.limit is None or apart(name, self.claim.formulation)
        return counts or count_components(self.problem.graph.tables) > 1

    def _with_plan(self, plan: Plan) -> Plan:
        """Return the claimed plan where a search ended without one: a certificate has a plan, whatever it costs."""
        if plan.strategies is not None:
            return plan
        return replace(plan, status=Status.FEASIBLE, strategies=self.claim.strategies, objective=self.claim.objective)

    def _certified(self, at_least: Fraction | None = None) -> Iterator[Evidence]:
        """Yield what a certificate of the best prices proves, if their exact bound is enough."""
        if self.prices is not None and (at_least is None or self.prices.bound >= at_least):
            yield self.prices.certified

    def _word(self, asked: GraphProblem, plan: Plan) -> Evidence:
        """Return what a formulation says."""
        name, besides = plan.formulation, self.claim.formulation
        if not apart(name, besides):
            text = f"{plan.status} by {name}, whose word on a claim of {besides} does not count"
            return Evidence(text, None, better(plan))
        parts = [f"{self._how(plan)} by {name}", beside(name, besides)]
        if self.prices is not None and asked is not self.problem:
            parts.append(f"narrowed in exact integers by prices of {self.prices.plan.formulation}")
        text = "; ".join(filter(None, [", ".join(parts), plan.note]))
        return Evidence(text, plan.bound, better(plan), plan.status is Status.INFEASIBLE, name)

    def _how(self, plan: Plan) -> str:
        enough = self.limit is not None and plan.bound is not None and plan.bound >= self.limit
        return "a proof" if plan.status is Status.OPTIMAL or enough else unproven(plan)


def better_of(first: Evidence, second: Evidence) -> Evidence:
    """Return the evidence of the better bound, with the better plan."""
    plans = [one.best for one in (first, second) if one.best is not None]
    best = min(plans, key=lambda plan: plan.objective, default=None)
    is_better = second.infeasible or first.bound is None or (second.bound is not None and second.bound > first.bound)
    return replace(second if is_better else first, best=best)
