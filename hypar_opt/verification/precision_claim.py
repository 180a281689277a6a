"""Is a claim about a network whose layers choose their bits true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import amount
from hypar_opt.verification.another_word import word_of_another
from hypar_opt.verification.checks import bound_check, check_of, equal_check, misplaced_fault
from hypar_opt.verification.claim_case import UncertifiedClaim
from hypar_opt.verification.verdict import Check, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from hypar_opt.solver.precision_problem import PrecisionProblem
    from hypar_opt.verification.certificate.check import Checked

HOW = "recounted tensor by tensor"


@dataclass(frozen=True)
class PrecisionClaim(UncertifiedClaim):
    """A claim about words and bits."""

    problem: PrecisionProblem
    whatever: ClassVar[str] = "bits that are chosen beside words"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return self.problem.objective.unit

    def prepare(self) -> None:
        """Follow the routes that costs depend on."""
        self.problem.prepare(self.search.limits, lambda *_: None)

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        return Verdict(until_one_fails(self._checks(strategies)))

    def _checks(self, strategies: Mapping[str, str]) -> Iterator[Check]:
        """Yield what can be said of words and bits by themselves."""
        problem, claim = self.problem, self.claim
        try:
            found, fault = problem.judged(strategies), None
        except InputError as error:
            found, fault = None, error.message
        yield check_of("plan", fault, f"complete: {len(problem.work.layers):,} layers, each with a word and its bits")
        if found is None:
            return
        fault = found.fault
        said = "" if fault else f"allowed, and all fits; errors of {amount(found.error)} in all"
        yield check_of("strategies", fault, said)
        yield from self._placement()
        total = found.breakdown.total
        yield equal_check(COMMUNICATION, claim.communication_bytes, total, COMPONENTS[COMMUNICATION].unit_word, HOW)
        for name, cost in claim.costs.items():
            yield equal_check(name, cost, found.costs.get(name), COMPONENTS[name].measured_in, HOW)
        value = found.objective(problem.weights)
        yield equal_check("objective", claim.objective, value, self.unit, HOW)
        yield bound_check(claim, value, self.unit)

    def _placement(self) -> Iterator[Check]:
        """Yield whether the plan stands where the instance says, where that matters."""
        claim, instance = self.claim, self.problem.instance
        if instance.is_placed:
            fault = misplaced_fault(
                claim, instance.machine, instance.partition, instance.placement, self.problem.sites_of, is_free=False
            )
            yield check_of("placement", fault, f"{instance.partition.leaves:,} leaves on different accelerators")
        elif claim.placement is not None or claim.decided != "strategies":
            yield check_of("placement", "nothing depends on a placement, expected none", "")

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what a formulation of another encoding finds over the same costs."""
        return word_of_another(self.problem, self.claim.formulation, self.search, SHARED)


SHARED = "; both read one compiled graph of words and bits"
"""What formulations have in common."""
