"""A schedule of a collective, or its trees, in a report, recounted once for all that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.report.collective.bounds import bounds_of
from hypar_opt.report.collective.packing_tables import packing_links_table
from hypar_opt.report.collective.tables import links_table
from hypar_opt.report.collective.ways import ways_of_schedule, ways_of_trees
from hypar_opt.report.content.named_plan import FoundPlan

if TYPE_CHECKING:
    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.evaluation.collective.packing import JudgedPacking
    from hypar_opt.report.collective.bounds import KindOfBound
    from hypar_opt.report.collective.ways import WaysShown
    from hypar_opt.report.tables import Table
    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.solver.packing_problem import PackingProblem


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

    @property
    def links(self) -> Table:
        """What they carry."""
        return links_table(self.judged)


@dataclass(frozen=True)
class NamedPackingPlan(FoundPlan):
    """Trees with shares, with what links carry of them."""

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

    @property
    def links(self) -> Table:
        """What they carry."""
        return packing_links_table(self.judged)
