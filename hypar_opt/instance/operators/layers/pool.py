"""Layers that make maps smaller or larger without parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import Field

from hypar_opt.instance.fields import Given, Spec
from hypar_opt.instance.network_schema import GlobalPoolSpec
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, Sums, kept, passing
from hypar_opt.instance.operators.layers.windows import (
    Lengths,
    Margins,
    Sliding,
    linear_upsampling,
    margins,
    nearest_upsampling,
    spatial,
    spread,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value
    from hypar_opt.instance.operators.window import Window


class PoolingSpec(Spec):
    """Pooling; rounds down unless told otherwise."""

    kernel: Lengths = Field(description="size of the window")
    stride: Annotated[Lengths | None, Given] = Field(
        None, description="step between positions, the kernel's size unless given"
    )
    pad: Margins = Field((0,), description="padding on each side, or [top, left, bottom, right]")
    kind: Literal["max", "avg"] = Field("max", description="largest value or average")
    ceil: bool = Field(False, description="whether a last window that sticks out counts")


class UpsampleSpec(Spec):
    """A map made larger."""

    factor: Lengths = Field(description="how many times as high and wide")
    kind: Literal["nearest", "linear"] = Field("nearest", description="copies, or weighted means of neighbours")


def _pool(maker: Maker, spec: PoolingSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    behind = spatial(x, "pool")
    count = len(behind)
    kernel = spread(spec.kernel, count, ("pool", "kernel"))
    stride = kernel if spec.stride is None else spread(spec.stride, count, ("pool", "stride"))
    sides = margins(spec.pad, count, ("pool", "pad"))
    windows = [Sliding(*one, 1, spec.ceil) for one in zip(kernel, stride, sides, strict=True)]
    over = [one.over(dim.size) for one, dim in zip(windows, behind, strict=True)]
    return _resized(maker, "pool", x, over, saved=spec.kind == "max")


def _upsample(maker: Maker, spec: UpsampleSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    behind = spatial(x, "upsample")
    factors = spread(spec.factor, len(behind), ("upsample", "factor"))
    window = linear_upsampling if spec.kind == "linear" else nearest_upsampling
    over = [window(dim.size, factor) for dim, factor in zip(behind, factors, strict=True)]
    return _resized(maker, "upsample", x, over, saved=False)


def _resized(maker: Maker, kind: str, x: Value, windows: Sequence[Window], *, saved: bool) -> Value:
    names = passing(x.dims)
    behind = zip(names[2:], windows, x.dims[2:], strict=True)
    output = [*kept(x.dims[:2], names[:2]), *(OutputDim(name, one.positions, dim.name) for name, one, dim in behind)]
    read = Read(x, names, dict(zip(names[2:], windows, strict=True)), saved=saved)
    return maker.operator(kind, [read], output, is_cheap=True)


def _global_pool(maker: Maker, spec: GlobalPoolSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    spatial(x, "global_pool")
    names = passing(x.dims)
    is_max = spec.kind == "max"
    # that is no sum: parts ask each other for the largest, and backward how many of it there are
    sums = [Sums(tuple(names[:2]), 1, 1)] if is_max else []
    output = [*kept(x.dims[:1], names[:1]), OutputDim(names[1], x.sizes[1], "features")]
    return maker.operator("global_pool", [Read(x, names, saved=is_max)], output, sums=sums, is_cheap=True)


POOL: Final = Kind("pool", "max or average pooling", PoolingSpec, _pool)
UPSAMPLE: Final = Kind("upsample", "a map made larger", UpsampleSpec, _upsample)
GLOBAL_POOL: Final = Kind("global_pool", "pooling over the whole map", GlobalPoolSpec, _global_pool)
