"""What a plan of a pipeline takes, recomputed operator by operator from the instance, in exact numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from hypar_opt.evaluation.pipeline_batch import batch_seconds
from hypar_opt.evaluation.pipeline_crossing import crossing_bytes
from hypar_opt.evaluation.pipeline_memory import StageMemory
from hypar_opt.evaluation.pipeline_order import order_of_stages
from hypar_opt.evaluation.pipeline_phases import PipelinePhases, phases_of
from hypar_opt.evaluation.pipeline_stage import PipelineStage as PipelineStage
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.pipeline import OperatorWay, PipelineInstance, PipelineOperator, StageDevices


@dataclass(frozen=True)
class JudgedPipeline:
    """What is true of a plan.

    Parameters
    ----------
    instance
        Whose.
    devices_of
        By operator, the devices of its stage.
    anew
        Operators that compute their activations anew.
    """

    instance: PipelineInstance
    devices_of: Mapping[str, StageDevices]
    anew: frozenset[str] = frozenset()

    @cached_property
    def used(self) -> tuple[StageDevices, ...]:
        """Devices that have something, as they are listed."""
        kinds = [kind.name for kind in self.instance.kinds]
        return tuple(sorted(set(self.devices_of.values()), key=lambda one: (kinds.index(one.kind), one)))

    @cached_property
    def stages(self) -> tuple[PipelineStage, ...]:
        """Stages in the order of the pipeline where there is one, else as their devices are listed."""
        return tuple(self._stage(devices) for devices in self.order or self.used)

    def within(self, stage: PipelineStage) -> tuple[PipelineStage, ...]:
        """Return the stages inside of a machine's; nothing where devices are in no machines."""
        return ()

    @cached_property
    def slowest(self) -> PipelineStage:
        """The stage that takes longest, the first of several."""
        return max(self.stages, key=lambda stage: stage.seconds)

    @property
    def objective(self) -> Fraction:
        """Seconds: of the slowest stage, of all together, or of a batch of microbatches."""
        every = sum((stage.seconds for stage in self.stages), start=Fraction(0))
        slowest = self.slowest.seconds
        match self.instance.goal:
            case "slowest-stage":
                return slowest
            case "latency":
                return every
            case "batch-time":
                return self._batch_time(every, slowest)

    def _batch_time(self, every: Fraction, slowest: Fraction) -> Fraction:
        """Return what a batch takes by the schedule; without one all stages, and the slowest for each further one.

        Where none waits for the batch's end it is the time from batch to batch.
        """
        microbatches, schedule = self.instance.microbatches or 1, self.instance.in_flight
        if schedule is None:
            return every + (microbatches - 1) * slowest
        if schedule.versions:
            return microbatches * slowest
        return batch_seconds(self.phases.stages, schedule.name, microbatches)

    @cached_property
    def phases(self) -> PipelinePhases:
        """What stages do forward and backward, and which phases wait for which."""
        return phases_of(self.instance, self.stages, [self.ways_on(stage.devices) for stage in self.stages])

    @property
    def bytes_moved(self) -> Fraction:
        """Bytes that devices read from others, each output once a device."""
        return sum((stage.bytes_read for stage in self.stages), start=Fraction(0))

    @cached_property
    def order(self) -> tuple[StageDevices, ...] | None:
        """Stages in an order in which nothing comes before what it needs; None where there is none, or none is asked.

        Where what stages keep depends on it, it is one in which all fit, if there is one; of stages in no order that
        comes first whose first operator does in the file. Operators that stand together
        come as one. A backward operator comes with the forward ones that it stands with; one without any comes in the
        opposite order.
        """
        if not self.instance.contiguous:
            return None
        waits: dict[StageDevices, set[StageDevices]] = {
            self.devices_of[one.name]: set() for one in self.instance.operators
        }
        for first, second in self._earlier():
            if self.devices_of[first] != self.devices_of[second]:
                waits[self.devices_of[second]].add(self.devices_of[first])
        replicas = sum(one.replicas for one in self.used)
        return order_of_stages(waits, {one: self._memory(one).most_behind(replicas) for one in self.used})

    @cached_property
    def behind(self) -> Mapping[StageDevices, int]:
        """By stage, replicas of it and of all behind it; nothing where stages are in no order."""
        order = tuple(reversed(self.order or ()))
        return dict(zip(order, accumulate(one.replicas for one in order), strict=True))

    @cached_property
    def fault(self) -> str | None:
        """What is wrong with the plan, in a sentence, or None."""
        return next(self._faults(), None)

    def _faults(self) -> Iterator[str]:
        yield from self._overcommitted()
        homes: dict[str, tuple[str, StageDevices]] = {}
        for one in self.instance.operators:
            devices = self.devices_of[one.name]
            if devices.kind not in one.seconds:
                yield f"{one.name} stands on {devices}, and no {devices.kind} may have it"
            yield from self._unable(one, devices)
            if one.together is not None:
                other, home = homes.setdefault(one.together, (one.name, devices))
                if home != devices:
                    yield f"{one.name} and {other} have to stand together, and stand on {devices} and {home}"
        if self.instance.contiguous and self.order is None:
            yield "stages are not contiguous: they wait for each other in a circle"
        yield from self._halfway()
        for stage in self.stages:
            if stage.capacity is not None and stage.memory > stage.capacity:
                many = "" if stage.in_flight is None else f", {stage.in_flight:,} microbatches in flight,"
                has = in_full(stage.capacity)
                yield f"memory: {stage.devices} keeps {in_full(stage.memory)} bytes{many or ','} and has {has}"

    def _way(self, operator: PipelineOperator) -> OperatorWay | None:
        """Return how an operator is done; None where it cannot be done so."""
        return operator.way(self.devices_of[operator.name].tensor, anew=operator.name in self.anew)

    def _unable(self, operator: PipelineOperator, devices: StageDevices) -> Iterator[str]:
        """Yield why an operator cannot be done as the plan has it."""
        if operator.way(devices.tensor) is None:
            yield f"{operator.name} stands on {devices}, and cannot be split over {devices.tensor}"
        elif (way := self._way(operator)) is None:
            why = "nothing here may" if self.instance.recompute == "never" else "it would keep no less"
            yield f"{operator.name} computes its activations anew on {devices}, and {why}"
        elif devices.kind not in way.seconds:
            yield f"{operator.name} stands on {devices}, and no {devices.kind} may have it so"

    def _halfway(self) -> Iterator[str]:
        """Yield a stage that computes activations of some operators anew alone, where that is for whole stages."""
        for stage in self.stages if self.instance.recompute == "stages" else ():
            able = [
                one.name
                for one in self.instance.operators
                if one.name in stage.operators and one.way(stage.devices.tensor, anew=True) is not None
            ]
            kept = [name for name in able if name not in stage.anew]
            if stage.anew and kept:
                yield f"{stage.devices} computes activations of {stage.anew[0]} anew and not of {kept[0]}"

    def _overcommitted(self) -> Iterator[str]:
        """Yield what is wrong with the devices themselves."""
        if self.instance.stages is not None and len(self.used) > self.instance.stages:
            yield f"there are {len(self.used):,} stages, and may be {self.instance.stages:,}"
        taken: dict[tuple[str, int], StageDevices] = {}
        for devices in self.used:
            kind = self.instance.kind_named(devices.kind)
            if devices.replicas > kind.replicas:
                yield f"{devices} are {devices.replicas} replicas, and at most {kind.replicas} do one stage"
            elif not self.instance.may_be_replicas(kind, devices.replicas):
                batch = self.instance.microbatches
                yield f"{devices} are {devices.replicas} replicas, among which {batch} microbatches cannot be divided"
            if devices.first + devices.count - 1 > kind.count:
                yield f"there is no {devices}: {devices.kind} are {kind.count}"
            for number in range(devices.first, devices.first + devices.count):
                other = taken.setdefault((devices.kind, number), devices)
                if other != devices:
                    yield f"{devices.kind} {number} is one of {other} and of {devices}"

    def _earlier(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of operators of which the first may not stand behind the second."""
        operators = {one.name: one for one in self.instance.operators}
        led = {one.together for one in self.instance.operators if one.phase == "forward"} - {None}
        for reader in self.instance.operators:
            for name in reader.reads:
                maker = operators[name]
                if maker.phase == reader.phase == "forward":
                    yield name, reader.name
                elif maker.phase == reader.phase == "backward" and not {maker.together, reader.together} <= led:
                    yield reader.name, name

    def _memory(self, devices: StageDevices) -> StageMemory:
        ways = tuple(self.ways_on(devices).values())
        return StageMemory(self.instance, ways, devices.replicas, self.instance.kind_named(devices.kind).memory)

    def _own(self, devices: StageDevices) -> list[PipelineOperator]:
        return [one for one in self.instance.operators if self.devices_of[one.name] == devices]

    def ways_on(self, devices: StageDevices) -> dict[str, OperatorWay]:
        """Return by operator of a stage how it is done; without those that cannot be done so."""
        found = {one.name: self._way(one) for one in self._own(devices)}
        return {name: way for name, way in found.items() if way is not None and devices.kind in way.seconds}

    def _stage(self, devices: StageDevices) -> PipelineStage:
        kind, count = self.instance.kind_named(devices.kind), devices.replicas
        memory, behind = self._memory(devices), self.behind.get(devices)
        own, ways = self._own(devices), self.ways_on(devices)
        outsiders = [one for one in self.instance.operators if self.devices_of[one.name] != devices]
        sizes = {one.name: one.output for one in self.instance.operators}
        read, sent = crossing_bytes(own, ways, outsiders, sizes)
        computed = sum((way.computing(kind.name) for way in ways.values()), start=Fraction(0))
        gradients = sum((way.parameters for way in ways.values()), start=Fraction(0))
        return PipelineStage(
            devices,
            tuple(one.name for one in own),
            (computed + self.instance.addition(kind, gradients, count)) / count,
            kind.transfer(read, count),
            kind.transfer(sent, count),
            read,
            memory.kept(behind or count),
            kind.memory,
            self.instance.overlapped,
            memory.in_flight(behind or count),
            behind,
            tuple(one.name for one in own if one.name in self.anew),
        )
