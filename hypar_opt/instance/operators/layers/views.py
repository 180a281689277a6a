"""Other names and another order of the same numbers, which cost nothing: reshape, transpose, flatten."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import Field

from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.network_schema import EmptySpec
from hypar_opt.instance.operators.layers.dimensions import DimName, Shape
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.over import position_of
from hypar_opt.instance.operators.layers.value import flattened, reshaped, transposed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value

Order: TypeAlias = Annotated[tuple[DimName, ...], Field(strict=False, min_length=1)]
"""Names of dimensions, in a list."""


def _reshape(_: Maker, spec: Mapping[str, int], inputs: Sequence[Value]) -> Value:
    needed, given = prod(inputs[0].sizes[1:]), prod(spec.values())
    if needed != given:
        raise ShapeError(f"expected {needed} numbers a sample as in {inputs[0]}, got {given}", ("reshape",))
    return reshaped(inputs[0], tuple(spec.items()))


def _transpose(_: Maker, spec: Sequence[str], inputs: Sequence[Value]) -> Value:
    order = [position_of(inputs[0], name, ("transpose",)) for name in spec]
    if sorted(order) != list(range(1, len(inputs[0].dims))):
        expected = ", ".join(inputs[0].names[1:])
        raise ShapeError(f"expected every one of {expected} once, got {', '.join(spec)}", ("transpose",))
    return transposed(inputs[0], (0, *order))


def _flatten(_: Maker, __: EmptySpec, inputs: Sequence[Value]) -> Value:
    return flattened(inputs[0])


RESHAPE: Final = Kind("reshape", "the same numbers by other dimensions, names with sizes", Shape, _reshape)
TRANSPOSE: Final = Kind("transpose", "the same numbers in another order of dimensions, by names", Order, _transpose)
FLATTEN: Final = Kind("flatten", "makes features of a map", EmptySpec, _flatten)
