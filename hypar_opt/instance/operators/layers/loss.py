"""The loss over classes: what training makes small."""

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


class LossSpec(Spec):
    """Cross entropy of classes."""

    over: Annotated[Name | None, Given] = Field(
        None, description="the dimension of the classes, the channels or the last one unless given"
    )


def _build(maker: Maker, spec: LossSpec, inputs: Sequence[Value]) -> None:
    """Where classes are split, largest and sum are shared, and the class that is right: the output's partial sum."""
    (x,) = inputs
    over = feature_position(x, spec.over, ("loss", "over"))
    left = [dim for i, dim in enumerate(x.dims) if i != over]
    names = passing(left, ("classes",))
    dims = [*names[:over], "classes", *names[over:]]
    maker.operator("loss", [Read(x, dims)], kept(left, names), sums=[Sums(tuple(names), 2, 0)], is_last=True)


KIND: Final = Kind("loss", "the loss over classes, which nothing reads", LossSpec, _build)
