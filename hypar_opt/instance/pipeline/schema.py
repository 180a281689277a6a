"""What a file says of a pipeline: operators with times, devices of one or several kinds, and what is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from hypar_opt.instance.fields import (
    NUMBER_SCHEMA,
    POSITIVE_SCHEMA,
    Given,
    Name,
    Number,
    Size,
    Spec,
    as_number,
    positive,
    refusal,
)
from hypar_opt.instance.limits import MOST_KINDS, MOST_LAYERS
from hypar_opt.instance.pipeline.in_flight import IN_FLIGHT, ScheduleName
from hypar_opt.instance.pipeline.ways import Gradients, Recompute

SCHEMA: Final = "hypar-opt/pipeline/1"
MOST_DEVICES: Final = 1024
"""Of all kinds together."""


def _seconds(value: object) -> Decimal | dict[str, Decimal]:
    if isinstance(value, Mapping):
        return {str(kind): as_number(one) for kind, one in value.items()}
    return as_number(value)


Seconds: TypeAlias = Annotated[
    Decimal | dict[str, Decimal],
    BeforeValidator(_seconds),
    WithJsonSchema({"anyOf": [NUMBER_SCHEMA, {"type": "object", "additionalProperties": NUMBER_SCHEMA}]}),
]
"""Of a device of speed 1; or by kind, of a device of that kind."""
Phase: TypeAlias = Literal["forward", "backward"]
Transfers: TypeAlias = Literal["added", "overlapped"]
Goal: TypeAlias = Literal["slowest-stage", "batch-time", "latency"]


class DeviceKindSpec(Spec):
    """Devices that are alike."""

    kind: Name = Field(description="what tables call them")
    count: Size = Field(description="how many there are")
    speed: Annotated[Number, positive("speed"), POSITIVE_SCHEMA] = Field(
        Decimal(1), description="what seconds of operators are divided by that are not given by kind"
    )
    memory: Annotated[Number | None, Given] = Field(None, description="bytes of each; without it any amount fits")
    bandwidth: Annotated[Annotated[Number, positive("bandwidth"), POSITIVE_SCHEMA] | None, Given] = Field(
        None, description="bytes a second in and out; without it what others read or send takes no time"
    )
    replicas: Size = Field(1, description="of them at most that do one stage together, each a part of the samples")
    inside: Annotated[tuple[DeviceKindSpec, ...], Field(strict=False, max_length=MOST_KINDS)] = Field(
        (), description="devices in each, which is a machine then: its stage is a pipeline on these"
    )

    @property
    def leaves(self) -> tuple[DeviceKindSpec, ...]:
        """Kinds of devices that have no others inside: itself, or those inside at any depth."""
        return tuple(leaf for one in self.inside for leaf in one.leaves) or (self,)


class RecomputeSpec(Spec):
    """What changes of an operator whose activations are computed anew; what is not said follows a rule."""

    seconds: Annotated[Seconds | None, Given] = Field(None, description="of its forward phase; without them, as else")
    backward: Annotated[Seconds | None, Given] = Field(
        None, description="of its backward phase; without them its forward seconds longer, or as else beside `seconds`"
    )
    activations: Annotated[Number | None, Given] = Field(
        None, description="bytes that it still keeps of each microbatch; without them what it reads"
    )
    memory: Annotated[Number | None, Given] = Field(
        None, description="bytes that it keeps besides; without them as much more as it keeps less of one microbatch"
    )


class TensorSpec(Spec):
    """An operator split over several devices, which are one replica; what is not said is as on one."""

    degree: Annotated[Size, Field(ge=2)] = Field(description="over how many")
    seconds: Seconds = Field(description="of its computing")
    backward: Annotated[Seconds | None, Given] = Field(None, description="of its own backward computing")
    memory: Annotated[Number | None, Given] = Field(None, description="bytes that each device keeps")
    activations: Annotated[Number | None, Given] = Field(None, description="bytes that each keeps of each microbatch")
    parameters: Annotated[Number | None, Given] = Field(None, description="bytes whose gradients each adds up")
    read_bytes: Mapping[Name, Number] = Field({}, description="by operator that it reads, of those above")
    sent_bytes: Mapping[Name, Number] = Field({}, description="by operator that reads it, for which bytes are said")
    recompute: Annotated[RecomputeSpec | None, Given] = Field(None, description="if its activations are computed anew")


class PipelineOperatorSpec(Spec):
    """What is done as a whole on one device."""

    name: Name
    seconds: Seconds = Field(description="of its computing, one number or one for every kind that may have it")
    backward: Seconds = Field(
        Decimal(0), description="of its own backward computing, where no operator of that phase says it"
    )
    phase: Phase = Field("forward", description="stages are parts of the forward phase; a backward operator follows")
    reads: Annotated[tuple[Name, ...], Field(strict=False)] = Field((), description="operators whose outputs it needs")
    output: Number = Field(Decimal(0), description="bytes of what it makes, sent once however many read it")
    memory: Number = Field(Decimal(0), description="bytes that it keeps on its device")
    activations: Number = Field(Decimal(0), description="bytes of each microbatch that it keeps between its two phases")
    parameters: Number = Field(Decimal(0), description="bytes whose gradients replicas of a stage add up")
    together: Annotated[Name | None, Given] = Field(None, description="operators that say the same stand on one device")
    read_bytes: Mapping[Name, Number] = Field(
        {}, description="by operator that it reads, bytes that are moved for it alone, whoever else reads the same"
    )
    sent_bytes: Mapping[Name, Number] = Field(
        {}, description="by operator that reads it so, bytes that are sent; without them as many as are read"
    )
    recompute: Annotated[RecomputeSpec | None, Given] = Field(
        None, description="what it takes if its activations are computed anew; without it, by a rule"
    )
    tensor: Annotated[Annotated[tuple[TensorSpec, ...], Field(strict=False)] | None, Given] = Field(
        None,
        description="what it takes split over several devices, by degrees; without it each of them does all of it, "
        "and of an empty list it is done by one alone",
    )


class PipelineSpec(Spec):
    """A pipeline's file."""

    schema_: Literal["hypar-opt/pipeline/1"] = Field(alias="schema")
    name: Name
    devices: Annotated[tuple[DeviceKindSpec, ...], Field(strict=False, min_length=1, max_length=MOST_KINDS)]
    operators: Annotated[tuple[PipelineOperatorSpec, ...], Field(strict=False, min_length=1, max_length=MOST_LAYERS)]
    transfers: Transfers = Field(
        "added", description="whether a stage reads, computes and sends one after the other, or at the same time"
    )
    contiguous: bool = Field(True, description="whether no path leaves a device's forward operators and comes back")
    stages: Annotated[Size | None, Given] = Field(None, description="how many there may be; else as many as devices")
    objective: Goal = Field("slowest-stage", description="what is to be least")
    microbatches: Annotated[Size | None, Given] = Field(
        None, description="of a batch, where its time is asked for, a schedule keeps no more of them, or gradients wait"
    )
    schedule: Annotated[ScheduleName | None, Given] = Field(
        None, description="in which order stages do microbatches, which says how many they keep; without it none count"
    )
    recompute: Recompute = Field(
        "never", description="whether activations may be computed anew: of operators, or of whole stages only"
    )
    gradients: Gradients = Field(
        "each-sample", description="whether replicas add up gradients for each of their samples, or once a batch"
    )

    @model_validator(mode="after")
    def _fits(self) -> PipelineSpec:
        schedule = None if self.schedule is None else IN_FLIGHT[self.schedule]
        if self.microbatches is None and self.objective == "batch-time":
            raise refusal("expected microbatches with the objective batch-time, got none", at="microbatches")
        if self.microbatches is None and schedule is not None and schedule.whole_batch:
            raise refusal(f"expected microbatches with the schedule {schedule.name}, got none", at="microbatches")
        each_batch = self.gradients == "each-batch"
        if self.microbatches is None and each_batch:
            raise refusal("expected microbatches with the gradients each-batch, got none", at="microbatches")
        if self.microbatches is not None and self.objective != "batch-time" and schedule is None and not each_batch:
            said = "expected microbatches with a schedule or the objective batch-time, got some without either"
            raise refusal(said, at="microbatches")
        if schedule is not None and not (self.contiguous or schedule.whole_batch):
            raise refusal(
                f"with {schedule.name} a stage keeps the more the more devices stand behind it, and stages that need "
                "not be contiguous are in no order; expected `contiguous: true` or gpipe",
                at="schedule",
            )
        if schedule is not None and not self.contiguous and self.objective == "batch-time":
            said = "a batch's time by a schedule is of stages in order, expected `contiguous: true` or no schedule"
            raise refusal(said, at="schedule")
        return self
