"""Fields that name dimensions."""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema

from hypar_opt.instance.fields import Size, refusal
from hypar_opt.instance.limits import LONGEST_NAME
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


NAME_SCHEMA: Final[dict[str, Any]] = {"type": "string", "pattern": PATTERN, "not": {"enum": sorted(RESERVED)}}
DimName: TypeAlias = Annotated[str, AfterValidator(checked_name), WithJsonSchema(NAME_SCHEMA)]
"""The name of a dimension, not that of the batch."""
Shape: TypeAlias = Annotated[dict[DimName, Size], Field(min_length=1)]
"""Sizes by names, in order, without the batch."""
