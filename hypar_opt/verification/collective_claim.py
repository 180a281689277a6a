"""Is a claim about a collective true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.evaluation.collective.bound import BoundProver
from hypar_opt.instance.objective.components import COMMUNICATION, TIME
from hypar_opt.util.errors import InputError
from hypar_opt.verification.another_word import better_construction, word_of_another
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.claim_case import UncertifiedClaim
from hypar_opt.verification.verdict import Check, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.verification.certificate.check import Checked


@dataclass(frozen=True)
class CollectiveClaim(UncertifiedClaim):
    """A claim about a schedule of a collective."""

    problem: CollectiveProblem
    whatever: ClassVar[str] = "a collective"

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""
        return "schedule"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return "s" if self.problem.instance.goal == "time" else ""

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        return Verdict(until_one_fails(self._checks(strategies)))

    def _checks(self, strategies: Mapping[str, str]) -> Iterator[Check]:
        """Yield what can be said of sends by themselves."""
        claim, instance = self.claim, self.problem.instance
        try:
            found, fault = self.problem.judged(strategies), None
        except InputError as error:
            found, fault = None, error.message
        yield check_of("plan", fault, f"sends of {len(instance.chunks):,} chunks, all along nodes of the array")
        if found is None:
            return
        wrong = None if found.fault is None else found.fault.text
        said = "every chunk gets where it has to be, and no link carries more than it can"
        yield check_of("schedule", wrong, f"{len(found.schedule.sends):,} sends: {said}")
        if claim.placement is not None:
            yield check_of("placement", "chunks stand nowhere, expected none", "")
        how = "recounted send by send"
        yield equal_check(COMMUNICATION, claim.communication_bytes, found.bytes_sent, "bytes", how)
        if found.seconds is not None:
            yield equal_check(TIME, claim.costs.get(TIME), found.seconds, "s", how)
        yield equal_check("objective", claim.objective, found.objective, self.unit, f"{instance.goal}, {how}")
        yield bound_check(claim, found.objective, self.unit)

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what sums prove that can be checked by hand, or a better plan, or what another formulation says."""
        prover, steps = BoundProver(self.problem.instance), self.problem.instance.steps
        if steps is not None and prover.by_way.value > steps:
            return Evidence(f"{prover.by_way.text}, more than {steps:,} steps", infeasible=True)
        found = prover.best
        narrow = None if limit is None or found.value >= limit else prover.by_narrow_cut
        if narrow is not None and narrow.value > found.value:
            found = narrow
        proven = Evidence(f"{found.text}, recounted", found.value)
        if limit is not None and proven.decides(limit):
            return proven
        constructed = better_construction(self.problem, limit, self.search)
        if constructed.best is not None:
            return constructed
        other = word_of_another(self.problem, self.claim.formulation, self.search)
        if other.decides(limit) or limit is None:
            return other
        return proven if other.bound is None or other.bound <= found.value else other
