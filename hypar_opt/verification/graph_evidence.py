"""Evidence for claims about strategy graphs: bounds that the checker of certificates confirms, and solvers' words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.strategy_graph.judging import shortage
from hypar_opt.verification.evidence import Evidence
from hypar_opt.verification.inquiry import Inquiry
from hypar_opt.verification.search import SEARCH_S

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.graph_problem import GraphProblem
    from hypar_opt.verification.claim import Claim
    from hypar_opt.verification.search import Search


def no_plan(problem: GraphProblem, claim: Claim, search: Search) -> Evidence:
    """Return whether there is a plan, as far as can be found."""
    short = shortage(problem.instance)
    if short is not None:
        return Evidence(short.text, infeasible=True)
    if problem.refuted is not None:
        return Evidence(f"presolve finds that {problem.refuted}", infeasible=True)
    return Inquiry(problem, claim, search.limited).evidence()


def graph_bound(problem: GraphProblem, claim: Claim, search: Search, limit: Fraction) -> Evidence:
    """Return the best lower bound that is found, and the best plan; no more than is needed to judge a limit.

    Parameters
    ----------
    claim
        What is in question; its plan is allowed and costs what it says.
    limit
        Enough is a bound of as much, or a plan that costs less.
    """
    inquiry = Inquiry(problem, claim, search.limited, limit)
    found = inquiry.evidence()
    if search.limits.deadline is None and inquiry.late:
        return replace(found, text=f"{found.text}, in the {SEARCH_S:.0f} s that are given without a time limit")
    return found
