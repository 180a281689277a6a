"""Parts of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from hypar_opt.instance.fields import Size, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.dimensions import DimName, Shape
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.over import position_of
from hypar_opt.instance.operators.layers.part import cut

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
    (x,) = inputs
    over = position_of(x, spec.over, ("split", "over"))
    for part, size in _sizes(spec, x.dims[over].size).items():
        maker.parts[part] = cut(maker, x, over, size, part)


KIND: Final = Kind("split", "parts of a layer along a dimension, read as NAME.PART", SplitSpec, _build, parts=_names)
