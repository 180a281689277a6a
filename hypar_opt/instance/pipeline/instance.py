"""A pipeline as read: operators, devices, and what is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.data import sha256_of_fields
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.instance.pipeline.in_flight import IN_FLIGHT
from hypar_opt.instance.pipeline.made_ways import WaysMaker, by_kind, exact_bytes
from hypar_opt.instance.pipeline.parts import DeviceKind, PipelineOperator
from hypar_opt.instance.text import cut
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.instance.pipeline.in_flight import InFlight
    from hypar_opt.instance.pipeline.schema import DeviceKindSpec, Goal, PipelineSpec
    from hypar_opt.instance.pipeline.ways import Gradients, Recompute


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
    recompute
        Whether activations may be computed anew: of operators, or of whole stages only.
    gradients
        Whether replicas add up gradients for each of their samples, or once a batch.
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
    recompute: Recompute = "never"
    gradients: Gradients = "each-sample"

    def __repr__(self) -> str:
        return f"PipelineInstance({cut(self.name)!r}, {len(self.operators):,} operators, {self.devices} devices)"

    @property
    def devices(self) -> int:
        """How many there are of all kinds."""
        return sum(kind.count for kind in self.leaves)

    @property
    def objective(self) -> ObjectiveFunction:
        """Time, whatever it is the time of."""
        return ObjectiveFunction("sum", {TIME: Fraction(1)})

    @property
    def bounds(self) -> Mapping[str, Fraction]:
        """Nothing: what a plan may take at most is not said."""
        return MappingProxyType({})

    @property
    def fix(self) -> Mapping[str, str]:
        """Nothing: no operator is given devices."""
        return MappingProxyType({})

    @property
    def in_flight(self) -> InFlight | None:
        """What stages keep of microbatches by its schedule; None where these are not counted."""
        return None if self.schedule is None else IN_FLIGHT[self.schedule]

    @property
    def degrees(self) -> tuple[int, ...]:
        """How many devices may do a stage together as one replica, ascending."""
        return tuple(sorted({1, *(tensor for one in self.operators for tensor, _ in one.ways)}))

    def addition(self, kind: DeviceKind, parameters: Fraction, replicas: int) -> Fraction:
        """Return the seconds in which replicas add up gradients, for one sample of each of them."""
        found = kind.addition(parameters, replicas)
        return found * replicas / (self.microbatches or 1) if self.gradients == "each-batch" else found

    def may_be_replicas(self, kind: DeviceKind, replicas: int) -> bool:
        """Return whether so many replicas may do one stage.

        Where they add up gradients once a batch, each has the same number of its microbatches.
        """
        even = self.gradients == "each-sample" or (self.microbatches or 1) % replicas == 0
        return replicas <= kind.replicas and even

    @property
    def leaves(self) -> tuple[DeviceKind, ...]:
        """Kinds of devices that have no others inside, each with how many there are; all kinds without machines."""
        return tuple(leaf for kind in self.kinds for leaf in kind.leaves)

    @property
    def has_machines(self) -> bool:
        """Whether devices are inside of others."""
        return any(kind.inside for kind in self.kinds)

    def kind_named(self, name: str) -> DeviceKind:
        """Return the kind of a name."""
        return next(kind for kind in self.kinds if kind.name == name)

    @classmethod
    def from_spec(cls, spec: PipelineSpec, sha256: str, source: Path | None = None) -> PipelineInstance:
        """Return the instance that a checked file says."""
        kinds = tuple(map(_kind, spec.devices))
        speeds = {leaf.kind: Fraction(leaf.speed) for one in spec.devices for leaf in one.leaves}
        maker = WaysMaker(spec, speeds)
        operators = tuple(
            PipelineOperator(
                one.name,
                one.phase,
                by_kind(one.seconds, speeds),
                one.reads,
                Fraction(one.output),
                Fraction(one.memory),
                Fraction(one.parameters),
                one.together,
                by_kind(one.backward, speeds),
                Fraction(one.activations),
                exact_bytes(one.read_bytes),
                exact_bytes(one.sent_bytes),
                maker.of(one),
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
            recompute=spec.recompute,
            gradients=spec.gradients,
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
    from hypar_opt.instance.faults import fitting
    from hypar_opt.instance.pipeline.faults import misfit
    from hypar_opt.instance.pipeline.schema import PipelineSpec

    spec = fitting(PipelineSpec, data, misfit, error)
    return PipelineInstance.from_spec(spec, sha256_of_fields(spec), source)


def _kind(spec: DeviceKindSpec) -> DeviceKind:
    replicas = min(spec.replicas, spec.count)
    inside = tuple(map(_kind, spec.inside))
    return DeviceKind(spec.kind, spec.count, _exact(spec.memory), _exact(spec.bandwidth), replicas, inside)


def _exact(number: Any) -> Fraction | None:
    return None if number is None else Fraction(number)
