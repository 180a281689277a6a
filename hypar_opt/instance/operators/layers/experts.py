"""Mixtures of experts: each position is sent to a few of many feed-forward networks.

Between the batch at dispatch and the experts at their linear layers lies an all-to-all, as between any two operators
of which one writes a tensor along one dimension and the other reads it along another.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, prod
from typing import TYPE_CHECKING, Final

from pydantic import Field

from hypar_opt.instance.element_functions import ActivationName
from hypar_opt.instance.fields import Number, Size, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, Sums, kept, passing
from hypar_opt.instance.operators.layers.value import BATCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value

EXPERT: Final = ("experts", "slots")


class ExpertsSpec(Spec):
    """A mixture of experts, each of two linear layers, or of three where it is gated."""

    count: Size = Field(description="number of experts")
    top: Size = Field(description="to how many of them each position is sent")
    hidden: Size = Field(description="features between an expert's layers")
    features: Size | None = Field(None, description="number of outputs, as many as inputs unless given")
    capacity: Number = Field(
        Decimal(1), description="positions that an expert takes, in parts of what it gets if all get the same"
    )
    gated: bool = Field(False, description="whether what is hidden is multiplied by that of a third linear layer")
    activation: ActivationName = Field("relu", description="the function between an expert's layers")


def _build(maker: Maker, spec: ExpertsSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    if len(x.dims) < 2 or x.is_map:
        raise ShapeError(f"experts read [features] or [sequence, features], got {x}")
    if spec.top > spec.count:
        raise ShapeError(f"expected at most the {spec.count} experts, got {spec.top}", ("experts", "top"))
    positions = prod(x.sizes[:-1])
    even = Fraction(spec.top * positions, spec.count)
    least = min(Fraction(1), 1 / even)  # below one position for each expert there are none to leave out
    if spec.capacity < least:
        said = f"expected at least {least}, one position for each expert, got {spec.capacity}"
        raise ShapeError(said, ("experts", "capacity"))
    slots = ceil(Fraction(spec.capacity) * even)
    shares = _router(maker, spec, x)
    sent = _dispatch(maker, spec, x, shares, slots)
    hidden = _linear(maker, sent, spec.hidden, "up")
    active = _cheap(maker, "activation", [hidden], "activation")
    if spec.gated:
        gate = _linear(maker, sent, spec.hidden, "gate")
        active = _cheap(maker, "multiply", [active, gate], "product")
    made = _linear(maker, active, spec.features or x.sizes[-1], "down")
    return _combine(maker, spec, x, shares, made)


def _router(maker: Maker, spec: ExpertsSpec, x: Value) -> Value:
    """Return for each position how much each expert counts."""
    *lead, last = x.dims
    names = passing(lead, ("in", "experts"))
    weight = maker.parameter("router.weight", (("out", spec.count), ("in", last.size)))
    output = [*kept(lead, names), OutputDim("experts", spec.count, "experts")]
    reads = [Read(x, (*names, "in")), Read(weight, ("experts", "in"))]
    work = prod(x.sizes) * spec.count
    scores = maker.operator("linear", reads, output, suffix="router", multiply_adds=work)
    names = passing(scores.dims)
    return maker.operator(
        "softmax",
        [Read(scores, names, saved=False)],
        kept(scores.dims, names),
        suffix="softmax",
        sums=[Sums(tuple(names[:-1]), 2, 1)],
        is_cheap=True,
        saved_output=True,
    )


def _dispatch(maker: Maker, spec: ExpertsSpec, x: Value, shares: Value, slots: int) -> Value:
    """Return what each expert gets: its slots fall into blocks as the batch does.

    Whom a position is sent to depends on the shares of all experts, which are read whole. It does not change a little
    with them, so that no gradient comes back.
    """
    inner = [None] * (len(x.dims) - 2)
    sent = Read(x, (BATCH, *inner, "features"), saved=False)
    reads = [sent, Read(shares, (BATCH, *inner, None), has_gradient=False)]
    output = [
        OutputDim("experts", spec.count, "experts"),
        OutputDim(BATCH, slots, "slots"),
        OutputDim("features", x.sizes[-1], "features"),
    ]
    return maker.operator("dispatch", reads, output, suffix="dispatch")


def _linear(maker: Maker, x: Value, features: int, suffix: str) -> Value:
    """Return a linear layer of every expert's slots, each expert's its own."""
    dims = (("experts", x.sizes[0]), ("out", features), ("in", x.sizes[-1]))
    weight = maker.parameter(f"{suffix}.weight", dims)
    reads = [Read(x, (*EXPERT, "in")), Read(weight, ("experts", "out", "in"))]
    output = [*kept(x.dims[:-1], EXPERT), OutputDim("out", features, "features")]
    return maker.operator("linear", reads, output, suffix=suffix, multiply_adds=prod(x.sizes) * features)


def _cheap(maker: Maker, kind: str, inputs: Sequence[Value], suffix: str) -> Value:
    names = inputs[0].names
    reads = [Read(one, names) for one in inputs]
    return maker.operator(kind, reads, kept(inputs[0].dims, names), suffix=suffix, is_cheap=True)


def _combine(maker: Maker, spec: ExpertsSpec, x: Value, shares: Value, made: Value) -> Value:
    """Return for each position the sum of what its experts say; which these are depends on the shares of all."""
    inner = [None] * (len(x.dims) - 2)
    names = passing(x.dims[:-1], ("experts", "features"))
    reads = [Read(made, ("experts", BATCH, "features")), Read(shares, (BATCH, *inner, None))]
    output = [*kept(x.dims[:-1], names), OutputDim("features", made.sizes[-1], "features")]
    work = prod(x.sizes[:-1]) * spec.top * made.sizes[-1]
    splits = (BATCH, "experts", "features")
    return maker.operator("combine", reads, output, splits=splits, multiply_adds=work)


KIND: Final = Kind("experts", "a mixture of experts", ExpertsSpec, _build)
