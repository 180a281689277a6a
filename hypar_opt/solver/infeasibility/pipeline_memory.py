"""Why no plan of a pipeline fits into its devices' memory, and what would make room for one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.text import cut
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.instance.pipeline import PipelineInstance, PipelineOperator


def without_limits(instance: PipelineInstance) -> PipelineInstance:
    """Return a pipeline on whose devices any amount fits."""
    return replace(instance, kinds=tuple(replace(kind, memory=None) for kind in instance.kinds))


def stages_short(instance: PipelineInstance, otherwise: JudgedPipeline) -> str:
    """Return that there are plans with more stages than there may be.

    Parameters
    ----------
    otherwise
        One.
    """
    return f"no plan has {instance.stages:,} stages or fewer; enough would be: stages: {len(otherwise.used):,}"


def pipeline_shortage(
    instance: PipelineInstance, group_of: Mapping[str, int], otherwise: JudgedPipeline | None
) -> str | None:
    """Return why nothing fits, or None where no memory is limited.

    Parameters
    ----------
    instance, group_of
        The pipeline, and by operator the number of those that stand on one device with it.
    otherwise
        A plan without limits; None where there is none either.
    """
    if all(kind.memory is None for kind in instance.kinds):
        return None
    if otherwise is None:
        return "there would be no plan with any memory either: too few devices of a kind that operators have to be on"
    return (_of_a_group(instance, group_of) or _of_all(instance)) + _lever(instance, otherwise)


def _of_a_group(instance: PipelineInstance, group_of: Mapping[str, int]) -> str:
    """Return which operators that stand together are too large for every device that may have them; else nothing."""
    groups: dict[int, list[PipelineOperator]] = {}
    for one in instance.operators:
        groups.setdefault(group_of[one.name], []).append(one)
    for own in groups.values():
        needed = _memory(own)
        may = [kind for kind in instance.kinds if all(kind.name in one.seconds for one in own)]
        limits = {kind.name: kind.memory for kind in may if kind.memory is not None}
        if len(limits) == len(may) and may and max(limits.values()) < needed:
            largest = max(limits, key=limits.__getitem__)
            names = f"'{cut(own[0].name)}'" if len(own) == 1 else f"'{cut(own[0].name)}' with all that stands with it"
            return f"memory: {names} keeps {in_full(needed)} bytes, and {largest} has {in_full(limits[largest])}"
    return ""


def _of_all(instance: PipelineInstance) -> str:
    """Return what all operators keep, and what all devices have."""
    needed = _memory(instance.operators)
    limits = [(kind.memory, kind.count) for kind in instance.kinds]
    if any(memory is None for memory, _ in limits):
        return f"memory: operators keep {in_full(needed)} bytes, and those of no division fit on devices with a limit"
    available = sum(((memory or 0) * count for memory, count in limits), start=Fraction(0))
    if needed > available:
        return f"memory: operators keep {in_full(needed)} bytes, and all devices together have {in_full(available)}"
    return (
        f"memory: operators keep {in_full(needed)} bytes, all devices together have {in_full(available)}, and in no "
        "division the stages fit on one each"
    )


def _lever(instance: PipelineInstance, otherwise: JudgedPipeline) -> str:
    """Return with how much memory of each kind the plan without limits would fit."""
    enough: dict[str, Fraction] = {}
    for stage in otherwise.stages:
        enough[stage.devices.kind] = max(stage.memory, enough.get(stage.devices.kind, Fraction(0)))
    short = {
        kind.name: enough[kind.name]
        for kind in instance.kinds
        if kind.memory is not None and enough.get(kind.name, Fraction(0)) > kind.memory
    }
    said = " and ".join(f"memory: {in_full(found)} of {name}" for name, found in short.items())
    return f"; enough would be: {said}" if said else ""


def _memory(operators: Sequence[PipelineOperator]) -> Fraction:
    return sum((one.memory for one in operators), start=Fraction(0))
