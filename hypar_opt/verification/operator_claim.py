"""Is a claim about an instance of operators true."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.instance.operators.repeated import NO
from hypar_opt.solver.operator_placement import sites_of
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import amount, in_full
from hypar_opt.verification.certificate.header import check_file
from hypar_opt.verification.certificate.of_operators import bind_operators, write_operator_certificate
from hypar_opt.verification.checks import bound_check, check_of, equal_check, misplaced_fault
from hypar_opt.verification.claim_case import ClaimCase
from hypar_opt.verification.operator_evidence import of_operator_certificate, operator_evidence, placed_evidence
from hypar_opt.verification.verdict import Check, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.verification.certificate.check import Checked


@dataclass(frozen=True)
class OperatorClaim(ClaimCase):
    """A claim about an instance of operators."""

    problem: OperatorProblem
    least: ClassVar[Fraction] = Fraction(0)
    certified: ClassVar[tuple[Status, ...]] = (Status.OPTIMAL,)
    write: ClassVar[Callable[..., None]] = staticmethod(write_operator_certificate)

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""
        return "placement of these strategies" if self.claim.decided == "placement" else "plan"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return self.problem.objective.unit

    def checked(self, path: Path) -> Checked:
        """Check a certificate, and that it is one of the problem."""
        checked = check_file(path)
        bind_operators(checked.header, self.problem, path)
        return checked

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        try:
            plan = self.problem.plan_of(strategies)
        except InputError as error:
            return Verdict((check_of("plan", error.message, ""),))
        return Verdict(until_one_fails(self._checks(strategies, plan)))

    def _checks(self, strategies: Mapping[str, str], plan: OperatorPlan) -> Iterator[Check]:
        """Yield what can be said of a plan by its words and what it moves."""
        instance, claim = self.problem.instance, self.claim
        graph, partition = instance.graph, instance.partition
        count = f"{len(graph.operators):,} operators on {partition.leaves:,} devices"
        yield check_of("plan", self._other_axes(), f"complete: {count}")
        wrong = next(self.problem.faults(plan), None)
        yield check_of("strategies", wrong or self._not_given(strategies), "every operator's is allowed")
        if self.problem.model.memory is not None:
            peak = self.problem.peak(plan)
            text = f"{in_full(peak.bytes)} of {in_full(self.problem.model.memory)} bytes {peak.when}"
            yield check_of("memory", self.problem.memory_fault(plan), text)
        yield from self._placed()
        standing = self.problem if claim.placement is None else self.problem.at(claim.placement)
        found = standing.costs(plan)
        yield from self._bounds(found)
        unit = COMPONENTS[COMMUNICATION].unit_word
        yield equal_check(
            COMMUNICATION, claim.communication_bytes, found[COMMUNICATION], unit, "recounted device by device"
        )
        for name, cost in claim.costs.items():
            yield equal_check(name, cost, found.get(name), COMPONENTS[name].measured_in, "recounted device by device")
        weights = self.problem.objective.weights
        objective = sum((weight * found[name] for name, weight in weights.items() if weight), start=Fraction(0))
        how = "from the bytes" if self.problem.objective.components == (COMMUNICATION,) else "from its components"
        yield equal_check("objective", claim.objective, objective, self.unit, f"recomputed {how}")
        yield bound_check(claim, objective, self.unit)

    def _placed(self) -> Iterator[Check]:
        """Yield whether devices stand somewhere, where that matters: each on an accelerator of its own."""
        instance, claim = self.problem.instance, self.claim
        if not instance.is_placed:
            if claim.placement is not None or claim.decided != "strategies":
                yield check_of("placement", "nothing depends on a placement, expected none", "")
            return
        machine, problem, standing = instance.machine, self.problem, instance.standing
        assert machine is not None  # the objective depends on it
        given = None if standing is None else standing.sites
        fault = misplaced_fault(
            claim, machine, instance.partition, given, partial(sites_of, problem), is_free=problem.is_free
        )
        yield check_of("placement", fault, f"{instance.devices:,} devices on different accelerators")

    def _bounds(self, found: Mapping[str, Fraction]) -> Iterator[Check]:
        """Yield whether the plan keeps what its cost may be at most."""
        for name, most in self.problem.instance.bounds.items():
            unit = COMPONENTS[name].measured_in
            said = f"{name} {amount(found[name], unit)} of {amount(most, unit)}"
            yield check_of("bounds", f"{said}, which is above" if found[name] > most else None, said)

    def _other_axes(self) -> str | None:
        """Return that words are of other axes than the instance's, if the plan says so."""
        said, axes = self.claim.axes, tuple(axis.name for axis in self.problem.instance.partition.axes)
        if not said or said == axes:
            return None
        return f"words are of the axes {', '.join(said)}, the instance has {', '.join(axes)}"

    def _not_given(self, strategies: Mapping[str, str]) -> str | None:
        """Return which operator has another word than it is given, or None."""
        for name, given in self.problem.instance.fix.items():
            said = strategies.get(name, NO)  # of a block alone a plan need not say anything
            if any(one is not None and one != other for one, other in zip(given, said.split(), strict=True)):
                text = " ".join(one or "." for one in given)
                return f"'{name}' is given '{text}', the plan has '{said}'"
        return None

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what the certificate proves, or what can be found without one."""
        search = self.search
        if checked is not None and checked.proven:
            source = f"the certificate {search.certificate}"
            return of_operator_certificate(checked, source, self.unit)
        if self.problem.is_free:
            return placed_evidence(self.problem, self.claim, search)
        return operator_evidence(self.problem, self.claim.formulation, search)
