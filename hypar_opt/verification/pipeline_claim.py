"""Is a claim about a pipeline true."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, NoReturn

from hypar_opt.formulation.registry import vouchers
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, TIME
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.claim_case import ClaimCase
from hypar_opt.verification.evidence import able, apart, beside, unproven
from hypar_opt.verification.evidence_search import NOTHING, better
from hypar_opt.verification.solver_choice import half
from hypar_opt.verification.verdict import Check, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.verification.certificate.check import Checked


def _write_nothing(*_: object) -> NoReturn:
    raise Refusal("certificates are of costs of layers, and a pipeline has stages")


@dataclass(frozen=True)
class PipelineClaim(ClaimCase):
    """A claim about the stages of a pipeline."""

    problem: PipelineProblem
    least: ClassVar[Fraction] = Fraction(0)
    certified: ClassVar[tuple[Status, ...]] = ()
    write: ClassVar[Callable[..., None]] = staticmethod(_write_nothing)

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return "s"

    def checked(self, path: Path) -> Checked:
        """Refuse: no certificate is of such a problem.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError("is no certificate of a pipeline: there are none", file=path)

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
        search, besides = self.search, self.claim.formulation
        encoding = able(besides).encoding
        others = [name for name in vouchers("pipeline") if apart(name, besides) and able(name).exact]
        for name in sorted(others, key=lambda one: able(one).encoding == encoding):
            try:
                plan = solve(self.problem, name, limits=half(search.limits), listener=search.listener)
            except Refusal:
                continue
            if plan.status in (Status.ERROR, Status.NO_SOLUTION):
                continue
            how = f"a proof ({plan.native_status})" if plan.status is Status.OPTIMAL else unproven(plan)
            nothing = plan.status is Status.INFEASIBLE
            return Evidence(
                f"{how} by {name}, {beside(name, besides)}", plan.bound, better(plan), nothing, word_of=name
            )
        return NOTHING
