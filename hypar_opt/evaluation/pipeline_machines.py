"""What a plan of a pipeline takes where devices are inside of machines, recounted level by level.

The stage of a machine is a pipeline on the devices inside, judged as any: everything else stands elsewhere, before it
or behind it, takes no time there, and what it makes or needs crosses the links of the devices inside, too. The machine
then computes as long as the slowest stage inside takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.instance.pipeline import DeviceKind, StageDevices

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.pipeline_stage import PipelineStage
    from hypar_opt.instance.pipeline import PipelineInstance, PipelineOperator

ELSEWHERE: Final = " elsewhere"
"""Where all stands that is not on a machine: what comes before it on the first, what comes behind it on the second."""


def judge_pipeline(
    instance: PipelineInstance, devices_of: Mapping[str, StageDevices], anew: frozenset[str] = frozenset()
) -> JudgedPipeline:
    """Return what is true of a plan, of devices in machines or not.

    Parameters
    ----------
    devices_of
        By operator, the devices of its stage.
    anew
        Operators that compute their activations anew.
    """
    if not instance.has_machines:
        return JudgedPipeline(instance, devices_of, anew)
    outer = {name: one.outer for name, one in devices_of.items()}
    idle = _with_times(instance, outer, {})
    order = JudgedPipeline(idle, outer).order or ()
    inside = {
        devices: judge_pipeline(*_inside(instance, devices_of, devices, order[: order.index(devices)]))
        for devices in order
        if instance.kind_named(devices.kind).inside
    }
    slowest = {devices: one.slowest.seconds for devices, one in inside.items()}
    return JudgedMachines(_with_times(instance, outer, slowest), outer, inside=inside)


@dataclass(frozen=True)
class JudgedMachines(JudgedPipeline):
    """What is true of a plan on machines; its instance has what each computes as seconds of its first operator.

    Parameters
    ----------
    inside
        By machines that have a stage, what is true of it.
    """

    inside: Mapping[StageDevices, JudgedPipeline] = field(default_factory=dict)

    @cached_property
    def fault(self) -> str | None:
        """What is wrong with the plan, in a sentence, or None."""
        return next(self._every_fault(), None)

    def _every_fault(self) -> Iterator[str]:
        yield from self._faults()
        for devices, one in self.inside.items():
            if one.fault is not None:
                yield f"inside of {devices}: {one.fault}"

    def within(self, stage: PipelineStage) -> tuple[PipelineStage, ...]:
        """Return the stages inside of a machine's, down to devices with none inside; nothing of other stages."""
        judged = self.inside.get(stage.devices)
        if judged is None:
            return ()
        own = [one for one in judged.stages if one.devices.kind != ELSEWHERE]
        leaves = [leaf for one in own for leaf in judged.within(one) or (one,)]
        return tuple(replace(leaf, devices=replace(stage.devices, inside=leaf.devices)) for leaf in leaves)


def _with_times(
    instance: PipelineInstance, outer: Mapping[str, StageDevices], slowest: Mapping[StageDevices, Fraction]
) -> PipelineInstance:
    """Return a pipeline whose machines have nothing inside, each with a time for the first operator of its stage."""
    left = dict(slowest)
    operators = []
    for one in instance.operators:
        taken = left.pop(outer[one.name], Fraction(0))
        own = {kind.name: taken for kind in instance.kinds if kind.inside and kind.may_have(one)}
        operators.append(replace(one, seconds={**one.seconds, **own}))
    return replace(
        instance, operators=tuple(operators), kinds=tuple(replace(kind, inside=()) for kind in instance.kinds)
    )


def _inside(
    instance: PipelineInstance,
    devices_of: Mapping[str, StageDevices],
    machines: StageDevices,
    earlier: tuple[StageDevices, ...],
) -> tuple[PipelineInstance, dict[str, StageDevices]]:
    """Return the pipeline inside of a machine, and where everything stands: what is not in it, elsewhere."""
    found: dict[str, StageDevices] = {}
    operators: list[PipelineOperator] = []
    for one in instance.operators:
        devices = devices_of[one.name]
        if devices.outer == machines and devices.inside is not None:
            found[one.name] = devices.inside
            operators.append(one)
            continue
        found[one.name] = StageDevices(ELSEWHERE, 1 if devices.outer in earlier else 2)
        nothing = {ELSEWHERE: Fraction(0)}
        operators.append(replace(one, seconds=nothing, backward={}, memory=Fraction(0), together=None))
    kinds = (*instance.kind_named(machines.kind).inside, DeviceKind(ELSEWHERE, 2))
    return replace(instance, operators=tuple(operators), kinds=kinds, stages=None), found
