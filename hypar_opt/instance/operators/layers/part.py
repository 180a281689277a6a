"""One part of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from hypar_opt.instance.fields import Size, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.dimensions import DimName
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.over import position_of
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class PartSpec(Spec):
    """So many of a dimension's places; what is left is not read."""

    over: DimName = Field(description="the dimension that is cut")
    size: Size = Field(description="how many of its places are read")


def cut(maker: Maker, x: Value, over: int, size: int, suffix: str = "") -> Value:
    """Return a part along a dimension, which is read whole, for a part of it lies on some of the devices only."""
    names = passing(x.dims)
    dims = [None if i == over else name for i, name in enumerate(names)]
    sizes = [size if i == over else dim.size for i, dim in enumerate(x.dims)]
    output = [OutputDim(name, length, dim.name) for name, length, dim in zip(names, sizes, x.dims, strict=True)]
    splits = [name for name in dims if name is not None]
    read = Read(x, dims, saved=False)
    return maker.operator("split", [read], output, suffix=suffix, splits=splits, is_cheap=True)


def _build(maker: Maker, spec: PartSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    over = position_of(x, spec.over, ("part", "over"))
    if spec.size > x.dims[over].size:
        raise ShapeError(f"expected at most {x.dims[over].size}, got {spec.size}", ("part", "size"))
    return cut(maker, x, over, spec.size)


KIND: Final = Kind("part", "a part of a layer along a dimension", PartSpec, _build)
