"""A plan for accelerators of several kinds in a report: what every class does, recounted once for all that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.mixed import communication_bytes
from hypar_opt.report.content.named_plan import FoundPlan
from hypar_opt.report.mixed.step import MixedStep

if TYPE_CHECKING:
    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.solver.mixed.problem import MixedProblem


@dataclass(frozen=True)
class NamedMixedPlan(FoundPlan):
    """A plan of words and shares, with what every class of leaves does in a step."""

    problem: MixedProblem

    @cached_property
    def step(self) -> MixedStep:
        """A training step, recounted half by half."""
        return MixedStep.of(self.problem, self.plan)

    @cached_property
    def breakdown(self) -> Breakdown:
        """Bytes by layer, boundary and level."""
        return communication_bytes(self.problem.work, self.strategies, self.plan.shares, self.problem.judged_by)
