"""Tensors side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from hypar_opt.instance.fields import Given, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.dimensions import DimName
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.over import feature_position
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class ConcatSpec(Spec):
    """Two or more tensors side by side."""

    over: Annotated[DimName | None, Given] = Field(
        None, description="the dimension along which they stand, the channels or the last one unless given"
    )


def _build(maker: Maker, spec: ConcatSpec, inputs: Sequence[Value]) -> Value:
    first = inputs[0]
    over = feature_position(first, spec.over, ("concat", "over"))
    if len({(*one.sizes[:over], 0, *one.sizes[over + 1 :]) for one in inputs}) > 1:
        listed = ", ".join(map(str, inputs))
        raise ShapeError(f"concat reads tensors that differ in {first.names[over]} alone, got {listed}")
    names = passing(first.dims)
    dims = [None if i == over else name for i, name in enumerate(names)]
    sizes = [sum(one.sizes[over] for one in inputs) if i == over else dim.size for i, dim in enumerate(first.dims)]
    output = [OutputDim(name, size, dim.name) for name, size, dim in zip(names, sizes, first.dims, strict=True)]
    splits = [name for name in dims if name is not None]
    reads = [Read(one, dims, saved=False) for one in inputs]
    return maker.operator("concat", reads, output, splits=splits, is_cheap=True)


KIND: Final = Kind("concat", "two or more layers side by side along a dimension", ConcatSpec, _build, 2, None)
