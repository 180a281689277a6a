"""Is a claim about a network whose layers are put into stages true."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.instance.objective.components import COMMUNICATION, TIME
from hypar_opt.util.errors import InputError
from hypar_opt.verification.another_word import word_of_another
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.claim_case import UncertifiedClaim
from hypar_opt.verification.verdict import Check, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.solver.staged.problem import StagedProblem
    from hypar_opt.verification.certificate.check import Checked

SHARED = "; both leave stages out by bounds that are stages' own optima added up"
"""What formulations of stages have in common."""


@dataclass(frozen=True)
class StagedClaim(UncertifiedClaim):
    """A claim about stages with strategies inside."""

    problem: StagedProblem
    whatever: ClassVar[str] = "a network with stages"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return "s"

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        return Verdict(until_one_fails(self._checks(strategies)))

    def _checks(self, strategies: Mapping[str, str]) -> Iterator[Check]:
        """Yield what can be said of stages by themselves."""
        claim = self.claim
        try:
            found, fault = self.problem.judged(strategies), None
        except InputError as error:
            found, fault = None, error.message
        yield check_of("plan", fault, f"complete: {len(self.problem.layers):,} layers, each with its accelerators")
        if found is None:
            return
        yield check_of(
            "stages", found.fault, f"{len(found.places):,} stages one after the other: allowed, and all fits"
        )
        if claim.placement is not None:
            yield check_of("placement", "stages stand where their leaves do, expected none", "")
        moved = found.bytes_moved
        yield equal_check(COMMUNICATION, claim.communication_bytes, moved, "bytes", "recounted stage by stage")
        yield equal_check(TIME, claim.costs.get(TIME), found.objective, "s", "recounted stage by stage")
        yield equal_check("objective", claim.objective, found.objective, "s", "the time")
        yield bound_check(claim, found.objective, "s")

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what a formulation of another kind finds, with another one inside of stages."""
        return word_of_another(self.problem, self.claim.formulation, self.search, SHARED)
