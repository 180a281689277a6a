"""Products of two activations."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.network_schema import EmptySpec
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, kept, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.fields import Spec
    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


def _build(maker: Maker, spec: Spec, inputs: Sequence[Value]) -> Value:
    a, b = inputs
    if len(a.dims) < 3 or a.sizes[:-2] != b.sizes[:-2] or a.sizes[-1] != b.sizes[-2]:
        raise ShapeError(f"matmul reads [..., rows, inner] and [..., inner, columns], got {a} and {b}")
    *lead, rows = a.dims[:-1]
    names = passing((*lead, rows), ("in", "out"))
    columns = b.dims[-1]
    return maker.operator(
        "matmul",
        [Read(a, (*names, "in")), Read(b, (*names[:-1], "in", "out"))],
        [*kept((*lead, rows), names), OutputDim("out", columns.size, columns.name)],
        multiply_adds=prod(a.sizes) * columns.size,
    )


KIND: Final = Kind("matmul", "product of two layers over the last dimension of the first", EmptySpec, _build, 2, 2)
