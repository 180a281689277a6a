"""Parts of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema

from hypar_opt.instance.fields import Spec, refusal
from hypar_opt.instance.limits import LARGEST_SIZE
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.dimensions import SHAPE_SCHEMA, SIZE_SCHEMA, DimName, checked_sizes
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.over import position_of
from hypar_opt.instance.operators.layers.part import cut
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


def _number(value: object) -> int:
    if type(value) is int and 1 <= value <= LARGEST_SIZE:
        return value
    raise refusal(f"expected a number of parts of at least 1, or names of parts with their sizes, got {shown(value)}")


def _into(value: object) -> dict[str, int] | int:
    return checked_sizes(value) if isinstance(value, dict) else _number(value)


Into: TypeAlias = Annotated[
    dict[str, int] | int, BeforeValidator(_into), WithJsonSchema({"anyOf": [SIZE_SCHEMA, SHAPE_SCHEMA]})
]
"""Sizes of parts by their names, or a number of parts."""


class SplitSpec(Spec):
    """A tensor cut into parts, which are read as NAME.PART."""

    over: DimName = Field(description="the dimension that is cut")
    into: Into = Field(
        description="sizes of the parts by their names, or a number of equal parts, whose names are 0, 1, ..."
    )


def _parts(spec: SplitSpec) -> int:
    return spec.into if isinstance(spec.into, int) else len(spec.into)


def _sizes(spec: SplitSpec, whole: int) -> Mapping[str, int]:
    """Return the sizes of the parts; raise `ShapeError` where they do not make up the whole."""
    at = ("split", "into")
    if not isinstance(spec.into, int):
        if sum(spec.into.values()) != whole:
            raise ShapeError(f"expected parts of {whole} in all, got {sum(spec.into.values())}", at)
        return spec.into
    if whole % spec.into:
        raise ShapeError(f"expected a divisor of {whole}, got {spec.into}", at)
    return dict.fromkeys(map(str, range(spec.into)), whole // spec.into)


def _build(maker: Maker, spec: SplitSpec, inputs: Sequence[Value]) -> None:
    (x,) = inputs
    over = position_of(x, spec.over, ("split", "over"))
    for part, size in _sizes(spec, x.dims[over].size).items():
        maker.parts[part] = cut(maker, x, over, size, part)


KIND: Final = Kind("split", "parts of a layer along a dimension, read as NAME.PART", SplitSpec, _build, parts=_parts)
