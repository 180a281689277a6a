"""The problem of an instance whose array has several kinds of accelerators: words, and shares."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.formulation.registry import abilities
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance.mixed_faults import kinds_lack
from hypar_opt.instance.objective.components import EXCHANGES, PLACED, SUMMED, TIME, depends_on
from hypar_opt.instance.text import dotted
from hypar_opt.solver.check import noted
from hypar_opt.solver.mixed.costs import MixedCosts
from hypar_opt.solver.mixed.placing import MixedPlacementTask
from hypar_opt.solver.mixed.task import MixedFrontTask, MixedTask
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Ask, AskSimpler, Start, Task


@dataclass(frozen=True)
class MixedProblem(MixedCosts):
    """What `solve` works on where accelerators are of several kinds; a `Problem`."""

    @property
    def unfixed(self) -> MixedProblem | None:
        """The same problem without the strategies that are given; None where none are."""
        return type(self)(self.instance.changed(fix={})) if any(self.instance.fix.values()) else None

    @cached_property
    def graph(self) -> CostGraph:
        """The strategies at given shares, by what the objective weighs.

        Raises
        ------
        Refusal
            If the time is asked for: it is no sum.
        """
        if self.is_of_time:
            raise Refusal("a step's time is a maximum over groups and no sum; it is bounded by weighted sums")
        box = self.box
        return self.compiled.limited(self.compiled.sum_graph(box.low, self.objective.weights), box)

    @property
    def sizing_graph(self) -> CostGraph:
        """The strategies by their bytes, at some shares where the time is asked for."""
        return self.compiled.sizing(self.box.low) if self.is_of_time else self.graph

    def recounted(self, strategies: Mapping[str, str], plan: Plan) -> tuple[Plan, Fraction, str | None]:
        """Return the plan of strategies at given shares, its objective, and what is wrong with it, by other code."""
        shares = self.box.low
        plan = self.complete(plan, strategies, shares)
        return plan, self.combined(plan.costs), self.fault_of(strategies, shares)

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return what is to be decided: the strategies; or, for those of a start, where leaves stand."""
        if decides == "placement":
            return self._placing(name, start, solve)
        self.check_decided(decides)
        return MixedTask(self), ""

    def _placing(self, name: str, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the placement of strategies that are given, or of those that are best where leaves stand in order."""
        able, array = abilities(name), self.instance.spec.array
        if self.is_of_time or not any(depends_on(one, PLACED) for one in self.objective.components):
            raise Refusal("nothing depends on where kinds stand; try --objective hop-bytes at given shares")
        if array.placement != "free" or self.instance.bounds:
            why = (
                "the placement is given" if array.placement != "free" else "placements are decided without bounds only"
            )
            raise Refusal(f"{why}; try joint-dp")
        if able is None or not able.reads_traffic:
            raise Refusal(f"{name} places leaves that all send equally much, and kinds do not; try placement-traffic")
        if start.strategies is not None:
            self.choices(start.strategies)
            fault = self.fault_of(start.strategies, self.box.low)
            if fault is not None:
                raise InputError(f"only a plan that is allowed can be placed: {fault}", field="start")
            return MixedPlacementTask(self, start.strategies), "those of the start"
        first = solve(self)
        if first.strategies is None:
            status = Status.INFEASIBLE if first.status is Status.INFEASIBLE else Status.NO_SOLUTION
            return Solution(status, native_status=f"no strategies to place: {first.status} by {first.formulation}"), ""
        proven = "proven" if first.status is Status.OPTIMAL else "not proven"
        return MixedPlacementTask(self, first.strategies), f"those of leaves in order ({first.formulation}, {proven})"

    def front(self, components: Sequence[str]) -> Task:
        """Return the words at given shares, charged by each of several sums alone.

        Raises
        ------
        InputError
            If the array does not say what a component needs.
        Refusal
            If one of them is no sum, or shares are to be decided.
        """
        part = next((name for name in components if name in EXCHANGES), None)
        if part is not None:
            raise Refusal(f"'{part}' is counted on equal accelerators alone; try {', '.join(SUMMED)}")
        time = next((name for name in components if name not in SUMMED), None)
        if time is not None:
            raise Refusal(
                f"fronts are of sums over layers, and the {time} of unlike groups is a maximum; try solve, "
                f"with a bound on {TIME} (--at-most) and another objective"
            )
        if not self.box.is_point:
            raise Refusal("fronts are of words at shares that are given; try --shares equal")
        wrong = next(kinds_lack(self.instance.spec.array, components), None)
        if wrong is not None:
            raise InputError(wrong[1], file=self.instance.source, field=dotted(wrong[0]))
        return MixedFrontTask(self, tuple(components))

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> Plan | None:
        """Return the plan of the least time, found by weighted sums at given shares; None for another objective."""
        if not self.is_of_time:
            return None
        from hypar_opt.solver.mixed.search import ShareSearch

        asked = time.perf_counter()
        plan = ShareSearch.of(self, lambda simpler: solve(simpler, limits, None), limits).found()
        return noted(replace(plan, runtime_s=time.perf_counter() - asked), self.compiled.left_out)
