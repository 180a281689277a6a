"""A pipeline as read: operators, devices, and what is asked for."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.data import exact_text
from hypar_opt.instance.pipeline.in_flight import IN_FLIGHT
from hypar_opt.instance.text import cut
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from decimal import Decimal
    from pathlib import Path

    from hypar_opt.instance.pipeline.in_flight import InFlight
    from hypar_opt.instance.pipeline.schema import Goal, Phase, PipelineSpec

_DEVICES: Final = re.compile(r"(?P<kind>.+) (?P<first>[1-9][0-9]{0,5})(?:-(?P<last>[1-9][0-9]{0,5}))?")


@dataclass(frozen=True)
class DeviceKind:
    """Devices that are alike.

    Parameters
    ----------
    name, count
        What they are called, and how many there are.
    memory
        Bytes of each; None where any amount fits.
    bandwidth
        Bytes a second in and out; None where what others read or send takes no time.
    replicas
        How many may do one stage together, at most, each a part of the samples.
    """

    name: str
    count: int
    memory: Fraction | None = None
    bandwidth: Fraction | None = None
    replicas: int = 1

    def transfer(self, size: Fraction, replicas: int = 1) -> Fraction:
        """Return the seconds that replicas are busy with an output that their stage reads, or sends."""
        return Fraction(0) if self.bandwidth is None else size / (self.bandwidth * replicas)

    def addition(self, parameters: Fraction, replicas: int) -> Fraction:
        """Return the seconds in which replicas add up gradients, once for a sample of each.

        Around a ring each sends and takes 2 (m - 1) / m of them.
        """
        return self.transfer(4 * (replicas - 1) * parameters / replicas)


@dataclass(frozen=True)
class PipelineOperator:
    """What is done as a whole on one device.

    Parameters
    ----------
    name, phase
        What it is called, and whether it is of the forward phase or of the backward one.
    seconds, backward
        By kind of device that may have it; and of its own backward computing, unless operators of that phase say it.
    reads
        Operators whose outputs it needs.
    output, memory, parameters
        Bytes of what it makes, bytes that it keeps, and bytes whose gradients replicas add up.
    activations
        Bytes of each microbatch that it keeps between its forward and its backward computing.
    together
        Operators with the same text stand on one device; None where it stands where it likes.
    """

    name: str
    phase: Phase
    seconds: Mapping[str, Fraction] = field(hash=False)
    reads: tuple[str, ...] = ()
    output: Fraction = Fraction(0)
    memory: Fraction = Fraction(0)
    parameters: Fraction = Fraction(0)
    together: str | None = None
    backward: Mapping[str, Fraction] = field(default_factory=dict, hash=False)
    activations: Fraction = Fraction(0)

    def computing(self, kind: str) -> Fraction:
        """Return the seconds that a device of a kind computes, both phases together."""
        return self.seconds[kind] + self.backward.get(kind, 0)


@dataclass(frozen=True, order=True)
class StageDevices:
    """Devices that do a stage: of a kind, from a number on so many.

    Parameters
    ----------
    kind, first, count
        The kind's name, the first one's number from 1, and how many.
    """

    kind: str
    first: int
    count: int = 1

    def __str__(self) -> str:
        """As plans have it: `gpu 1`, `gpu 2-4`."""
        return f"{self.kind} {self.first}" + (f"-{self.first + self.count - 1}" if self.count > 1 else "")

    @classmethod
    def read(cls, text: str) -> StageDevices | None:
        """Return what a text spells; None where it is nothing of the kind."""
        found = _DEVICES.fullmatch(text)
        if found is None:
            return None
        first, last = int(found["first"]), int(found["last"] or found["first"])
        read = cls(found["kind"], first, last - first + 1)
        return read if str(read) == text else None


@dataclass(frozen=True, repr=False)
class PipelineInstance:
    """A valid pipeline.

    Parameters
    ----------
    name, sha256, overrides, source
        What it is called, its digest, what was given to replace fields, and its file.
    operators
        As its file lists them.
    kinds
        Of devices.
    overlapped
        Whether stages read, compute and send at the same time.
    contiguous
        Whether no path leaves a device's forward operators and comes back.
    goal, microbatches
        What is to be least; how many microbatches a batch has, None where that is not said.
    schedule
        The name of the schedule whose microbatches in flight stages keep; None where these are not counted.
    stages
        How many there may be; None where as many as there are devices.
    """

    name: str
    sha256: str
    operators: tuple[PipelineOperator, ...]
    kinds: tuple[DeviceKind, ...]
    overlapped: bool = False
    contiguous: bool = True
    goal: Goal = "slowest-stage"
    microbatches: int | None = None
    source: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)
    schedule: str | None = None
    stages: int | None = None

    def __repr__(self) -> str:
        return f"PipelineInstance({cut(self.name)!r}, {len(self.operators):,} operators, {self.devices} devices)"

    @property
    def devices(self) -> int:
        """How many there are of all kinds."""
        return sum(kind.count for kind in self.kinds)

    @property
    def in_flight(self) -> InFlight | None:
        """What stages keep of microbatches by its schedule; None where these are not counted."""
        return None if self.schedule is None else IN_FLIGHT[self.schedule]

    def kind_named(self, name: str) -> DeviceKind:
        """Return the kind of a name."""
        return next(kind for kind in self.kinds if kind.name == name)

    @classmethod
    def from_spec(cls, spec: PipelineSpec, sha256: str, source: Path | None = None) -> PipelineInstance:
        """Return the instance that a checked file says."""
        kinds = tuple(
            DeviceKind(one.kind, one.count, _exact(one.memory), _exact(one.bandwidth), min(one.replicas, one.count))
            for one in spec.devices
        )
        speeds = {one.kind: Fraction(one.speed) for one in spec.devices}
        operators = tuple(
            PipelineOperator(
                one.name,
                one.phase,
                _by_kind(one.seconds, speeds),
                one.reads,
                Fraction(one.output),
                Fraction(one.memory),
                Fraction(one.parameters),
                one.together,
                _by_kind(one.backward, speeds),
                Fraction(one.activations),
            )
            for one in spec.operators
        )
        return cls(
            spec.name,
            sha256,
            operators,
            kinds,
            spec.transfers == "overlapped",
            spec.contiguous,
            spec.objective,
            spec.microbatches,
            source,
            schedule=spec.schedule,
            stages=spec.stages,
        )


def read_pipeline(
    data: Mapping[str, Any], error: Callable[..., InputError], source: Path | None = None
) -> PipelineInstance:
    """Return the pipeline that fields of a file say.

    Parameters
    ----------
    error
        From a message and a field's path to the error that says where it is.

    Raises
    ------
    InputError
        If something is wrong; names the field.
    """
    from hypar_opt.instance.faults import checked
    from hypar_opt.instance.pipeline.faults import misfit
    from hypar_opt.instance.pipeline.schema import PipelineSpec

    spec = checked(PipelineSpec, data, error)
    wrong = misfit(spec)
    if wrong is not None:
        raise error(wrong[1], wrong[0])
    return PipelineInstance.from_spec(spec, _digest(spec), source)


def _digest(spec: PipelineSpec) -> str:
    """Return the SHA-256 of what a file says, however it is written."""
    said = spec.model_dump(by_alias=True, exclude_defaults=True)
    text = json.dumps(said, sort_keys=True, separators=(",", ":"), default=exact_text)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _by_kind(said: Decimal | dict[str, Decimal], speeds: Mapping[str, Fraction]) -> dict[str, Fraction]:
    if isinstance(said, dict):
        return {kind: Fraction(found) for kind, found in said.items()}
    return {kind: Fraction(said) / speed for kind, speed in speeds.items()}


def _exact(number: Any) -> Fraction | None:
    return None if number is None else Fraction(number)
