"""Is a claim about a schedule of a task graph true."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.evaluation.tasks.bounds import TaskProver
from hypar_opt.instance.objective.components import TIME
from hypar_opt.solver.infeasibility.task_memory import least_needs
from hypar_opt.util.errors import InputError
from hypar_opt.verification.another_word import better_construction, word_of_another
from hypar_opt.verification.checks import bound_check, check_of, equal_check
from hypar_opt.verification.claim_case import UncertifiedClaim
from hypar_opt.verification.verdict import Check, Evidence, Verdict, until_one_fails

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.solver.task_problem import TaskProblem
    from hypar_opt.verification.certificate.check import Checked


@dataclass(frozen=True)
class TaskClaim(UncertifiedClaim):
    """A claim about begins of tasks."""

    problem: TaskProblem
    whatever: ClassVar[str] = "a task graph"

    @property
    def whose(self) -> str:
        """What it is that none is claimed to be better of."""
        return "schedule"

    @property
    def unit(self) -> str:
        """What stands behind a value of the objective."""
        return "s"

    def arithmetic(self, strategies: Mapping[str, str]) -> Verdict:
        """Check whatever needs no search."""
        return Verdict(until_one_fails(self._checks(strategies)))

    def _checks(self, strategies: Mapping[str, str]) -> Iterator[Check]:
        """Yield what can be said of begins by themselves."""
        claim, instance = self.claim, self.problem.instance
        try:
            found, fault = self.problem.judged(strategies), None
        except InputError as error:
            found, fault = None, error.message
        yield check_of("plan", fault, f"complete: {len(instance.tasks):,} tasks, each with its begin")
        if found is None:
            return
        said = "nothing begins too early, and no resource or memory has more than it can"
        yield check_of("schedule", found.fault, f"{len(found.done):,} tasks are done: {said}")
        if instance.is_periodic:
            yield check_of("period", self._between(found.period), "a whole multiple of the unit of all times")
        if claim.placement is not None:
            yield check_of("placement", "tasks stand nowhere, expected none", "")
        how = "recounted task by task"
        yield equal_check(TIME, claim.costs.get(TIME), found.objective, "s", how)
        yield equal_check("objective", claim.objective, found.objective, self.unit, f"{instance.goal}, {how}")
        yield bound_check(claim, found.objective, self.unit)

    def _between(self, period: Fraction | None) -> str | None:
        """Return why a period is none of those among which the least is asked for, or None: begins may be any."""
        graph = self.problem.graph
        if period is None or (period * graph.unit).denominator == 1:
            return None
        return f"expected seconds in whole multiples of {graph.unit_text}, got {period}"

    def evidence(self, checked: Checked | None, limit: Fraction | None) -> Evidence:
        """Return what sums prove that can be checked by hand, or a better plan, or what another formulation says."""
        instance = self.problem.instance
        if limit is None:
            for name, (amount, task) in least_needs(instance).items():
                most = instance.memories[name]
                if most is not None and amount > most:
                    said = f"{task} alone keeps {amount:,} in the memory {name}, which holds {most:,}"
                    return Evidence(f"{said}, recounted", infeasible=True)
        found = TaskProver(instance).best
        unit = self.problem.graph.unit
        value = Fraction(ceil(found.value * unit), unit) if instance.is_periodic else found.value
        rounded = "" if value == found.value else f", rounded up to a multiple of {self.problem.graph.unit_text}"
        proven = Evidence(f"{found.text}{rounded}, recounted", value)
        if limit is not None and proven.decides(limit):
            return proven
        if limit is not None:
            constructed = better_construction(self.problem, limit, self.search)
            if constructed.best is not None:
                return constructed
        other = word_of_another(self.problem, self.claim.formulation, self.search)
        if other.decides(limit) or limit is None:
            return other
        return proven if other.bound is None or other.bound <= value else other
