"""Is a claim about a strategy graph true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.evaluation.strategy_graph import Judged, judge, shortage
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import TOTAL
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import in_full
from hypar_opt.verification.certificate.header import check_file
from hypar_opt.verification.certificate.of_graph import KIND, bind_graph, write_graph_certificate
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.claim_case import SEARCH_S, ClaimCase
from hypar_opt.verification.evidence_search import Inquiry, of_graph_certificate
from hypar_opt.verification.verdict import Check, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from hypar_opt.solver.graph_problem import GraphProblem
    from hypar_opt.verification.certificate.check import Checked
    from hypar_opt.verification.claim import Claim


@dataclass(frozen=True)
class GraphClaim(ClaimCase):
    """A claim about a strategy graph; presolve waits until it is needed."""

    problem: GraphProblem
    certified: ClassVar[tuple[Status, ...]] = (Status.OPTIMAL, Status.FEASIBLE)
    write: ClassVar[Callable[..., None]] = staticmethod(write_graph_certificate)

    def checked(self, path: Path) -> Checked:
        """Check a certificate, and that it is one of this graph."""
        checked = check_file(path)
        kind = checked.header["problem"]["kind"]
        if kind != KIND:
            what = "operators" if kind == "operators" else "a network"
            raise InputError(f"is a certificate of {what}, this is a strategy graph", file=path, field="problem.kind")
        bind_graph(checked.header, self.problem.instance, path)
        return checked

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        try:
            choices = self.problem.choices(strategies)
        except InputError as error:
            return Verdict((check_of("plan", error.message, ""),))
        found = judge(self.problem.instance, choices)
        return Verdict(until_one_fails(_checks(self.problem, self.claim, found)), judged=found)

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what the certificate proves, or what can be found where that is less than is claimed."""
        given = None if checked is None else of_graph_certificate(checked, f"the certificate {self.search.certificate}")
        if limit is None:
            return given if given is not None and given.best is not None else self._no_plan()
        if given is not None and given.decides(limit):
            return given
        found = self._found(limit)
        if given is None or given.bound is None or (found.bound is not None and found.bound > given.bound):
            return found
        return replace(found, bound=given.bound, text=f"{given.text}; {found.text}")

    def _no_plan(self) -> Evidence:
        """Return whether there is a plan, as far as can be found."""
        short = shortage(self.problem.instance)
        if short is not None:
            return Evidence(short.text, infeasible=True)
        if self.problem.refuted is not None:
            return Evidence(f"presolve finds that {self.problem.refuted}", infeasible=True)
        return Inquiry(self.problem, self.claim, self.search.limited).evidence()

    def _found(self, limit: Fraction) -> Evidence:
        """Return the best bound and plan that are found; no more than is needed to judge a limit."""
        inquiry = Inquiry(self.problem, self.claim, self.search.limited, limit)
        found = inquiry.evidence()
        if self.search.limits.deadline is None and inquiry.late:
            return replace(found, text=f"{found.text}, in the {SEARCH_S:.0f} s that are given without a time limit")
        return found


def _checks(problem: GraphProblem, claim: Claim, found: Judged) -> Iterator[Check]:
    """Yield what can be said of a plan by its costs and usages alone."""
    graph = problem.instance
    yield check_of("plan", None, f"complete: {graph.nodes:,} nodes, each with a strategy of its own")
    ruled = replace(found, violations=())
    yield check_of("strategies", ruled.fault, "no cost is forbidden")
    yield check_of("memory", found.fault, memory_text(found))
    if claim.placement is not None or claim.decided != "strategies":
        yield check_of("placement", "nothing depends on a placement, expected none", "")
    yield equal_check(TOTAL, claim.costs.get(TOTAL), found.total, "", "recomputed from the graph")
    yield equal_check("objective", claim.objective, found.total, "", "the total")
    yield bound_check(claim, Fraction(found.total), "")


def memory_text(found: Judged) -> str:
    """Return how much memory a plan uses at most, and when."""
    when = "" if found.peak_time is None else f", at time {found.peak_time}"
    return f"at most {in_full(found.peak)} of {in_full(found.limit)} at any time{when}"
