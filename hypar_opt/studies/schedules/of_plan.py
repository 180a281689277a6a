"""The stages of a plan as schedules need them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.schedules.stages import StageTimes
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.evaluation.pipeline_phases import StagePhases
    from hypar_opt.evaluation.pipeline_stage import PipelineStage


def stages_of(judged: JudgedPipeline, gradient_share: Fraction = Fraction(0)) -> tuple[StageTimes, ...]:
    """Return what every stage of a plan takes of a microbatch, and keeps.

    A microbatch is what the instance's seconds are of. Reading and sending are a part of a stage's phase, or a lag
    between stages where the instance has them beside computing.

    Parameters
    ----------
    gradient_share
        The part of the backward seconds in which gradients of parameters are computed: an assumption.

    Raises
    ------
    InputError
        If the plan's stages are in no order, it is known of none what its backward phase takes, or phases of stages
        wait for each other in a circle.
    """
    if judged.order is None:
        raise InputError("stages that need not be contiguous are in no order, expected a plan of contiguous ones")
    if any(judged.within(stage) for stage in judged.stages):
        raise InputError("stages of machines are pipelines inside, expected a plan of devices in no machines")
    phases = judged.phases
    if not any(one.backward for one in phases.stages):
        message = "no operator has a backward phase: expected `backward` seconds, or operators of that phase"
        raise InputError(message, file=judged.instance.source, field="operators")
    if phases.fault is not None:
        raise InputError(phases.fault, file=judged.instance.source, field="operators")
    return tuple(
        _stage(judged, stage, own, gradient_share) for stage, own in zip(judged.stages, phases.stages, strict=True)
    )


def _stage(judged: JudgedPipeline, stage: PipelineStage, phases: StagePhases, gradient_share: Fraction) -> StageTimes:
    ways = judged.ways_on(stage.devices).values()
    return StageTimes(
        phases.forward,
        phases.backward,
        gradient_share * phases.backward,
        phases.lag,
        sum((way.activations for way in ways), start=Fraction(0)),
        sum((way.memory for way in ways), start=Fraction(0)),
        stage.capacity,
        phases.reads,
        sum((way.parameters for way in ways), start=Fraction(0)),
        phases.beyond,
    )
