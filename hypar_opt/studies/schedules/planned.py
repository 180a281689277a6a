"""Plans whose stages can be put in order: what schedules ask of each kind of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from hypar_opt.evaluation.stage_phases import phased
from hypar_opt.studies.schedules.of_plan import stages_of
from hypar_opt.studies.schedules.stages import StageTimes
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification.checks import judged_plan

if TYPE_CHECKING:
    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.evaluation.stages import JudgedStages
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.solver.problem import Problem
    from hypar_opt.solver.staged.problem import StagedProblem
    from hypar_opt.verification.claim import Claim


@dataclass(frozen=True)
class ScheduledStages:
    """The stages of a plan.

    Parameters
    ----------
    stages
        In order.
    places
        By stage where the plan has it, and what is equal for places that are alike.
    said
        What is assumed, to be told in the heading.
    microbatches
        Of a batch, as the instance has it; None where it does not say.
    one_size
        Whether the stages' seconds are of that number only.
    pipeline
        What links are asked of; None where these are counted within the phases.
    """

    stages: tuple[StageTimes, ...]
    places: tuple[tuple[str, object], ...]
    said: str = ""
    microbatches: int | None = None
    one_size: bool = False
    pipeline: JudgedPipeline | None = None


def planned(problem: Problem, claim: Claim, gradient_share: Fraction | None = None) -> ScheduledStages:
    """Return the stages of a plan.

    Parameters
    ----------
    problem, claim
        What it is a plan of, and the plan.
    gradient_share
        The part of the backward seconds in which gradients of parameters are computed, where that is not known.

    Raises
    ------
    Refusal
        If such plans have no stages.
    InputError
        If it is no plan, or its stages cannot be put in order; if a share is given of what is known.
    """
    read = KINDS.get(problem.kind)
    if read is None:
        raise Refusal("schedule is of plans that have stages, of pipelines or networks; see hypar-opt simulate")
    staged = cast("PipelineProblem | StagedProblem", problem)
    return read(judged_plan(staged.judged, claim, "a plan to put in order"), gradient_share)


def _of_pipeline(judged: JudgedPipeline, gradient_share: Fraction | None) -> ScheduledStages:
    stages = stages_of(judged, gradient_share or Fraction(0))
    places = tuple((str(one.devices), replace(one.devices, first=1)) for one in judged.stages)
    said = "; backward operators lead on with forward ones; gradients go back" if judged.phases.turned else ""
    return ScheduledStages(stages, places, said, judged.instance.microbatches, pipeline=judged)


def _of_network(judged: JudgedStages, gradient_share: Fraction | None) -> ScheduledStages:
    if gradient_share is not None:
        said = "is known of a network's stages, expected none"
        raise InputError(said, field="--gradient-share")
    found = []
    for stage in judged.stages:
        one = phased(judged, stage)
        resident = stage.resident - judged.microbatches * one.maps
        found.append(
            StageTimes(
                one.forward,
                one.backward,
                one.gradient,
                kept=one.maps,
                resident=resident,
                capacity=stage.capacity,
                parameters=one.weights,
            )
        )
    # a stage's words are for its own part of the array: two of them are never done on one
    places = tuple((f"accelerators {one.first + 1} to {one.first + one.count}", one.first) for one in judged.stages)
    said = "; a device is all accelerators of a stage, bytes are of each"
    return ScheduledStages(tuple(found), places, said, judged.microbatches, one_size=True)


KINDS: Final[Mapping[str, Callable[[Any, Fraction | None], ScheduledStages]]] = MappingProxyType(
    {"pipeline": _of_pipeline, "staged": _of_network}
)
"""By kind of problem, how the stages of its plans are read."""
