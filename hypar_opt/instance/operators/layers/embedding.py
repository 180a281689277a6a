"""Embeddings: a row of a table for each index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from hypar_opt.instance.fields import Size, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read, kept, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class EmbeddingSpec(Spec):
    """A table of trained rows, read by indices."""

    vocabulary: Size = Field(description="number of rows")
    features: Size = Field(description="numbers in a row")
    is_summed: bool = Field(
        False, alias="sum", description="whether rows are added up over the last dimension of the indices"
    )


def _build(maker: Maker, spec: EmbeddingSpec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    if not maker.is_input(x):
        raise ShapeError("embedding reads indices, which are an input of the network")
    if spec.is_summed and len(x.dims) < 2:
        raise ShapeError(f"expected indices with a dimension to sum over, got {x}", ("embedding", "sum"))
    names = passing(x.dims, ("vocabulary", "features"))
    table = maker.parameter("weight", (("vocabulary", spec.vocabulary), ("features", spec.features)))
    written = kept(x.dims, names)[: -1 if spec.is_summed else None]
    return maker.operator(
        "embedding",
        [Read(x, names), Read(table, ("vocabulary", "features"), saved=False)],
        [*written, OutputDim("features", spec.features, "features")],
    )


KIND: Final = Kind("embedding", "rows of a table by their indices", EmbeddingSpec, _build)
