"""A plan of a pipeline in a report: its stages and their schedules, recounted once for all that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.report.content.named_plan import FoundPlan
from hypar_opt.studies.schedules.compare import compare_schedules
from hypar_opt.studies.schedules.of_plan import stages_of
from hypar_opt.studies.schedules.throughput import throughput_of
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.studies.schedules.compare import NamedSchedule
    from hypar_opt.studies.schedules.stages import StageTimes
    from hypar_opt.studies.schedules.throughput import Throughput

A_STAGE: Final = 2
"""Microbatches of a batch for each stage, where the pipeline does not say how many there are."""
MOST_STEPS: Final = 300
"""Microbatches at stages of a batch that is drawn."""
SIZES: Final = (1, 2, 4, 8, 16, 32, 64)
"""Microbatches of the batches whose throughput is drawn."""
MOST_PASSES: Final = 6_000
"""Microbatches at stages of all these together; a page waits about a second for so many."""


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
        return tuple(compare_schedules(self._times, self.microbatches))

    @cached_property
    def throughput(self) -> Throughput:
        """Batches of several sizes by known schedules: of fewer where there are very many stages.

        Raises
        ------
        Refusal
            If the stages cannot be put in order, and why.
        """
        times = self._times
        return throughput_of(times, [size for size in SIZES if 2 * size * len(times) <= MOST_PASSES] or SIZES[:1])

    @cached_property
    def _times(self) -> tuple[StageTimes, ...]:
        try:
            return tuple(stages_of(self.judged))
        except InputError as error:
            raise Refusal(error.message) from None
