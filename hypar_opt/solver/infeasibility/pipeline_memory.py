"""Why no plan of a pipeline fits into its devices' memory, and what would make room for one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.cost.pipeline_memory import KeptBytes
from hypar_opt.instance.text import cut
from hypar_opt.solver.infeasibility.pipeline_levers import levers_of
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
    from hypar_opt.solver.infeasibility.pipeline_levers import Fits


def without_limits(instance: PipelineInstance) -> PipelineInstance:
    """Return a pipeline on whose devices any amount fits."""
    return replace(instance, kinds=tuple(map(_without_limit, instance.kinds)))


def _without_limit(kind: DeviceKind) -> DeviceKind:
    return replace(kind, memory=None, inside=tuple(map(_without_limit, kind.inside)))


def stages_short(instance: PipelineInstance, otherwise: JudgedPipeline) -> str:
    """Return that there are plans with more stages than there may be.

    Parameters
    ----------
    otherwise
        One.
    """
    return f"no plan has {instance.stages:,} stages or fewer; enough would be: stages: {len(otherwise.used):,}"


def pipeline_shortage(
    instance: PipelineInstance, group_of: Mapping[str, int], otherwise: JudgedPipeline | None, fits: Fits
) -> str | None:
    """Return why nothing fits, and what would help, or None where no memory is limited.

    Parameters
    ----------
    instance, group_of
        The pipeline, and by operator the number of those that stand on one device with it.
    otherwise
        A plan without limits; None where there is none either.
    fits
        Whether there is a plan of a changed instance.
    """
    if all(kind.memory is None for kind in instance.leaves):
        return None
    if otherwise is None:
        return "there would be no plan with any memory either: too few devices of a kind that operators have to be on"
    levers = [*_memories(instance, otherwise), *levers_of(instance, fits)]
    helps = f"; enough would be: {'; or '.join(levers)}" if levers else ""
    return (_of_a_group(instance, group_of) or _of_all(instance)) + helps


def _of_a_group(instance: PipelineInstance, group_of: Mapping[str, int]) -> str:
    """Return which operators that stand together are too large for every device that may have them; else nothing."""
    groups: dict[int, list[PipelineOperator]] = {}
    for one in instance.operators:
        groups.setdefault(group_of[one.name], []).append(one)
    for own in groups.values():
        needed = _least(instance, own)
        may = [kind for kind in instance.leaves if all(kind.name in one.seconds for one in own)]
        limits = {kind.name: kind.memory for kind in may if kind.memory is not None}
        if len(limits) == len(may) and may and max(limits.values()) < needed:
            largest = max(limits, key=limits.__getitem__)
            names = f"'{cut(own[0].name)}'" if len(own) == 1 else f"'{cut(own[0].name)}' with all that stands with it"
            keeps = f"keeps {in_full(needed)} bytes{_in_flight(instance)}"
            return f"memory: {names} {keeps}, and {largest} has {in_full(limits[largest])}"
    return ""


def _of_all(instance: PipelineInstance) -> str:
    """Return what all operators keep, and what all devices have."""
    needed = _least(instance, instance.operators)
    keep = f"memory: operators keep {in_full(needed)} bytes{_in_flight(instance)}"
    limits = [(kind.memory, kind.count) for kind in instance.leaves]
    if any(memory is None for memory, _ in limits):
        return f"{keep}, and those of no division fit on devices with a limit"
    available = sum(((memory or 0) * count for memory, count in limits), start=Fraction(0))
    if needed > available:
        return f"{keep}, and all devices together have {in_full(available)}"
    return f"{keep}, all devices together have {in_full(available)}, and in no division the stages fit on one each"


def _memories(instance: PipelineInstance, otherwise: JudgedPipeline) -> Iterator[str]:
    """Yield with how much memory of each kind the plan without limits would fit."""
    enough: dict[str, Fraction] = {}
    for stage in (leaf for one in otherwise.stages for leaf in otherwise.within(one) or (one,)):
        kind_name = stage.devices.innermost.kind
        enough[kind_name] = max(stage.memory, enough.get(kind_name, Fraction(0)))
    short = {
        kind.name: enough[kind.name]
        for kind in instance.leaves
        if kind.memory is not None and enough.get(kind.name, Fraction(0)) > kind.memory
    }
    if short:
        yield " and ".join(f"memory: {in_full(found)} of {name}" for name, found in short.items())


def _least(instance: PipelineInstance, operators: Sequence[PipelineOperator]) -> Fraction:
    """Return what each device keeps of operators at least, where nothing stands behind them, in whichever way."""
    kept = KeptBytes(instance)
    ways = ((one.way(), *one.ways.values()) for one in operators)
    return sum((min(kept.of(way, kept.least) for way in own if way is not None) for own in ways), start=Fraction(0))


def _in_flight(instance: PipelineInstance) -> str:
    """Return of how many microbatches that is."""
    if instance.schedule is None:
        return ""
    kept = KeptBytes(instance)
    more = "" if kept.most == kept.least else ", more in front of other stages"
    return f" with {kept.least:,} microbatch{'es' if kept.least > 1 else ''} in flight{more}"
