"""Trained numbers that are the same for every sample, as position embeddings and class tokens are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.operators.layers.dimensions import Shape
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read
from hypar_opt.instance.operators.layers.value import BATCH

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


def _build(maker: Maker, spec: Mapping[str, int], _: Sequence[Value]) -> Value:
    weight = maker.parameter("weight", tuple(spec.items()))
    output = [OutputDim(BATCH, maker.graph.batch, BATCH), *(OutputDim(name, size, name) for name, size in spec.items())]
    return maker.operator("learned", [Read(weight, tuple(spec), saved=False)], output, is_cheap=True)


KIND: Final = Kind("learned", "trained numbers, the same for every sample; names with sizes", Shape, _build, 0, 0)
