"""What of a stage's seconds and bytes belongs to which phase of a microbatch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.communication import by_phase
from hypar_opt.evaluation.links import weigh

if TYPE_CHECKING:
    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.evaluation.stages import JudgedStage, JudgedStages
    from hypar_opt.evaluation.step import Step, StepPhase

IN_PHASE: Final[Mapping[StepPhase, str]] = MappingProxyType(
    {"forward": "forward", "backward": "backward", "gradient": "gradient", "update": "gradient"}
)
"""By phase of a step, that of a microbatch: weights are updated where their gradients are computed and added up."""


@dataclass(frozen=True)
class PhasedStage:
    """A stage's part of a microbatch.

    Parameters
    ----------
    forward, backward
        Seconds: maps forward, then errors and gradients of weights back. Together they are the stage's.
    gradient
        The part of the backward seconds in which weights' gradients are computed, exchanged and used, which no other
        stage waits for.
    maps
        Bytes that each accelerator keeps of a microbatch between its phases.
    weights
        Bytes of weights on each.
    """

    forward: Fraction
    backward: Fraction
    gradient: Fraction
    maps: Fraction
    weights: Fraction


def phased(judged: JudgedStages, stage: JudgedStage) -> PhasedStage:
    """Return a stage's phases, by the model of a step that the stage's seconds are of.

    What is done once a batch, the exchange of gradients and the update, is spread over the microbatches as there.
    Half of what crosses each end of the stage are maps, half their errors.

    Parameters
    ----------
    judged
        The plan.
    stage
        One of its stages.
    """
    words, evaluator = judged.inside(stage.first, stage.count)
    breakdown = evaluator.bytes_of(words)
    step = evaluator.step(breakdown, evaluator.instance.placement)
    assert step is not None  # stages are of arrays that say what their accelerators can do
    found = dict.fromkeys(IN_PHASE.values(), Fraction(0))
    for one in step.stages:
        found[IN_PHASE[one.phase]] += one.seconds
    for phase in found:
        found[phase] += _exchanging(step, breakdown, phase)
    weights, maps = evaluator.kept_by_kind(words)
    each, across = judged.microbatches, (stage.reading + stage.sending) / 2
    return PhasedStage(
        (found["forward"] + across) / each,
        (found["backward"] + found["gradient"] + across) / each,
        found["gradient"] / each,
        maps / each,
        weights,
    )


def _exchanging(step: Step, breakdown: Breakdown, phase: str) -> Fraction:
    """Return the seconds of what is exchanged inside of a stage in one phase: links carry a level after the other."""
    parts = by_phase(step.work, breakdown.strategies, breakdown)
    rows = [part.levels for part in parts if part.phase == phase]
    if not rows or step.measured is None:
        return Fraction(0)
    levels = [sum(row) for row in zip(*rows, strict=True)]
    return weigh(step.measured.machine, step.measured.walked, levels).comm_time or Fraction(0)
