"""Is a claim about a pipeline true."""

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

    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.verification.certificate.check import Checked


@dataclass(frozen=True)
class PipelineClaim(UncertifiedClaim):
    """A claim about the stages of a pipeline."""

    problem: PipelineProblem
    whatever: ClassVar[str] = "a pipeline"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return "s"

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        return Verdict(until_one_fails(self._checks(strategies)))

    def _checks(self, strategies: Mapping[str, str]) -> Iterator[Check]:
        """Yield what can be said of stages by themselves."""
        claim, instance = self.claim, self.problem.instance
        try:
            found, fault = self.problem.judged(strategies), None
        except InputError as error:
            found, fault = None, error.message
        yield check_of("plan", fault, f"complete: {len(instance.operators):,} operators, each with its devices")
        if found is None:
            return
        contiguous = "contiguous, " if instance.contiguous else ""
        yield check_of("stages", found.fault, f"{len(found.used):,} stages: {contiguous}allowed, and all fits")
        if claim.placement is not None:
            yield check_of("placement", "devices stand nowhere, expected none", "")
        yield equal_check(COMMUNICATION, claim.communication_bytes, found.bytes_read, "bytes", "recounted by operators")
        yield equal_check(TIME, claim.costs.get(TIME), found.objective, "s", "recounted by operators")
        yield equal_check("objective", claim.objective, found.objective, "s", "the time")
        yield bound_check(claim, found.objective, "s")

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what a formulation of another kind finds."""
        return word_of_another(self.problem, self.claim.formulation, self.search)
