"""A plan with stages in a report: what every stage does, recounted once for all that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.report.content.named_plan import FoundPlan

if TYPE_CHECKING:
    from hypar_opt.evaluation.stages import JudgedStages
    from hypar_opt.solver.staged.problem import StagedProblem


@dataclass(frozen=True)
class NamedStagedPlan(FoundPlan):
    """A plan of stages with words inside."""

    problem: StagedProblem

    @cached_property
    def judged(self) -> JudgedStages:
        """Every stage as an instance of its own."""
        return self.problem.judged(self.strategies)
