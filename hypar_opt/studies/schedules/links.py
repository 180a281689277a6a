"""Schedules of a plan's stages on links: every output that crosses is a message, and messages wait for each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.studies.schedules.rules import StageStep
from hypar_opt.studies.schedules.stages import batch_of
from hypar_opt.studies.simulation.engine import simulate
from hypar_opt.studies.simulation.tasks import Compute, Options, TaskGraph, Transfer
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.pipeline import JudgedPipeline
    from hypar_opt.studies.schedules.rules import Phase, ScheduleRule
    from hypar_opt.studies.schedules.stages import Batch, StageTimes
    from hypar_opt.studies.simulation.result import Simulation


@dataclass(frozen=True)
class StageMessage:
    """What a stage sends to another one for every microbatch.

    Parameters
    ----------
    source, phase
        The stage, from 0, and when it is made.
    target, needed
        The other one, and the phases of it that wait for it.
    amount
        Bytes.
    """

    source: int
    phase: Phase
    target: int
    needed: frozenset[Phase]
    amount: Fraction


def messages_of(judged: JudgedPipeline) -> tuple[StageMessage, ...]:
    """Return what stages send to each other for a microbatch, each output once to a stage however many read it there.

    Raises
    ------
    Refusal
        If a stage is done by several devices.
    """
    several = next((stage.devices for stage in judged.stages if stage.devices.count > 1), None)
    if several is not None:
        raise Refusal(f"on links a stage is done by one device, and one is done by {several}; leave --links out")
    operators = {one.name: one for one in judged.instance.operators}
    place = {name: number for number, stage in enumerate(judged.stages) for name in stage.operators}
    needed: dict[tuple[int, Phase, int], set[Phase]] = {}
    sizes: dict[tuple[int, Phase, int], dict[tuple[str, str], Fraction]] = {}
    for reader in judged.instance.operators:
        for name in reader.reads:
            if place[name] == place[reader.name]:
                continue
            key = place[name], operators[name].phase, place[reader.name]
            own = name in reader.read_bytes
            size = reader.read_bytes[name] if own else operators[name].output
            needed.setdefault(key, set()).add(reader.phase)
            sizes.setdefault(key, {})[name, reader.name if own else ""] = size
    return tuple(StageMessage(*key, frozenset(needed[key]), sum(sizes[key].values(), Fraction(0))) for key in sizes)


def simulate_schedule(
    batch: Batch, rule: ScheduleRule, messages: Sequence[StageMessage], machine: Machine
) -> Simulation:
    """Return a batch by a rule on the links of an array, device d being accelerator d.

    Parameters
    ----------
    batch
        With what stages compute; lags are not counted.
    rule
        In which order devices do what.
    messages
        Between stages, each on all links of its route at once.
    machine
        Whose links.

    Raises
    ------
    Deadlock
        If devices wait for each other in a circle.
    MissingPackage
        If simpy is not installed.
    """
    return simulate(schedule_tasks(batch, rule, messages), machine, Options(overlap="full"))


def schedule_tasks(
    batch: Batch, rule: ScheduleRule, messages: Sequence[StageMessage], *, in_order: bool = True
) -> TaskGraph:
    """Return the tasks of a batch: what stages compute, in the order of a rule's devices, then what they send.

    Parameters
    ----------
    batch, rule, messages
        As `simulate_schedule` takes them.
    in_order
        Whether what a device does waits for what it does before by the rule; otherwise for data alone.
    """
    chunks = len(batch.stages) // batch.devices
    orders = rule.orders(batch.devices, chunks, batch.microbatches)
    number = {step: place for place, step in enumerate(step for order in orders for step in order)}
    waits: dict[StageStep, list[int]] = {step: [number[one] for one, _ in batch.needs(step)] for step in number}
    for order in orders if in_order else ():
        for before, step in pairwise(order):
            waits[step].append(number[before])
    sent = [(message, one) for message in messages for one in range(batch.microbatches)]
    transfers = []
    for place, (message, one) in enumerate(sent, start=len(number)):
        for phase in message.needed:
            waits[StageStep(phase, message.target, one)].append(place)
        source, target = message.source % batch.devices, message.target % batch.devices
        part = f"microbatch {one + 1}, stage {message.source + 1} to {message.target + 1}"
        made = number[StageStep(message.phase, message.source, one)]
        amount = message.amount if source != target else Fraction(0)
        transfers.append(Transfer(part, message.phase, 0, source, target, amount, 1, (made,)))
    computed = [
        Compute(
            f"microbatch {step.microbatch + 1} at stage {step.stage + 1}",
            step.phase,
            step.stage % batch.devices,
            batch.seconds(step),
            0,
            tuple(dict.fromkeys(waits[step])),
        )
        for step in number
    ]
    return TaskGraph((*computed, *transfers))


def linked_batch(
    judged: JudgedPipeline, stages: Sequence[StageTimes], rule: ScheduleRule, devices: int, microbatches: int
) -> Batch:
    """Return a batch whose stages compute only: what they read and send are messages."""
    alone = replace(judged, instance=replace(judged.instance, overlapped=True))
    computing = [
        replace(stage, forward=one.forward, backward=one.backward, gradient=share * one.backward, lag=Fraction(0))
        for stage, one in zip(stages, alone.phases.stages, strict=True)
        for share in [stage.gradient / stage.backward if stage.backward else Fraction(0)]
    ]
    return batch_of(rule, computing, devices, microbatches)


def own_links(judged: JudgedPipeline, devices: int) -> Machine:
    """Return devices that have a link in and one out each, to a network that never is busy.

    One without a bandwidth has room for what all others send or read at once.

    Raises
    ------
    InputError
        If no device has a bandwidth.
    """
    kinds: Mapping[str, Fraction | None] = {kind.name: kind.bandwidth for kind in judged.instance.kinds}
    own = [kinds[stage.devices.kind] for stage in judged.stages[:devices]]
    most = sum((one for one in own if one is not None), start=Fraction(0))
    if not most:
        said = "no device of the plan has a bandwidth, expected bytes a second, or --array"
        raise InputError(said, file=judged.instance.source, field="devices")
    links = [Link((place, devices), most if one is None else one) for place, one in enumerate(own)]
    names = tuple(str(stage.devices) for stage in judged.stages[:devices])
    return Machine("custom", names, ("network",), tuple(links))


@dataclass(frozen=True)
class LinkedSchedule:
    """A schedule of a batch on links.

    Parameters
    ----------
    name
        Of the rule.
    apart
        Seconds where what stages read and send is a part of their phases, or a lag between them.
    simulation
        On links.
    """

    name: str
    apart: Fraction
    simulation: Simulation

    @property
    def seconds(self) -> Fraction:
        """Of the batch on links."""
        return self.simulation.time

    @property
    def moving(self) -> Fraction:
        """Seconds of the chain of tasks that decides when the batch ends in which something is on links."""
        found, clock = self.simulation, self.simulation.field.clock
        moved = (one for one in found.critical_path if isinstance(found.graph.tasks[one.task], Transfer))
        return clock.seconds(sum(one.end - one.begin for one in moved))

    @property
    def busiest(self) -> tuple[str, Fraction] | None:
        """The link that is busy longest, and its share of the batch; None where nothing is moved."""
        found = self.simulation
        links = [use for use in found.uses if found.field.resources[use.resource].kind == "link" and use.busy]
        if not links:
            return None
        most = max(links, key=lambda use: use.busy)
        return found.field.resources[most.resource].name(found.machine), most.share


def on_links(
    judged: JudgedPipeline,
    stages: Sequence[StageTimes],
    microbatches: int,
    known: Mapping[ScheduleRule, Fraction],
    machine: Machine,
    devices: int,
) -> list[LinkedSchedule]:
    """Return the schedules of a batch that have one, on links.

    Parameters
    ----------
    judged, stages
        A plan, and its stages as schedules have them.
    known
        By rule, what a batch takes without links.
    machine
        Its accelerators are the devices, in order.
    devices
        How many there are.

    Raises
    ------
    InputError
        If the array has fewer accelerators.
    Refusal
        If a stage is done by several devices.
    """
    there = len(machine.accelerators)
    if there < devices:
        raise InputError(f"expected an array of {devices:,} accelerators at least, got {there:,}", field="--array")
    messages = messages_of(judged)
    found = []
    for rule, apart in known.items():
        batch = linked_batch(judged, stages, rule, devices, microbatches)
        found.append(LinkedSchedule(rule.name, apart, simulate_schedule(batch, rule, messages, machine)))
    return found
