"""Softmax over a dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from hypar_opt.instance.fields import Given, Name, Spec
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.over import feature_position
from hypar_opt.instance.operators.layers.reading import Read, Sums, kept, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class SoftmaxSpec(Spec):
    """Softmax."""

    over: Annotated[Name | None, Given] = Field(
        None, description="the dimension over which it sums up to 1, the channels or the last one unless given"
    )


def _build(maker: Maker, spec: SoftmaxSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    names = passing(x.dims)
    mine = names[feature_position(x, spec.over, ("softmax", "over"))]
    left = tuple(name for name in names if name != mine)
    return maker.operator(
        "softmax",
        [Read(x, names, saved=False)],
        kept(x.dims, names),
        sums=[Sums(left, 2, 1)],  # largest and sum; product of output and its gradient
        is_cheap=True,
        saved_output=True,
    )


KIND: Final = Kind("softmax", "softmax over a dimension", SoftmaxSpec, _build)
