"""Is a claim about trees with shares true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.evaluation.collective.packing_bound import PackingProver
from hypar_opt.instance.objective.components import COMMUNICATION, TIME
from hypar_opt.util.errors import InputError
from hypar_opt.verification.another_word import word_of_another
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.collective_claim import CollectiveClaim
from hypar_opt.verification.verdict import Check, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from hypar_opt.solver.packing_problem import PackingProblem
    from hypar_opt.verification.certificate.check import Checked


@dataclass(frozen=True)
class PackingClaim(CollectiveClaim):
    """A claim about trees that bring a collective about."""

    problem: PackingProblem

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""
        return "packing"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return "s"

    def _checks(self, strategies: Mapping[str, str]) -> Iterator[Check]:
        """Yield what can be said of trees by themselves."""
        claim, instance = self.claim, self.problem.instance
        try:
            found, fault = self.problem.packed(strategies), None
        except InputError as error:
            found, fault = None, error.message
        yield check_of("plan", fault, f"trees of {len(instance.chunks):,} chunks, all along nodes of the array")
        if found is None:
            return
        wrong = None if found.fault is None else found.fault.text
        said = "shares are whole chunks, and every tree gets to where its chunk has to be"
        yield check_of("trees", wrong, f"{len(found.packing.shares):,} trees: {said}")
        if claim.placement is not None:
            yield check_of("placement", "chunks stand nowhere, expected none", "")
        how = "recounted tree by tree"
        yield equal_check(COMMUNICATION, claim.communication_bytes, found.bytes_sent, "bytes", how)
        yield equal_check(TIME, claim.costs.get(TIME), found.seconds, "s", how)
        yield equal_check("objective", claim.objective, found.objective, self.unit, f"the busiest link, {how}")
        yield bound_check(claim, found.objective, self.unit)

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what cuts prove that can be checked by hand, or else that a search finds better trees."""
        prover = PackingProver(self.problem.instance)
        found = prover.best
        if limit is None or found.value < limit:
            found = prover.by_narrow_cut
        proven = Evidence(f"{found.text}, recounted", found.value)
        if limit is None or proven.decides(limit):
            return proven
        other = word_of_another(self.problem, self.claim.formulation, self.search)
        return other if other.decides(limit) else proven
