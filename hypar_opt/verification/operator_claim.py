"""Is a claim about an instance of operators true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.evaluation.links import misplaced
from hypar_opt.formulation.registry import defaults, vouchers
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.solver.operator_placement import PLACES, least_anywhere, sites_of
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.util.numbers import amount, in_full
from hypar_opt.verification.certificate.header import check_file
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.claim_case import ClaimCase
from hypar_opt.verification.evidence import able, apart, beside, unproven
from hypar_opt.verification.evidence_search import NOTHING, better
from hypar_opt.verification.solver_choice import half
from hypar_opt.verification.verdict import Check, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.verification.certificate.check import Checked


def _write_nothing(*_: object) -> None:
    raise Refusal("certificates are not of operators yet")


@dataclass(frozen=True)
class OperatorClaim(ClaimCase):
    """A claim about an instance of operators."""

    problem: OperatorProblem
    least: ClassVar[Fraction] = Fraction(0)
    certified: ClassVar[tuple[Status, ...]] = ()
    write: ClassVar[Callable[..., None]] = staticmethod(_write_nothing)

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""
        return "placement of these strategies" if self.claim.decided == "placement" else "plan"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return self.problem.objective.unit

    def checked(self, path: Path) -> Checked:
        """Refuse a certificate: there is none of operators."""
        check_file(path)
        raise InputError(self.problem.uncertifiable, file=path)

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
            kept = self.problem.kept_in_all(plan)
            text = f"{in_full(kept)} of {in_full(self.problem.model.memory)} bytes"
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
        yield check_of("placement", self._misplaced(), f"{instance.devices:,} devices on different accelerators")

    def _misplaced(self) -> str | None:
        """Return why the plan's devices cannot stand where it says, or None."""
        instance, claim, problem = self.problem.instance, self.claim, self.problem
        if claim.placement is None:
            return "the objective depends on the placement, and the plan has none"
        if problem.is_free != (claim.decided != "strategies"):
            given = "to be decided" if problem.is_free else "given"
            return f"the placement is {given}, and the plan says that '{claim.decided}' was decided"
        try:
            sites = sites_of(problem, claim.placement)
        except InputError as error:
            return error.message
        assert instance.machine is not None  # the objective depends on it
        fault = misplaced(instance.machine, sites, instance.partition)
        if fault is None and instance.standing is not None and sites != instance.standing.sites:
            fault = "the plan stands elsewhere than the instance says"
        return fault

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
            pairs = zip(given, strategies[name].split(), strict=True)
            if any(one is not None and one != other for one, other in pairs):
                text = " ".join(one or "." for one in given)
                return f"'{name}' is given '{text}', the plan has '{strategies[name]}'"
        return None

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return the bound of the first other formulation that takes the problem, of another encoding if there is one.

        Parameters
        ----------
        checked
            Nothing: there are no certificates of operators.
        limit
            What is to be judged; None where it is whether there is any plan.
        """
        besides, search = self.claim.formulation, self.search
        if self.problem.is_free:
            return self._evidence_of_placements()
        for problem, name in self._vouching(self.problem, besides):
            try:
                plan = solve(problem, name, limits=half(search.limits), listener=search.listener)
            except Refusal:
                continue
            if plan.status in (Status.OPTIMAL, Status.INFEASIBLE) or plan.bound is not None:
                how = "a proof" if plan.proven else unproven(plan)
                text = f"{how} by {name}, {beside(name, besides)}"
                return Evidence(text, plan.bound, better(plan), plan.status is Status.INFEASIBLE, name)
        return NOTHING

    def _evidence_of_placements(self) -> Evidence:
        """Return what no placement of the words costs less than; or, where both were decided, no words anywhere.

        The latter is the least bytes, each across the nearest sites.
        """
        claim, search = self.claim, self.search
        if claim.decided == "placement":
            plan = solve(self.problem, PLACES, start=claim.strategies, limits=search.limits, listener=search.listener)
            found = better(plan)
            best = None if found is None else replace(found, placement=plan.placement)
            how = "a proof" if plan.proven else unproven(plan)
            whose = "asked again" if claim.formulation == PLACES else beside(PLACES, claim.formulation)
            return Evidence(f"{how} by {PLACES}, {whose}", plan.bound, best, False, PLACES)
        for problem, name in self._vouching(self.problem.by_communication, claim.formulation):
            try:
                least = solve(problem, name, limits=search.limits, listener=search.listener)
            except Refusal:
                continue
            bound = least_anywhere(self.problem, least)
            if bound is not None:
                text = f"the least bytes ({name}), each across the nearest accelerators"
                return Evidence(text, bound, None, False, name)
        return NOTHING

    def _vouching(self, whose: OperatorProblem, besides: str) -> Iterator[tuple[OperatorProblem, str]]:
        """Yield who is asked, of another encoding first, and about the tables reduced or the operators as they are."""
        asked: list[tuple[OperatorProblem, str]] = []
        for tables in (True, False):
            problem = replace(whose, as_tables=tables)
            if problem.is_tight == tables:
                asked += ((problem, name) for name in (*vouchers(problem.use), *defaults(problem.use)))
        apart_from = (one for one in dict.fromkeys(asked) if apart(one[1], besides))
        yield from sorted(apart_from, key=lambda one: able(one[1]).encoding == able(besides).encoding)
