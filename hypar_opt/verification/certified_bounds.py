"""What prices of strategy graphs prove: exactly, and by a certificate that the checker confirms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from hypar_opt.costgraph import Priced
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.certificate.check import CertificateError, Checked, check
from hypar_opt.verification.certificate.of_graph import write_graph_certificate
from hypar_opt.verification.verdict import Better, Evidence

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.costgraph import Duals
    from hypar_opt.solver.graph_problem import GraphProblem
    from hypar_opt.solver.plan import Plan


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
