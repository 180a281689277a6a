"""The problem of an instance whose array has several kinds of accelerators: words, and shares."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.solver.check import noted
from hypar_opt.solver.mixed.costs import MixedCosts
from hypar_opt.solver.mixed.task import MixedTask
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides, Solution
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
        """Return the strategies as what is to be decided."""
        self.check_decided(decides)
        return MixedTask(self), ""

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> Plan | None:
        """Return the plan of the least time, found by weighted sums at given shares; None for another objective."""
        if not self.is_of_time:
            return None
        from hypar_opt.solver.mixed.search import ShareSearch

        asked = time.perf_counter()
        plan = ShareSearch.of(self, lambda simpler: solve(simpler, limits, None), limits).found()
        return noted(replace(plan, runtime_s=time.perf_counter() - asked), self.compiled.left_out)
