"""Is a claim about a network's instance true."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.evaluation.communication import LEAF_EXACT
from hypar_opt.formulation.solution import Status
from hypar_opt.verification.certificate.header import bind, check_file
from hypar_opt.verification.certificate.write import write_certificate
from hypar_opt.verification.checks import cost_checks, placement_checks, strategy_checks, unit_of
from hypar_opt.verification.claim_case import ClaimCase
from hypar_opt.verification.evidence import lower_bound, of_certificate
from hypar_opt.verification.verdict import CheckOutcome, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.verification.certificate.check import Checked


@dataclass(frozen=True)
class NetworkClaim(ClaimCase):
    """A claim about a network's instance."""

    problem: NetworkProblem
    least: ClassVar[Fraction] = Fraction(0)
    certified: ClassVar[tuple[Status, ...]] = (Status.OPTIMAL,)
    write: ClassVar[Callable[..., None]] = staticmethod(write_certificate)

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""
        return "placement of these strategies" if self.claim.decided == "placement" else "plan"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return unit_of(self.problem)

    def prepare(self) -> None:
        """Follow the routes that costs depend on."""
        self.problem.follow_routes(self.search.limits.stop.is_set)

    def checked(self, path: Path) -> Checked:
        """Check a certificate, and that it is one of the problem."""
        checked = check_file(path)
        bind(checked.header, self.problem, path)
        return checked

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        problem, claim = self.problem, self.claim
        checks = until_one_fails(chain(strategy_checks(problem, strategies), placement_checks(problem, claim)))
        if checks[-1].outcome is CheckOutcome.REFUTED:
            return Verdict(checks)
        breakdown = problem.bytes_of(strategies)
        # what adds as released are charged for is no tensor that leaves lack
        leaves = None if problem.instance.spec.cost.as_released else problem.bytes_of(strategies, LEAF_EXACT)
        checks += until_one_fails(cost_checks(problem, claim, breakdown))
        return Verdict(checks, breakdown, leaves, splits=problem.uneven_splits(strategies))

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what the certificate proves, or what can be found without one."""
        problem, claim, search = self.problem, self.claim, self.search
        if checked is not None and checked.proven:
            return of_certificate(checked, problem, f"the certificate {search.certificate}", str(search.certificate))
        given = claim.strategies if claim.decided == "placement" else None
        return lower_bound(
            problem, besides=claim.formulation, strategies=given, limits=search.limits, listener=search.listener
        )
