"""Parts of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from hypar_opt.instance.fields import Size, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.dimensions import DimName, Shape
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.maker import Read, Written, passing
from hypar_opt.instance.operators.layers.over import position_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class SplitSpec(Spec):
    """A tensor cut into parts, which are read as NAME.PART."""

    over: DimName = Field(description="the dimension that is cut")
    into: Size | Shape = Field(
        description="sizes of the parts by their names, or a number of equal parts, whose names are 0, 1, ..."
    )


def _names(spec: SplitSpec) -> tuple[str, ...]:
    return tuple(map(str, range(spec.into))) if isinstance(spec.into, int) else tuple(spec.into)


def _sizes(spec: SplitSpec, whole: int) -> Mapping[str, int]:
    """Return the sizes of the parts; raise `ShapeError` where they do not make up the whole."""
    at = ("split", "into")
    if not isinstance(spec.into, int):
        if sum(spec.into.values()) != whole:
            raise ShapeError(f"expected parts of {whole} in all, got {sum(spec.into.values())}", at)
        return spec.into
    if whole % spec.into:
        raise ShapeError(f"expected a divisor of {whole}, got {spec.into}", at)
    return dict.fromkeys(_names(spec), whole // spec.into)


def _build(maker: Maker, spec: SplitSpec, inputs: Sequence[Value]) -> None:
    """Part by part; the dimension that is cut is read whole, for a part of it lies on some of the devices only."""
    (x,) = inputs
    over = position_of(x, spec.over, ("split", "over"))
    names = passing(x.dims)
    dims = [None if i == over else name for i, name in enumerate(names)]
    for part, size in _sizes(spec, x.dims[over].size).items():
        sizes = [size if i == over else dim.size for i, dim in enumerate(x.dims)]
        output = [Written(name, length, dim.name) for name, length, dim in zip(names, sizes, x.dims, strict=True)]
        splits = [name for name in dims if name is not None]
        read = Read(x, dims, saved=False)
        maker.parts[part] = maker.operator("split", [read], output, suffix=part, splits=splits, is_cheap=True)


KIND: Final = Kind("split", "parts of a layer along a dimension, read as NAME.PART", SplitSpec, _build, parts=_names)
