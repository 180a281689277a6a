"""What a schedule has to know of the stages of a plan: seconds of each phase, lags between them, bytes kept."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm
from typing import TYPE_CHECKING

from hypar_opt.costgraph.pipeline.schedule import HeldBytes, Operation, ScheduleGraph
from hypar_opt.studies.schedules.rules import StageStep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.schedules.rules import Orders, Phase, ScheduleRule


@dataclass(frozen=True)
class StageTimes:
    """A stage.

    Parameters
    ----------
    forward, backward
        Seconds of one microbatch.
    gradient
        The part of the backward seconds in which gradients of parameters are computed, which no other stage waits for.
    lag
        Seconds until the next stage has what this one made, and this one what the next made backward.
    kept, resident
        Bytes that stay between the phases of a microbatch, and bytes that are always there.
    capacity
        Bytes of its device; None where any amount fits.
    reads
        Stages, from 0, whose outputs it needs; None for the one before it.
    parameters
        Bytes of those that are resident of which a microbatch in flight may need a version of its own.
    beyond
        Phases of other stages that its backward one waits for, besides those of the stages that read it.
    """

    forward: Fraction
    backward: Fraction
    gradient: Fraction = Fraction(0)
    lag: Fraction = Fraction(0)
    kept: Fraction = Fraction(0)
    resident: Fraction = Fraction(0)
    capacity: Fraction | None = None
    reads: tuple[int, ...] | None = None
    parameters: Fraction = Fraction(0)
    beyond: tuple[tuple[Phase, int], ...] = ()

    def seconds(self, phase: Phase, *, splits_backward: bool) -> Fraction:
        """Return what a phase takes."""
        if phase == "forward":
            return self.forward
        if phase == "gradient":
            return self.gradient
        return self.backward - (self.gradient if splits_backward else 0)


@dataclass(frozen=True)
class Batch:
    """The microbatches of a batch, at the stages of a pipeline.

    Parameters
    ----------
    stages
        In order; stage s on device s mod `devices`.
    devices, microbatches
        How many.
    splits_backward
        Whether gradients of parameters are an operation of their own.
    """

    stages: tuple[StageTimes, ...]
    devices: int
    microbatches: int
    splits_backward: bool = False

    @property
    def steps(self) -> tuple[StageStep, ...]:
        """All that is to be done."""
        phases: tuple[Phase, ...] = ("forward", "backward", *(("gradient",) if self.splits_backward else ()))
        return tuple(
            StageStep(phase, stage, one)
            for stage in range(len(self.stages))
            for one in range(self.microbatches)
            for phase in phases
        )

    def seconds(self, step: StageStep) -> Fraction:
        """Return what a step takes."""
        return self.stages[step.stage].seconds(step.phase, splits_backward=self.splits_backward)

    def needs(self, step: StageStep) -> list[tuple[StageStep, Fraction]]:
        """Return what has to be done before a step, and how long before."""
        stage, one = step.stage, step.microbatch
        if step.phase == "gradient":
            return [(StageStep("backward", stage, one), Fraction(0))]
        if step.phase == "forward":
            return [(StageStep("forward", other, one), self.stages[other].lag) for other in self.reads[stage]]
        behind = [other for other, read in enumerate(self.reads) if stage in read]
        own = (StageStep("forward", stage, one), Fraction(0))
        lag = self.stages[stage].lag
        more = [
            (StageStep(what, where, one), self.stages[where].lag if what == "forward" else lag)
            for what, where in self.stages[stage].beyond
        ]
        return [own, *((StageStep("backward", other, one), lag) for other in behind), *more]

    @property
    def reads(self) -> tuple[tuple[int, ...], ...]:
        """By stage, those whose outputs it needs."""
        before = (tuple(range(stage - 1, stage)) if stage else () for stage in range(len(self.stages)))
        return tuple(chain if one.reads is None else one.reads for one, chain in zip(self.stages, before, strict=True))

    @property
    def last_phase(self) -> Phase:
        """After which nothing of a microbatch is kept at a stage."""
        return "gradient" if self.splits_backward else "backward"

    @property
    def graph(self) -> ScheduleGraph:
        """As formulations of schedules read it."""
        steps = self.steps
        place = {step: number for number, step in enumerate(steps)}
        lags = [(before, step, lag) for step in steps for before, lag in self.needs(step)]
        unit = lcm(*(self.seconds(step).denominator for step in steps), *(lag.denominator for _, _, lag in lags))
        bytes_unit = lcm(*(one.kept.denominator for one in self.stages))
        return ScheduleGraph(
            tuple(Operation(one.stage % self.devices, int(self.seconds(one) * unit), _name(one)) for one in steps),
            tuple((place[before], place[step], int(lag * unit)) for before, step, lag in lags),
            tuple(
                HeldBytes(
                    stage % self.devices,
                    int(found.kept * bytes_unit),
                    place[StageStep("forward", stage, one)],
                    place[StageStep(self.last_phase, stage, one)],
                )
                for stage, found in enumerate(self.stages)
                for one in range(self.microbatches)
            ),
            tuple(self._room(device, bytes_unit) for device in range(self.devices)),
            unit,
        )

    def _room(self, device: int, unit: int) -> int | None:
        own = self.stages[device :: self.devices]
        if own[0].capacity is None:
            return None
        return floor((own[0].capacity - sum((one.resident for one in own), start=Fraction(0))) * unit)


def batch_of(rule: ScheduleRule, stages: Sequence[StageTimes], devices: int, microbatches: int) -> Batch:
    """Return what a rule puts in order."""
    return Batch(tuple(stages), devices, microbatches, rule.splits_backward)


def begins_of(batch: Batch, orders: Orders) -> Mapping[StageStep, Fraction]:
    """Return when everything begins, as early as the orders of the devices let it.

    Raises
    ------
    ValueError
        If devices wait for each other in a circle.
    """
    begins: dict[StageStep, Fraction] = {}
    left = [list(order) for order in orders]
    free = [Fraction(0)] * len(left)
    moved = True
    while moved:
        moved = False
        for device, order in enumerate(left):
            while order and all(before in begins for before, _ in batch.needs(order[0])):
                step = order.pop(0)
                ready = (begins[one] + batch.seconds(one) + lag for one, lag in batch.needs(step))
                begins[step] = max([free[device], *ready])
                free[device] = begins[step] + batch.seconds(step)
                moved = True
    if any(left):
        raise ValueError("devices wait for each other in a circle")
    return begins


def _name(step: StageStep) -> str:
    return f"{step.phase} of microbatch {step.microbatch + 1} at stage {step.stage + 1}"
