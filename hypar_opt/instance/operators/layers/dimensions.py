"""Fields that name dimensions."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BeforeValidator, WithJsonSchema

from hypar_opt.instance.fields import refusal
from hypar_opt.instance.limits import LARGEST_SIZE, LONGEST_NAME
from hypar_opt.instance.operators.layers.value import BATCH
from hypar_opt.instance.text import shown

PATTERN: Final = r"^[A-Za-z_][A-Za-z0-9_]*$"
RESERVED: Final = frozenset({BATCH, "none", "whole", "partial"})
"""Words that stand for something else where plans are written."""


def checked_name(name: object) -> str:
    """Return the name of a dimension, or refuse."""
    if not isinstance(name, str) or not re.match(PATTERN, name) or len(name) > LONGEST_NAME:
        raise refusal(f"expected the name of a dimension, of letters, digits and underscores, got {shown(name)}")
    if name in RESERVED:
        raise refusal(f"'{name}' cannot be the name of a dimension here; the batch is not written")
    return name


def checked_size(size: object, what: str) -> int:
    """Return a size, or refuse; `what` has it."""
    if type(size) is int and 1 <= size <= LARGEST_SIZE:
        return size
    raise refusal(f"expected an integer of 1 to 2^40 as the size of {what}, got {shown(size)}")


def checked_sizes(value: object) -> dict[str, int]:
    """Return sizes by names, or refuse."""
    if not isinstance(value, dict) or not value:
        raise refusal(f"expected names with their sizes, got {shown(value) if value else 'none'}")
    return {checked_name(name): checked_size(size, str(name)) for name, size in value.items()}


NAME_SCHEMA: Final[dict[str, Any]] = {"type": "string", "pattern": PATTERN, "not": {"enum": sorted(RESERVED)}}
SIZE_SCHEMA: Final[dict[str, Any]] = {"type": "integer", "minimum": 1, "maximum": LARGEST_SIZE}
SHAPE_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "propertyNames": NAME_SCHEMA,
    "additionalProperties": SIZE_SCHEMA,
    "minProperties": 1,
}
DimName: TypeAlias = Annotated[str, BeforeValidator(checked_name), WithJsonSchema(NAME_SCHEMA)]
"""The name of a dimension, not that of the batch."""
Shape: TypeAlias = Annotated[dict[str, int], BeforeValidator(checked_sizes), WithJsonSchema(SHAPE_SCHEMA)]
"""Sizes by names, in order, without the batch."""
