"""Fully connected layers."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from pydantic import Field

from hypar_opt.instance.fields import Size, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, kept, passing
from hypar_opt.instance.operators.layers.value import flattened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class DenseSpec(Spec):
    """A fully connected layer over the last dimension; a map is flattened."""

    features: Size = Field(description="number of outputs")
    in_features: Size | None = Field(
        default=None, description="number of inputs; not needed, and checked against the shape where it is given"
    )
    bias: bool = Field(False, description="whether a trained number is added to each output")


def _build(maker: Maker, spec: DenseSpec, inputs: Sequence[Value]) -> Value:
    x = flattened(inputs[0]) if inputs[0].is_map else inputs[0]
    lead, last = x.dims[: x.features], x.dims[x.features]
    if spec.in_features not in (None, last.size):
        at = ("linear", "in_features")
        raise ShapeError(f"linear reads {spec.in_features} features, got {last.size} from {inputs[0]}", at)
    names = passing(lead, ("in", "out"))
    weight = maker.parameter("weight", (("out", spec.features), ("in", last.size)))
    reads = [Read(x, (*names, "in")), Read(weight, ("out", "in"))]
    if spec.bias:
        reads.append(Read(maker.parameter("bias", (("out", spec.features),)), ("out",), saved=False, is_added=True))
    output = [*kept(lead, names), OutputDim("out", spec.features, "features")]
    return maker.operator("linear", reads, output, multiply_adds=prod(x.sizes) * spec.features)


KIND: Final = Kind("linear", "a fully connected layer", DenseSpec, _build)
