"""What a plan of a pipeline takes, recomputed operator by operator from the instance, in exact numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.pipeline import PipelineInstance


@dataclass(frozen=True)
class Stage:
    """What one device does and keeps.

    Parameters
    ----------
    device, kind
        Its name, and the name of its kind.
    operators
        In the instance's order.
    computing, reading, sending
        Seconds.
    bytes_read, memory, capacity
        Bytes; no capacity where any amount fits.
    """

    device: str
    kind: str
    operators: tuple[str, ...]
    computing: Fraction
    reading: Fraction
    sending: Fraction
    bytes_read: Fraction
    memory: Fraction
    capacity: Fraction | None

    @property
    def seconds(self) -> Fraction:
        """All that the device is busy with."""
        return self.computing + self.reading + self.sending


@dataclass(frozen=True)
class JudgedPipeline:
    """What is true of a plan.

    Parameters
    ----------
    instance
        Whose.
    device_of
        By operator, the name of its device.
    """

    instance: PipelineInstance
    device_of: Mapping[str, str]

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Devices that have something, in the order of the pipeline where there is one, else as they are listed."""
        order = self.order or tuple(name for name in self.instance.device_names if name in set(self.device_of.values()))
        return tuple(self._stage(name) for name in order)

    @cached_property
    def slowest(self) -> Stage:
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
                return every + (self.instance.microbatches - 1) * slowest

    @property
    def bytes_read(self) -> Fraction:
        """Bytes that devices read from others, each output once a device."""
        return sum((stage.bytes_read for stage in self.stages), start=Fraction(0))

    @cached_property
    def order(self) -> tuple[str, ...] | None:
        """Devices in an order in which nothing comes before what it needs; None where there is none, or none is asked.

        Operators that stand together come as one. A backward operator comes with the forward ones that it stands with;
        one without any comes in the opposite order.
        """
        if not self.instance.contiguous:
            return None
        places = {name: place for place, name in enumerate(self.instance.device_names)}
        waits: dict[str, set[str]] = {name: set() for name in sorted(set(self.device_of.values()), key=places.get)}  # type: ignore[arg-type]
        for first, second in self._earlier():
            if self.device_of[first] != self.device_of[second]:
                waits[self.device_of[second]].add(self.device_of[first])
        try:
            return tuple(TopologicalSorter(waits).static_order())
        except CycleError:
            return None

    @cached_property
    def fault(self) -> str | None:
        """What is wrong with the plan, in a sentence, or None."""
        return next(self._faults(), None)

    def _faults(self) -> Iterator[str]:
        kinds = {
            name: kind for name, kind in zip(self.instance.device_names, self.instance.kind_of_device, strict=True)
        }
        homes: dict[str, tuple[str, str]] = {}
        for one in self.instance.operators:
            device = self.device_of[one.name]
            if kinds[device].name not in one.seconds:
                yield f"{one.name} stands on {device}, and no {kinds[device].name} may have it"
            if one.together is not None:
                other, home = homes.setdefault(one.together, (one.name, device))
                if home != device:
                    yield f"{one.name} and {other} have to stand together, and stand on {device} and {home}"
        if self.instance.contiguous and self.order is None:
            yield "stages are not contiguous: devices wait for each other in a circle"
        for stage in self.stages:
            if stage.capacity is not None and stage.memory > stage.capacity:
                yield (f"memory: {stage.device} keeps {in_full(stage.memory)} bytes, and has {in_full(stage.capacity)}")

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

    def _stage(self, device: str) -> Stage:
        kind = dict(zip(self.instance.device_names, self.instance.kind_of_device, strict=True))[device]
        own = [one for one in self.instance.operators if self.device_of[one.name] == device]
        names = {one.name for one in own}
        needed = {name for one in own for name in one.reads} - names
        sent = {
            name
            for one in self.instance.operators
            if self.device_of[one.name] != device
            for name in one.reads
            if name in names
        }
        sizes = {one.name: one.output for one in self.instance.operators}
        return Stage(
            device,
            kind.name,
            tuple(one.name for one in own),
            sum((one.seconds.get(kind.name, Fraction(0)) for one in own), start=Fraction(0)),
            sum((kind.transfer(sizes[name]) for name in needed), start=Fraction(0)),
            sum((kind.transfer(sizes[name]) for name in sent), start=Fraction(0)),
            sum((sizes[name] for name in needed), start=Fraction(0)),
            sum((one.memory for one in own), start=Fraction(0)),
            kind.memory,
        )
