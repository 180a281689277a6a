"""What a file says of a task graph: resources, memories, tasks, and what is to be least."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import InvalidOperation
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator, WithJsonSchema

from hypar_opt.instance.exact import rational
from hypar_opt.instance.fields import NUMBER_SCHEMA, Given, Name, Size, Spec, refusal
from hypar_opt.instance.limits import LARGEST_SIZE, MOST_LAYERS
from hypar_opt.instance.text import shown

SCHEMA: Final = "hypar-opt/task-graph/1"
MOST_TASKS: Final = MOST_LAYERS
MOST_UNITS: Final = 2**16
"""Of one resource: schedules are shown unit by unit."""
LARGEST_AMOUNT: Final = 2**50
"""Of a memory, in whatever is counted: a petabyte."""


def _exact(value: object) -> Fraction:
    try:
        found = rational(value)
    except (InvalidOperation, ValueError, OverflowError):
        found = None
    if found is None or found < 0:
        raise refusal(f"expected a number of at least 0, as 3, 0.25 or '1/3', got {shown(value)}")
    return found


def _listed(value: object) -> object:
    """Return how many units are taken of each resource: of those in a list one each."""
    if not isinstance(value, list | tuple):
        return value
    twice = next((one for place, one in enumerate(value) if one in value[:place]), None)
    if twice is not None:
        raise refusal(f"{shown(twice)} is there twice; a mapping says how many units: {{{twice}: 2}}")
    if not all(isinstance(one, str) for one in value):
        raise refusal(f"expected names of resources, or a mapping from these to units, got {shown(value)}")
    return dict.fromkeys(value, 1)


def _after(value: object) -> object:
    return {"task": value} if isinstance(value, str) else value


_TEXT: Final[dict[str, Any]] = {"type": "string", "pattern": r"^[0-9]*\.?[0-9]*([eE][-+]?[0-9]+)?(/0*[1-9][0-9]*)?$"}
_UNITS: Final[dict[str, Any]] = {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE}
Exact: TypeAlias = Annotated[
    Fraction, PlainValidator(_exact), PlainSerializer(str), WithJsonSchema({"anyOf": [NUMBER_SCHEMA, _TEXT]})
]
"""An exact number of at least 0: an integer, a decimal, or a fraction as text."""
Units: TypeAlias = Annotated[int, Field(ge=1, le=MOST_UNITS)]
Amount: TypeAlias = Annotated[int, Field(ge=0, le=LARGEST_AMOUNT)]
Takes: TypeAlias = Annotated[
    dict[Name, Size],
    BeforeValidator(_listed),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "object", "additionalProperties": _UNITS},
                {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            ]
        }
    ),
]
"""Units of each resource, or a list of those of which one is taken."""
Goal: TypeAlias = Literal["makespan", "completion-times", "period"]


class DependenceSpec(Spec):
    """A task that another waits for."""

    task: Name = Field(description="whose end is waited for")
    lag: Exact = Field(Fraction(0), description="seconds from its end to the begin of the one that waits, at least")
    distance: Annotated[int, Field(ge=0, le=LARGEST_SIZE)] = Field(
        0, description="how many periods before it is that task's; 0 in the same"
    )


class KeepSpec(Spec):
    """What a task has in a memory."""

    memory: Name = Field(description="one of `memories`")
    amount: Amount = Field(description="how much, in whatever that memory counts")
    until: Annotated[Name | None, Given] = Field(
        None, description="the task at whose end it is given up, if that is later than its own end"
    )


class TaskSpec(Spec):
    """What is done as a whole, from its begin on without a pause."""

    name: Name = Field(description="unique, what plans call it")
    seconds: Exact = Field(description="how long it takes")
    on: Takes = Field({}, description="units that it takes of each resource while it is done")
    after: Annotated[tuple[Annotated[DependenceSpec, BeforeValidator(_after)], ...], Field(strict=False)] = Field(
        (), description="tasks that have to have ended before it begins"
    )
    release: Exact = Field(Fraction(0), description="the second before which it does not begin")
    weight: Exact = Field(Fraction(0), description="of its end in the weighted sum of completion times")
    group: Annotated[Name | None, Given] = Field(None, description="of all tasks of one group exactly one is done")
    keeps: Annotated[tuple[KeepSpec, ...], Field(strict=False)] = Field((), description="what it has in memories")


class TaskGraphSpec(Spec):
    """A task graph's file."""

    schema_: Literal["hypar-opt/task-graph/1"] = Field(alias="schema", description=f"what the file is: {SCHEMA}")
    name: Name = Field(description="what tables call it")
    resources: Mapping[Name, Units] = Field({}, description="how many equal units there are of each")
    memories: Mapping[Name, Amount | None] = Field(
        {}, description="how much there may be in each at any time; null where that is not limited"
    )
    tasks: Annotated[tuple[TaskSpec, ...], Field(strict=False, min_length=1, max_length=MOST_TASKS)] = Field(
        description="what is to be done"
    )
    objective: Goal = Field(
        "makespan",
        description="what is to be least: the end of the last task, the weighted sum of the ends of all, or the period "
        "in which every task is done once",
    )
