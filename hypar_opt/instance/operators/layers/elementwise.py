"""Functions of every element by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.network_schema import EmptySpec
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import Read, kept, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.fields import Spec
    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


def _kind(kind: str, about: str) -> Kind:
    def build(maker: Maker, _: Spec, inputs: Sequence[Value]) -> Value:
        (x,) = inputs
        names = passing(x.dims)
        return maker.operator(kind, [Read(x, names)], kept(x.dims, names), is_cheap=True)

    return Kind(kind, about, EmptySpec, build)


ELEMENTWISE: Final = _kind("elementwise", "a function of every element")
ACTIVATION: Final = _kind("activation", "an element-wise function")
DROPOUT: Final = _kind("dropout", "zeros in random places")
