"""Is a claim about an instance with accelerators of several kinds true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final

from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.instance.shares import GridShares
from hypar_opt.solver.mixed.placing import misplaced_kind
from hypar_opt.util.numbers import in_full
from hypar_opt.verification.another_word import word_of_another
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.claim_case import UncertifiedClaim
from hypar_opt.verification.evidence_search import NOTHING
from hypar_opt.verification.mixed_boxes.claimed import box_evidence
from hypar_opt.verification.solver_choice import half
from hypar_opt.verification.verdict import Check, CheckOutcome, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.verification.certificate.check import Checked


SAID: Final = 8
"""Shares that are said."""


@dataclass(frozen=True)
class MixedClaim(UncertifiedClaim):
    """A claim about words and shares on an array of several kinds."""

    problem: MixedProblem
    whatever: ClassVar[str] = "accelerators of several kinds"

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""
        placed = self.claim.decided == "placement"
        return "placement of these strategies" if placed else "plan at any shares that the instance allows"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return self.problem.objective.unit

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        return Verdict(until_one_fails(self._checks(strategies)))

    def _checks(self, strategies: Mapping[str, str]) -> Iterator[Check]:
        """Yield what can be said of words and shares by themselves."""
        problem, claim = self.problem, self.claim
        count = f"{len(problem.work.layers):,} layers, {problem.instance.levels} levels"
        misnamed = self._misnamed()
        yield check_of("plan", misnamed, f"complete: {count}, {self._said()}")
        if misnamed is not None:
            return
        fault = problem.fault_of_plan(strategies, claim.shares)
        yield check_of("strategies", fault, "every layer's is allowed, and all fits")
        if claim.decided == "placement":
            placement = claim.placement or ()
            yield check_of(
                "placement", misplaced_kind(problem.instance, placement), "each stands on a node of its kind"
            )
            problem = problem.at(placement)
        elif claim.placement is not None or claim.decided != "strategies":
            yield check_of("placement", "kinds stand where the instance says, expected none", "")
        found = problem.costs_of_plan(strategies, claim.shares)
        unit = COMPONENTS[COMMUNICATION].unit_word
        yield equal_check(COMMUNICATION, claim.communication_bytes, found[COMMUNICATION], unit, "recounted by halves")
        for name, cost in claim.costs.items():
            yield equal_check(name, cost, found.get(name), COMPONENTS[name].measured_in, "recounted by halves")
        value = problem.combined(found)
        yield equal_check("objective", claim.objective, value, self.unit, "recounted by halves")
        yield bound_check(claim, value, self.unit)

    def _misnamed(self) -> str | None:
        """Return which split has no claimed share, or which share is of none; of layers' own ones words say that."""
        if isinstance(self.problem.instance.shares, GridShares):
            return None
        splits = self.problem.array.splits
        missing = [name for name in splits if name not in self.claim.shares]
        unknown = [name for name in self.claim.shares if name not in splits]
        if missing or unknown:
            said = f"no share for split '{missing[0]}'" if missing else f"a share for '{unknown[0]}', which is no split"
            return f"the plan has {said}; expected {', '.join(splits) or 'none'}"
        return None

    def _said(self) -> str:
        shares = self.claim.shares
        each = [f"{name} {in_full(one)}" for name, one in shares.items()]
        more = f" and {len(each) - SAID:,} more" if len(each) > SAID else ""
        return f"shares {', '.join(each[:SAID])}{more}" if shares else "no splits"

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what the claim's boxes of shares prove; where they leave something open, what is found anew."""
        if self.claim.decided == "placement":
            return NOTHING  # no other formulation places any traffic
        own_rules = self.problem.instance.bounds or self.problem.rules.divisible  # of which boxes say nothing
        boxes = self.claim.evidence if self.search.own and not own_rules else None
        if boxes is None or not self.problem.is_of_time or not self.problem.has_boxes:
            return self._found_anew()
        shown = box_evidence(self.problem, self.claim, boxes, limit, half(self.search.limits))
        if shown is None:
            return self._found_anew()
        is_false = any(one.outcome is CheckOutcome.REFUTED for one in shown.checks)
        if is_false or shown.decides(limit):
            return shown
        return replace(self._found_anew(), checks=shown.checks, boxes=shown.boxes)

    def _found_anew(self) -> Evidence:
        """Return what another formulation finds: boxes of shares, their weighted sums solved by it."""
        shared = _SAME if self.problem.is_of_time else ""
        return word_of_another(self.problem, self.claim.formulation, self.search, shared)


_SAME: Final = "; boxes of shares, and the words that are left in them, by the same code"
