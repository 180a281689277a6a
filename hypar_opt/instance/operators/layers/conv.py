"""Convolutions along one, two or three dimensions."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from pydantic import Field

from hypar_opt.instance.fields import Size, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, passing
from hypar_opt.instance.operators.layers.value import BATCH, CHANNELS
from hypar_opt.instance.operators.layers.windows import Lengths, Margins, Sliding, margins, spatial, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value
    from hypar_opt.instance.operators.window import Window


class ConvolutionSpec(Spec):
    """A convolution."""

    filters: Size = Field(description="number of output channels")
    kernel: Lengths = Field(description="size of the kernel")
    stride: Lengths = Field((1,), description="step between positions")
    pad: Margins = Field((0,), description="zeros on each side, or [top, left, bottom, right]")
    groups: Size = Field(1, description="channels and filters are divided into so many separate groups")
    dilation: Lengths = Field((1,), description="distance between the kernel's elements")
    bias: bool = Field(False, description="whether a trained number is added to each output channel")


class TransposedConvolutionSpec(ConvolutionSpec):
    """A transposed convolution, which makes maps larger."""

    output_pad: Margins = Field((0,), description="rows and columns added at the end of the output")


def _windows(kind: str, spec: ConvolutionSpec, count: int) -> list[Sliding]:
    kernel, stride, dilation = (
        spread(getattr(spec, name), count, (kind, name)) for name in ("kernel", "stride", "dilation")
    )
    sides = margins(spec.pad, count, (kind, "pad"))
    return [Sliding(*one) for one in zip(kernel, stride, sides, dilation, strict=True)]


def _conv(maker: Maker, spec: ConvolutionSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    behind = spatial(x, "conv")
    windows = _windows("conv", spec, len(behind))
    return _built(maker, "conv", spec, x, [one.over(dim.size) for one, dim in zip(windows, behind, strict=True)])


def _transposed(maker: Maker, spec: TransposedConvolutionSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    kind = "transposed_conv"
    behind = spatial(x, kind)
    windows = _windows(kind, spec, len(behind))
    more = spread(spec.output_pad, len(behind), (kind, "output_pad"))
    made = [one.transposed_over(dim.size, n) for one, dim, n in zip(windows, behind, more, strict=True)]
    return _built(maker, kind, spec, x, made)


def _built(maker: Maker, kind: str, spec: ConvolutionSpec, x: Value, windows: Sequence[Window]) -> Value:
    """Note the operator: of one group, inputs and outputs can be split; of several, the groups."""
    channels, behind = x.sizes[1], x.dims[2:]
    for what, count, field in (("input channels", channels, "groups"), ("filters", spec.filters, "groups")):
        if count % spec.groups:
            raise ShapeError(f"{count} {what} are not divisible into {spec.groups} groups", (kind, field))
    kernel = spread(spec.kernel, len(behind), (kind, "kernel"))
    names = passing(behind, (BATCH, "in", "out", "groups"))
    read, written = ("in", "out") if spec.groups == 1 else ("groups", "groups")
    inner = None if spec.groups > 1 else "in"
    taps = [(f"kernel_{name}", size) for name, size in zip(names, kernel, strict=True)]
    each = channels // spec.groups
    weight = maker.parameter("weight", [("out", spec.filters), ("in", each), *taps])
    reads = [
        Read(x, (BATCH, read, *names), dict(zip(names, windows, strict=True))),
        Read(weight, (written, inner, *(None for _ in taps))),
    ]
    if spec.bias:
        reads.append(Read(maker.parameter("bias", [("out", spec.filters)]), (written,), saved=False, is_added=True))
    output = [
        OutputDim(BATCH, x.sizes[0], BATCH),
        OutputDim(written, spec.filters, CHANNELS),
        *(OutputDim(name, one.positions, dim.name) for name, one, dim in zip(names, windows, behind, strict=True)),
    ]
    places = prod(one.positions for one in windows) if kind == "conv" else prod(dim.size for dim in behind)
    work = x.sizes[0] * places * spec.filters * each * prod(kernel)
    limits = {"groups": spec.groups}
    return maker.operator(kind, reads, output, limits=limits, multiply_adds=work)


CONV: Final = Kind("conv", "a convolution", ConvolutionSpec, _conv)
TRANSPOSED_CONV: Final = Kind("transposed_conv", "a transposed convolution", TransposedConvolutionSpec, _transposed)
