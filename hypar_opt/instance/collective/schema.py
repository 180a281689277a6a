"""What a file says of a collective: its array, who takes part, how much is moved, and what is asked for."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import Field

from hypar_opt.instance.array_schema import ArraySpec
from hypar_opt.instance.fields import Given, Name, Number, Size, Spec
from hypar_opt.instance.limits import MOST_LEVELS

SCHEMA: Final = "hypar-opt/collective/1"
CollectiveName: TypeAlias = Literal["all-gather", "reduce-scatter", "all-reduce", "broadcast", "all-to-all"]
COLLECTIVES: Final[tuple[CollectiveName, ...]] = get_args(CollectiveName)
Goal: TypeAlias = Literal["steps", "rounds", "time", "bandwidth"]
Messages: TypeAlias = Literal["single", "joined"]


class CollectiveArraySpec(ArraySpec):
    """The array, as instances of networks have it; nothing is split in halves, so that levels only say a size."""

    levels: Annotated[int, Field(ge=0, le=MOST_LEVELS)] = Field(
        0, description="H: 2^H accelerators, where no other field says how many there are"
    )


class CollectiveSpec(Spec):
    """A collective's file."""

    schema_: Literal["hypar-opt/collective/1"] = Field(alias="schema")
    name: Name
    array: CollectiveArraySpec = Field(description="accelerators, switches and links")
    collective: CollectiveName = Field(description="what every accelerator of the group has to have at the end")
    group: Annotated[Annotated[tuple[Name, ...], Field(strict=False)] | None, Given] = Field(
        None, description="accelerators that take part, in order; without it all. The others may pass on what they get"
    )
    root: Annotated[Name | None, Given] = Field(None, description="of a broadcast: who has the data")
    chunks: Size = Field(1, description="into how many what one accelerator gives, or gets, is cut")
    bytes_: Size = Field(alias="bytes", description="of all chunks together")
    latency: Annotated[Number | None, Given] = Field(
        None, description="seconds that a message takes on a link besides its bytes; without it, what the links say"
    )
    messages: Messages = Field(
        "single",
        description="in time: each chunk a message of its own, or joined: what goes the same way at once is one",
    )
    objective: Goal = Field(
        "steps",
        description="what is to be least: synchronous steps, rounds of them, the time, or by bandwidth alone "
        "the time of chunks that may be cut as finely as one likes",
    )
    steps: Annotated[Size | None, Given] = Field(
        None, description="how many there may be where rounds are to be least: a step is as many rounds as it needs"
    )
