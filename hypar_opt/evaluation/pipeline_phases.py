"""What the stages of a plan do forward and backward with one microbatch, and which phases wait for which."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.evaluation.pipeline_stage import PipelineStage
    from hypar_opt.instance.pipeline import OperatorWay, PipelineInstance, PipelineOperator
    from hypar_opt.instance.pipeline.schema import Phase


@dataclass(frozen=True)
class StagePhases:
    """A stage's part of a microbatch.

    Parameters
    ----------
    forward, backward
        Seconds.
    lag
        Seconds until other stages have what it made, and it what they made backward; 0 where that is a part of phases.
    reads
        Stages, from 0, whose forward phase its own waits for. Their backward phases wait for its own.
    beyond
        Phases of other stages that its backward one waits for besides.
    """

    forward: Fraction
    backward: Fraction
    lag: Fraction
    reads: tuple[int, ...]
    beyond: tuple[tuple[Phase, int], ...] = ()


@dataclass(frozen=True)
class PipelinePhases:
    """The stages of a plan, in order.

    Parameters
    ----------
    stages
        All of them.
    turned
        Whether all backward operators read those of earlier stages, as in files in which both phases have the same
        edges; gradients are taken to go back along them.
    fault
        Why no batch can be done so; None where one can.
    """

    stages: tuple[StagePhases, ...]
    turned: bool = False
    fault: str | None = None


def phases_of(
    instance: PipelineInstance, stages: Sequence[PipelineStage], ways: Sequence[Mapping[str, OperatorWay]]
) -> PipelinePhases:
    """Return the phases of a plan's stages, which are in order.

    Reading and sending are a part of the phase of whoever reads or has made it, or a lag between stages where the
    instance has them beside computing. A backward phase waits for those of the stages that read the stage forward, and
    for whatever else its backward operators read.

    Parameters
    ----------
    instance, stages
        Of which pipeline, in order.
    ways
        By stage and operator, how it is done there.
    """
    operators = {one.name: one for one in instance.operators}
    stage_of = {name: place for place, stage in enumerate(stages) for name in stage.operators}
    crossing = [
        (name, reader)
        for reader in instance.operators
        for name in reader.reads
        if stage_of[name] != stage_of[reader.name]
    ]
    reads: list[set[int]] = [set() for _ in stages]
    for name, reader in crossing:
        if reader.phase == "forward":
            reads[stage_of[reader.name]].add(stage_of[name])
    led = _led(reads)
    back = [
        (stage_of[reader.name], stage_of[name], operators[name].phase)
        for name, reader in crossing
        if reader.phase == "backward"
    ]
    returned = {(own, other) for own, other, phase in back if phase == "backward"}
    turned = bool(returned) and all(other in led[own] for own, other in returned)
    beyond: list[set[tuple[Phase, int]]] = [set() for _ in stages]
    for own, other, phase in back:
        if phase == "backward" and not turned and own not in led[other]:
            beyond[own].add((phase, other))
        if phase == "forward" and own not in led[other] and other not in led[own]:
            beyond[own].add((phase, other))
    found = tuple(
        StagePhases(*_seconds(instance, stage, ways[place]), tuple(sorted(reads[place])), tuple(sorted(beyond[place])))
        for place, stage in enumerate(stages)
    )
    return PipelinePhases(found, turned, _circle(found))


def _led(reads: Sequence[Iterable[int]]) -> list[set[int]]:
    """Return by stage those that come before it forward, near and far."""
    found: list[set[int]] = []
    for own in reads:
        found.append(set(own).union(*(found[other] for other in own)))
    return found


def _circle(stages: Sequence[StagePhases]) -> str | None:
    """Return which phases wait for each other in a circle, in a sentence; None where none do."""
    waits: dict[tuple[Phase, int], set[tuple[Phase, int]]] = {}
    for place, one in enumerate(stages):
        waits["forward", place] = {("forward", other) for other in one.reads}
        waits.setdefault(("backward", place), set()).update({("forward", place), *one.beyond})
        for other in one.reads:
            waits.setdefault(("backward", other), set()).add(("backward", place))
    try:
        TopologicalSorter(waits).prepare()
    except CycleError as error:
        named = [f"{phase} at stage {place + 1}" for phase, place in error.args[1]]
        return "phases of stages wait for each other in a circle, each the one before: " + ", ".join(named)
    return None


def _seconds(
    instance: PipelineInstance, stage: PipelineStage, ways: Mapping[str, OperatorWay]
) -> tuple[Fraction, Fraction, Fraction]:
    """Return a stage's seconds forward and backward, and its lag."""
    count, kind = stage.devices.replicas, instance.kind_named(stage.devices.kind)
    own = [one for one in instance.operators if one.name in ways]
    forward = [one for one in own if one.phase == "forward"]
    behind = [one for one in own if one.phase == "backward"]
    back = _sum(ways[one.name].seconds[kind.name] for one in behind)
    back += _sum(way.backward.get(kind.name, 0) for way in ways.values())
    back += instance.addition(kind, _sum(way.parameters for way in ways.values()), count)
    moved = [kind.transfer(_crossing(instance, set(stage.operators), part, ways), count) for part in (forward, behind)]
    added = [Fraction(0), Fraction(0)] if stage.overlapped else moved
    return (
        _sum(ways[one.name].seconds[kind.name] for one in forward) / count + added[0],
        back / count + added[1],
        max(moved) if stage.overlapped else Fraction(0),
    )


def _crossing(
    instance: PipelineInstance, names: set[str], part: Sequence[PipelineOperator], ways: Mapping[str, OperatorWay]
) -> Fraction:
    """Return the bytes that a stage reads for some of its operators and sends of what they make."""
    sizes = {one.name: one.output for one in instance.operators}
    read = [(one, name) for one in part for name in one.reads if name not in names]
    own = {one.name for one in part}
    sent = [(one, name) for one in instance.operators if one.name not in names for name in one.reads if name in own]
    shared = {name for one, name in (*read, *sent) if name not in one.read_bytes}
    alone = [ways[one.name].read_bytes[name] for one, name in read if name in one.read_bytes]
    alone += [ways[name].sent_bytes.get(one.name, one.read_bytes[name]) for one, name in sent if name in one.read_bytes]
    return _sum(sizes[name] for name in shared) + _sum(alone)


def _sum(values: Iterable[Fraction | int]) -> Fraction:
    return Fraction(sum(values))
