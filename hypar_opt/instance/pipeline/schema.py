"""What a file says of a pipeline: operators with times, devices of one or several kinds, and what is asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Annotated, Any, Final, Literal, TypeAlias

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
from hypar_opt.util.errors import did_you_mean

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
    objective: Goal = Field("slowest-stage", description="what is to be least")
    microbatches: Annotated[Size | None, Given] = Field(None, description="of a batch, where its time is asked for")

    @model_validator(mode="after")
    def _fits(self) -> PipelineSpec:
        if (self.objective == "batch-time") != (self.microbatches is not None):
            found = "none" if self.microbatches is None else "some without `objective: batch-time`"
            raise refusal(f"expected microbatches with the objective batch-time, got {found}", at="microbatches")
        return self


def misfit(spec: PipelineSpec) -> tuple[tuple[Any, ...], str] | None:
    """Return what fields say that do not fit each other: where, and what is wrong; or None."""
    kinds = [one.kind for one in spec.devices]
    for place, one in enumerate(kinds):
        if one in kinds[:place]:
            return ("devices", place, "kind"), f"the kind '{one}' is there twice"
    devices = sum(one.count for one in spec.devices)
    if devices > MOST_DEVICES:
        return ("devices",), f"expected at most {MOST_DEVICES:,} devices, got {devices:,}"
    places = {one.name: place for place, one in enumerate(spec.operators)}
    phases = {one.name: one.phase for one in spec.operators}
    for place, operator in enumerate(spec.operators):
        at = ("operators", place)
        if places[operator.name] != place:
            return (*at, "name"), f"the name '{operator.name}' is there twice"
        if isinstance(operator.backward, dict) and operator.backward.keys() != _kinds_of(operator, kinds):
            return (*at, "backward"), "expected seconds for the same kinds as in 'seconds'"
        if operator.phase == "backward" and operator.backward:
            return (*at, "backward"), "is of the backward phase: expected all its time in 'seconds'"
        if isinstance(operator.seconds, dict):
            unknown = next((kind for kind in operator.seconds if kind not in kinds), None)
            if unknown is not None:
                hint = did_you_mean(unknown, kinds) or f"; there are {', '.join(kinds)}"
                return (*at, "seconds"), f"no devices are called '{unknown}'{hint}"
            if not operator.seconds:
                return (*at, "seconds"), "no device may have it: expected seconds of one kind at least"
        for number, read in enumerate(operator.reads):
            if read not in places:
                return (*at, "reads", number), f"no operator is called '{read}'{did_you_mean(read, places)}"
            if read == operator.name:
                return (*at, "reads", number), "reads itself"
            if operator.phase == "forward" and phases[read] == "backward":
                return (*at, "reads", number), f"a forward operator reads '{read}', which is a backward one"
    return None


def _kinds_of(operator: PipelineOperatorSpec, kinds: list[str]) -> Collection[str]:
    """Return the kinds of devices that may have an operator."""
    return operator.seconds.keys() if isinstance(operator.seconds, dict) else set(kinds)
