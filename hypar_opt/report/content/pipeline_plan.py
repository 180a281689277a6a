"""A plan of a pipeline in a report: its stages and their schedules, recounted once for all that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.report.content.named_plan import FoundPlan
from hypar_opt.studies.schedules.compare import compare_schedules
from hypar_opt.studies.schedules.of_plan import stages_of
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.studies.schedules.compare import NamedSchedule

A_STAGE: Final = 2
"""Microbatches of a batch for each stage, where the pipeline does not say how many there are."""
MOST_STEPS: Final = 300
"""Microbatches at stages of a batch that is drawn."""


@dataclass(frozen=True)
class NamedPipelinePlan(FoundPlan):
    """A plan of a pipeline, with what every stage takes and keeps."""

    problem: PipelineProblem

    @cached_property
    def judged(self) -> JudgedPipeline:
        """Its stages, recounted operator by operator."""
        return self.problem.judged(self.strategies)

    @property
    def microbatches(self) -> int:
        """How many a batch has that is put in order: as many as the pipeline says, fewer where these are very many."""
        count = len(self.judged.stages)
        return min(self.problem.instance.microbatches or A_STAGE * count, max(A_STAGE * count, MOST_STEPS // count))

    @cached_property
    def schedules(self) -> tuple[NamedSchedule, ...]:
        """Known schedules of such a batch.

        Raises
        ------
        Refusal
            If the stages cannot be put in order, and why.
        """
        try:
            return tuple(compare_schedules(stages_of(self.judged), self.microbatches))
        except InputError as error:
            raise Refusal(error.message) from None
