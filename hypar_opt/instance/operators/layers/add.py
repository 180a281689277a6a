"""Sums and products of tensors of one shape, element by element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.network_schema import EmptySpec
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import Read, kept, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.fields import Spec
    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


def _kind(kind: str, about: str, *, saved: bool) -> Kind:
    def build(maker: Maker, _: Spec, inputs: Sequence[Value]) -> Value:
        if len({one.sizes for one in inputs}) > 1:
            raise ShapeError(f"{kind} reads tensors of one shape, got {', '.join(map(str, inputs))}")
        names = passing(inputs[0].dims)
        reads = [Read(one, names, saved=saved) for one in inputs]
        return maker.operator(kind, reads, kept(inputs[0].dims, names), is_cheap=True)

    return Kind(kind, about, EmptySpec, build, least=2, most=None)


ADD: Final = _kind("add", "sum of two or more layers of one shape", saved=False)
MULTIPLY: Final = _kind("multiply", "product of two or more layers of one shape, element by element", saved=True)
