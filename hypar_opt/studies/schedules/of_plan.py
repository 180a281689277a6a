"""The stages of a plan as schedules need them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.text import cut
from hypar_opt.studies.schedules.stages import StageTimes
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.evaluation.pipeline import JudgedPipeline, PipelineStage
    from hypar_opt.instance.pipeline import OperatorWay, PipelineOperator


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
        If the plan's stages are in no order, it is known of none what its backward phase takes, or that does not go the
        forward one's way back.
    """
    if judged.order is None:
        raise InputError("stages that need not be contiguous are in no order, expected a plan of contiguous ones")
    found = [_stage(judged, stage, gradient_share) for stage in judged.stages]
    if not any(one.backward for one in found):
        message = "no operator has a backward phase: expected `backward` seconds, or operators of that phase"
        raise InputError(message, file=judged.instance.source, field="operators")
    astray = _astray(judged, found)
    if astray is not None:
        raise InputError(astray, file=judged.instance.source, field="operators")
    return tuple(found)


def _astray(judged: JudgedPipeline, found: Sequence[StageTimes]) -> str | None:
    """Return which backward operator waits for another stage without its forward phase saying so, or None.

    Schedules know of stages what their forward operators read; backward the same way back.
    """
    stage_of = {name: place for place, stage in enumerate(judged.stages) for name in stage.operators}
    before: list[set[int]] = []  # by stage, those that it follows, near and far
    for place, one in enumerate(found):
        read = one.reads or ()
        before.append({place}.union(*(before[other] for other in read)))
    phases = {operator.name: operator.phase for operator in judged.instance.operators}
    for operator in judged.instance.operators:
        for name in operator.reads if operator.phase == "backward" else ():
            own, other = stage_of[operator.name], stage_of[name]
            if own not in before[other] and (phases[name] == "backward" or other not in before[own]):
                return (
                    f"the backward operator '{cut(operator.name)}' reads '{cut(name)}', and no forward operators lead "
                    f"from stage {own + 1} to stage {other + 1}: expected a backward phase that goes the way back"
                )
    return None


def _stage(judged: JudgedPipeline, stage: PipelineStage, gradient_share: Fraction) -> StageTimes:
    instance, count = judged.instance, stage.devices.replicas
    kind, ways = instance.kind_named(stage.devices.kind), judged.ways_on(stage.devices)
    names = set(stage.operators)
    own = [one for one in instance.operators if one.name in names]
    forward = [one for one in own if one.phase == "forward"]
    behind = [one for one in own if one.phase == "backward"]
    back = _sum(ways[one.name].seconds[kind.name] for one in behind)
    back += _sum(way.backward.get(kind.name, 0) for way in ways.values())
    back += instance.addition(kind, _sum(way.parameters for way in ways.values()), count)
    moved = [kind.transfer(_crossing(judged, names, part, ways), count) for part in (forward, behind)]
    added = [Fraction(0), Fraction(0)] if stage.overlapped else moved
    backward = back / count + added[1]
    return StageTimes(
        _sum(ways[one.name].seconds[kind.name] for one in forward) / count + added[0],
        backward,
        gradient_share * backward,
        max(moved) if stage.overlapped else Fraction(0),
        _sum(way.activations for way in ways.values()),
        _sum(way.memory for way in ways.values()),
        stage.capacity,
        _before(judged, names),
        _sum(way.parameters for way in ways.values()),
    )


def _before(judged: JudgedPipeline, names: set[str]) -> tuple[int, ...]:
    """Return the stages, from 0, whose forward operators some others read."""
    phases = {one.name: one.phase for one in judged.instance.operators}
    read = {
        name
        for one in judged.instance.operators
        if one.name in names and one.phase == "forward"
        for name in one.reads
        if phases[name] == "forward"
    }
    return tuple(
        place
        for place, other in enumerate(judged.stages)
        if not read.isdisjoint(other.operators) and names.isdisjoint(other.operators)
    )


def _crossing(
    judged: JudgedPipeline, names: set[str], part: Iterable[PipelineOperator], ways: Mapping[str, OperatorWay]
) -> Fraction:
    """Return the bytes that a stage reads for some of its operators and sends of what they make."""
    operators = {one.name: one for one in judged.instance.operators}
    some = list(part)
    read = [(one, name) for one in some for name in one.reads if name not in names]
    own = {one.name for one in some}
    sent = [(one, name) for one in operators.values() if one.name not in names for name in one.reads if name in own]
    shared = {name for one, name in (*read, *sent) if name not in one.read_bytes}
    alone = [ways[one.name].read_bytes[name] for one, name in read if name in one.read_bytes]
    for one, name in sent:
        if name in one.read_bytes:
            alone.append(ways[name].sent_bytes.get(one.name, one.read_bytes[name]))
    return _sum(operators[name].output for name in shared) + _sum(alone)


def _sum(values: Iterable[Fraction | int]) -> Fraction:
    return Fraction(sum(values))
