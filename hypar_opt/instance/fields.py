"""The kinds of fields that instance files are made of."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, WithJsonSchema
from pydantic_core import PydanticCustomError

from hypar_opt.instance.limits import LARGEST_SIZE, LONGEST_NAME
from hypar_opt.instance.text import shown


class Spec(BaseModel):
    """A mapping in a file: frozen, strict about types, closed to unknown fields."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def refusal(message: str, at: str = "") -> PydanticCustomError:
    """Return the error by which a validator refuses a value.

    Parameters
    ----------
    message
        Shown as it is.
    at
        The field to blame, if it is one field of the mapping that is validated.
    """
    return PydanticCustomError("refused", "{message}", {"message": message, "at": at})


def where(**fields: Any) -> dict[str, JsonValue]:
    """Return the JSON Schema of a mapping that has fields, each as its own schema says."""
    return {"properties": fields, "required": list(fields)}


def _is_size(value: object, least: int) -> bool:
    return type(value) is int and least <= value <= LARGEST_SIZE


def _pair(value: object, least: int) -> tuple[int, int]:
    if _is_size(value, least):
        return value, value  # type: ignore[return-value]
    if isinstance(value, list | tuple) and len(value) == 2 and all(_is_size(x, least) for x in value):
        return value[0], value[1]
    if type(value) is int and value < least:
        raise refusal(f"expected an integer of at least {least}, got {shown(value)}")
    if type(value) is int:
        raise refusal(f"expected an integer of at most 2^40, got {shown(value)}")
    raise refusal(f"expected an integer of at least {least} or a list [height, width], got {shown(value)}")


def _pair_schema(least: int) -> dict[str, Any]:
    size = {"type": "integer", "minimum": least, "maximum": LARGEST_SIZE}
    return {"anyOf": [size, {"type": "array", "items": size, "minItems": 2, "maxItems": 2}]}


def as_number(value: object) -> Decimal:
    """Return an exact decimal of at least 0, or refuse."""
    if type(value) is int:
        value = Decimal(value)
    if not isinstance(value, Decimal) or not value.is_finite() or value < 0:
        raise refusal(f"expected a number of at least 0, got {shown(value)}")
    return value


def positive(what: str) -> AfterValidator:
    """Return what refuses 0 as a `Number`, and says what it would be a 0 of."""

    def check(value: Decimal) -> Decimal:
        if value == 0:
            raise refusal(f"expected a {what} above 0, got 0")
        return value

    return AfterValidator(check)


def _given(value: object) -> object:
    if value is None:
        raise refusal("expected a value, got nothing; leave the field out or write {} for an empty mapping")
    return value


def _input_shape(value: object) -> tuple[int, ...]:
    is_list = isinstance(value, list | tuple)
    if not is_list or len(value) not in (1, 3) or not all(_is_size(x, 1) for x in value):  # type: ignore[arg-type, attr-defined]
        raise refusal(f"expected [channels, height, width] or [features], got {shown(value)}")
    return tuple(value)  # type: ignore[arg-type]


def _layer_name(name: str) -> str:
    if name == "input":
        raise refusal("'input' is the name of the network's input")
    return name


NUMBER_SCHEMA: dict[str, JsonValue] = {"type": "number", "minimum": 0}
POSITIVE_SCHEMA = WithJsonSchema({**NUMBER_SCHEMA, "exclusiveMinimum": 0})
Number: TypeAlias = Annotated[Decimal, BeforeValidator(as_number), WithJsonSchema(NUMBER_SCHEMA)]
"""An exact decimal of at least 0."""
Size: TypeAlias = Annotated[int, Field(ge=1, le=LARGEST_SIZE)]
"""A number of things."""
Pair: TypeAlias = Annotated[
    tuple[int, int], BeforeValidator(lambda value: _pair(value, 1)), WithJsonSchema(_pair_schema(1))
]
"""(vertical, horizontal), written as one integer or as two, at least 1."""
PairFromZero: TypeAlias = Annotated[
    tuple[int, int], BeforeValidator(lambda value: _pair(value, 0)), WithJsonSchema(_pair_schema(0))
]
"""(vertical, horizontal), written as one integer or as two, at least 0."""
InputShape: TypeAlias = Annotated[
    tuple[int, ...],
    BeforeValidator(_input_shape),
    WithJsonSchema(
        {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE},
            "anyOf": [{"minItems": 1, "maxItems": 1}, {"minItems": 3, "maxItems": 3}],
        }
    ),
]
"""(channels, height, width) or (features,)."""
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
"""Text without control characters."""
LayerName: TypeAlias = Annotated[
    Name, AfterValidator(_layer_name), Field(json_schema_extra={"not": {"const": "input"}})
]
"""A name that is not that of the network's input."""
Given = BeforeValidator(_given)
"""On an optional field: it may be left out, but not be empty."""
