"""The same numbers over and over along dimensions of size 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.dimensions import Shape
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.over import position_of
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, passing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


def _build(maker: Maker, spec: Mapping[str, int], inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    made = {position_of(x, name, ("expand",)): size for name, size in spec.items()}
    for place in made:
        if x.sizes[place] != 1:
            raise ShapeError(f"expected dimensions of size 1, got {x.names[place]} of {x}", ("expand",))
    names = passing(x.dims)
    read = Read(x, [None if i in made else name for i, name in enumerate(names)], saved=False)
    output = [OutputDim(name, made.get(i, x.sizes[i]), x.names[i]) for i, name in enumerate(names)]
    return maker.operator("expand", [read], output, is_cheap=True)


KIND: Final = Kind("expand", "dimensions of size 1 made larger, names with sizes", Shape, _build)
