"""What fields of a pipeline's file say that do not fit each other."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.instance.pipeline.in_flight import IN_FLIGHT
from hypar_opt.instance.pipeline.machine_faults import misfits_of_devices
from hypar_opt.instance.pipeline.ways_faults import misfits_of_ways
from hypar_opt.instance.text import cut
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.pipeline.schema import PipelineOperatorSpec, PipelineSpec

Misfit: TypeAlias = tuple[tuple[Any, ...], str]
"""Where, and what is wrong."""
MOST_NAMED: Final = 8
"""Operators of a circle that are named."""
MOST_TURNS: Final = 500_000
"""Microbatches times stages of a batch that is recounted operation by operation: some 20 s."""


def misfit(spec: PipelineSpec) -> Misfit | None:
    """Return the first thing that does not fit, or None."""
    return next(_misfits(spec), None)


def _misfits(spec: PipelineSpec) -> Iterator[Misfit]:
    kinds = [leaf.kind for one in spec.devices for leaf in one.leaves]
    yield from misfits_of_devices(spec)
    if spec.stages is not None and spec.stages > len(spec.operators):
        said = f"expected at most {len(spec.operators):,} stages, one for each operator, got {spec.stages:,}"
        yield ("stages",), said
    if spec.objective == "batch-time" and spec.schedule is not None and not IN_FLIGHT[spec.schedule].versions:
        stages = min(spec.stages or len(spec.operators), sum(one.count for one in spec.devices), len(spec.operators))
        if (spec.microbatches or 0) * stages > MOST_TURNS:
            most = f"expected at most {MOST_TURNS // stages:,} where {stages:,} stages may do them by a schedule"
            yield ("microbatches",), f"{most}, got {spec.microbatches:,}; or no schedule"
    places = {one.name: place for place, one in reversed(list(enumerate(spec.operators)))}
    for place, operator in enumerate(spec.operators):
        at = ("operators", place)
        if places[operator.name] != place:
            yield (*at, "name"), f"the name '{operator.name}' is there twice"
        yield from _of_seconds(operator, kinds, at)
    phases = {one.name: one.phase for one in spec.operators}
    for place, operator in enumerate(spec.operators):
        for number, read in enumerate(operator.reads):
            where = ("operators", place, "reads", number)
            if read not in places:
                yield where, f"no operator is called '{cut(read)}'{did_you_mean(read, places)}"
            elif read == operator.name:
                yield where, "reads itself"
            elif operator.phase == "forward" and phases[read] == "backward":
                yield where, f"a forward operator reads '{read}', which is a backward one"
    yield from misfits_of_ways(spec)
    yield from _of_circles(spec.operators, places)
    yield from _of_classes(spec.operators, kinds)
    if spec.contiguous:
        yield from _of_backward(spec.operators)


def _of_seconds(operator: PipelineOperatorSpec, kinds: Sequence[str], at: tuple[Any, ...]) -> Iterator[Misfit]:
    own = operator.seconds.keys() if isinstance(operator.seconds, dict) else set(kinds)
    if isinstance(operator.backward, dict) and operator.backward.keys() != own:
        yield (*at, "backward"), "expected seconds for the same kinds as in 'seconds'"
    if operator.phase == "backward" and operator.backward:
        yield (*at, "backward"), "is of the backward phase: expected all its time in 'seconds'"
    if not isinstance(operator.seconds, dict):
        return
    unknown = next((kind for kind in operator.seconds if kind not in kinds), None)
    if unknown is not None:
        hint = did_you_mean(unknown, kinds) or f"; there are {', '.join(kinds)}"
        yield (*at, "seconds"), f"no devices are called '{unknown}'{hint}"
    if not operator.seconds:
        yield (*at, "seconds"), "no device may have it: expected seconds of one kind at least"


def _of_circles(operators: Sequence[PipelineOperatorSpec], places: Mapping[str, int]) -> Iterator[Misfit]:
    """Yield a circle of operators that each need the one before."""
    try:
        TopologicalSorter({one.name: one.reads for one in operators}).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        shown = [*circle[:MOST_NAMED], "...", circle[-1]] if len(circle) > MOST_NAMED + 1 else circle
        said = "operators need each other in a circle, each the one before: "
        yield ("operators", places[circle[-1]], "reads"), said + ", ".join(f"'{cut(one)}'" for one in shown)


def _of_classes(operators: Sequence[PipelineOperatorSpec], kinds: Sequence[str]) -> Iterator[Misfit]:
    """Yield operators that are to stand together, and have no kind of device in common."""
    left: dict[str, set[str]] = {}
    for place, one in enumerate(operators):
        if one.together is None:
            continue
        own = set(one.seconds) if isinstance(one.seconds, dict) else set(kinds)
        before = left.setdefault(one.together, set(kinds))
        if not before & own:
            others, its = ", ".join(sorted(before)), ", ".join(sorted(own))
            said = f"no kind of device may have it and all before that stand with it: {its} may, and these {others}"
            yield ("operators", place, "together"), said
        before &= own


def _of_backward(operators: Sequence[PipelineOperatorSpec]) -> Iterator[Misfit]:
    """Yield backward operators of which nothing says in which stage they may be."""
    led = {one.together for one in operators if one.phase == "forward"} - {None}
    backward = {one.name: one for one in operators if one.phase == "backward"}
    placed = {name for name, one in backward.items() if one.together in led}
    for name, one in backward.items():
        near = [read for read in one.reads if read in backward]
        placed |= {name, *near} if near else set()
    for place, one in enumerate(operators):
        if one.phase == "backward" and one.name not in placed:
            yield (
                ("operators", place, "together"),
                f"nothing says where the backward operator '{cut(one.name)}' comes: expected `together` as its forward "
                "operator has it, or a backward one that it reads or that reads it",
            )
