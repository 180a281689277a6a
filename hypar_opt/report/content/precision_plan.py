"""A plan with bits in a report: what every layer sends, recounted once for all that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.report.content.named_plan import FoundPlan

if TYPE_CHECKING:
    from hypar_opt.evaluation.precision import JudgedPrecision
    from hypar_opt.solver.precision_problem import PrecisionProblem


@dataclass(frozen=True)
class NamedPrecisionPlan(FoundPlan):
    """A plan of words and bits."""

    problem: PrecisionProblem

    @cached_property
    def judged(self) -> JudgedPrecision:
        """Recounted tensor by tensor."""
        return self.problem.judged(self.strategies)
