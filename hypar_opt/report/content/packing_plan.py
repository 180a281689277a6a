"""Trees with shares in a report, recounted once for all that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.report.collective.bounds import bounds_of
from hypar_opt.report.collective.ways import ways_of_trees
from hypar_opt.report.content.named_plan import FoundPlan

if TYPE_CHECKING:
    from hypar_opt.evaluation.collective.packing import JudgedPacking
    from hypar_opt.report.collective.bounds import KindOfBound
    from hypar_opt.report.collective.ways import WaysShown
    from hypar_opt.solver.packing_problem import PackingProblem


@dataclass(frozen=True)
class NamedPackingPlan(FoundPlan):
    """Trees, with what their links carry."""

    problem: PackingProblem

    @cached_property
    def judged(self) -> JudgedPacking:
        """The trees, and what they come to."""
        return self.problem.packed(self.strategies)

    @cached_property
    def bounds(self) -> tuple[KindOfBound, ...]:
        """What no trees are below, the greatest first."""
        return bounds_of(self.problem.instance)

    @property
    def ways(self) -> WaysShown:
        """Of its trees."""
        return ways_of_trees(self.judged)
