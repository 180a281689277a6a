"""What would make room for a plan of a pipeline: its instance changed in one thing, and asked again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.instance.pipeline.in_flight import IN_FLIGHT
from hypar_opt.instance.pipeline.schema import MOST_DEVICES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.pipeline import PipelineInstance

Fits: TypeAlias = "Callable[[PipelineInstance], bool]"
"""Whether there is a plan of an instance; not where that is not found out in time."""
MOST_MICROBATCHES: Final = 2**12
"""Of a batch for which fewer are looked for."""


def levers_of(instance: PipelineInstance, fits: Fits) -> Iterator[str]:
    """Yield changes each of which makes room.

    Fewer microbatches, another schedule, activations that are computed anew, more devices of a kind.
    """
    fewer = _microbatches(instance, fits)
    if fewer:
        yield f"at most {fewer:,} microbatches" if fewer > 1 else "1 microbatch"
    for name in IN_FLIGHT if instance.schedule is not None else ():
        if name != instance.schedule and _is_possible(instance, name) and fits(replace(instance, schedule=name)):
            yield f"the schedule {name}"
    if instance.schedule is not None and instance.recompute == "never" and fits(_recomputing(instance)):
        yield "recompute: operators"
    for place, kind in enumerate(instance.kinds):
        count = _devices(instance, place, fits) if kind.memory is not None else None
        if count is not None:
            yield f"{count:,} devices of {kind.name}"


def _microbatches(instance: PipelineInstance, fits: Fits) -> int | None:
    """Return the largest smaller number of microbatches of which there is a plan: the more, the more is kept."""
    now = instance.microbatches
    if now is None or instance.schedule is None or now > MOST_MICROBATCHES:
        return None
    return bisect_left(range(1, now), True, key=lambda count: not fits(replace(instance, microbatches=count))) or None


def _recomputing(instance: PipelineInstance) -> PipelineInstance:
    """Return a pipeline each of whose operators may compute its activations anew, by the rule."""
    outputs = {one.name: one.output for one in instance.operators}
    operators = []
    for one in instance.operators:
        ways = dict(one.ways)
        for tensor in instance.degrees if one.phase == "forward" else ():
            way = one.way(tensor)
            if way is not None:
                anew = way.anew(way.read(one.reads, outputs))
                ways |= {(tensor, True): anew} if anew.spares(way) else {}
        operators.append(replace(one, ways=ways))
    return replace(instance, operators=tuple(operators), recompute="operators")


def _is_possible(instance: PipelineInstance, name: str) -> bool:
    """Return whether an instance may have a schedule, of a batch that is not long."""
    if instance.goal == "batch-time" and (instance.microbatches or 0) > MOST_MICROBATCHES:
        return False
    if IN_FLIGHT[name].whole_batch:
        return instance.microbatches is not None
    return instance.contiguous


def _devices(instance: PipelineInstance, place: int, fits: Fits) -> int | None:
    """Return the least larger number of devices of a kind with which there is a plan, up to twice as many."""
    kinds, kind = instance.kinds, instance.kinds[place]
    tried = range(kind.count + 1, 2 * kind.count + 1)
    if instance.devices + kind.count > MOST_DEVICES:
        return None

    def enough(count: int) -> bool:
        more = replace(kind, count=count)
        return fits(replace(instance, kinds=(*kinds[:place], more, *kinds[place + 1 :])))

    found = bisect_left(tried, True, key=enough)
    return tried[found] if found < len(tried) else None
