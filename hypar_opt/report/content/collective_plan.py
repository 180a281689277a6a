"""A schedule of a collective in a report, recounted once for all that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.report.collective.bounds import bounds_of
from hypar_opt.report.collective.ways import ways_of_schedule
from hypar_opt.report.content.named_plan import FoundPlan

if TYPE_CHECKING:
    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.report.collective.bounds import KindOfBound
    from hypar_opt.report.collective.ways import WaysShown
    from hypar_opt.solver.collective_problem import CollectiveProblem


@dataclass(frozen=True)
class NamedCollectivePlan(FoundPlan):
    """A schedule, with what its links carry when."""

    problem: CollectiveProblem

    @cached_property
    def judged(self) -> JudgedCollective:
        """The sends, and what they come to."""
        return self.problem.judged(self.strategies)

    @cached_property
    def bounds(self) -> tuple[KindOfBound, ...]:
        """What no schedule is below, the greatest first."""
        return bounds_of(self.problem.instance)

    @property
    def ways(self) -> WaysShown:
        """Of its chunks."""
        return ways_of_schedule(self.judged)
