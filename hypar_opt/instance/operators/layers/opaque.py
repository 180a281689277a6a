"""What is not known by its dimensions: read whole, written whole, split along nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from hypar_opt.instance.fields import Given, Name, Spec
from hypar_opt.instance.limits import LARGEST_SIZE
from hypar_opt.instance.operators.layers.dimensions import Shape
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read
from hypar_opt.instance.operators.layers.value import BATCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class OpaqueSpec(Spec):
    """An operator of which only the sizes are known."""

    shape: Shape = Field(description="sizes by names of what it writes, without the batch")
    parameters: Annotated[int, Field(ge=0, le=LARGEST_SIZE)] = Field(0, description="how many numbers are trained")
    operator: Annotated[Name | None, Given] = Field(None, description="what it is called where it comes from")


def _build(maker: Maker, spec: OpaqueSpec, inputs: Sequence[Value]) -> Value:
    reads = [Read(one, [None] * len(one.dims)) for one in inputs]
    if spec.parameters:
        reads.append(Read(maker.parameter("weight", [("weight", spec.parameters)]), [None], is_factor=False))
    output = [OutputDim(BATCH, maker.graph.batch, BATCH), *(OutputDim(name, n, name) for name, n in spec.shape.items())]
    return maker.operator("opaque", reads, output, splits=(), is_cheap=True)


KIND: Final = Kind("opaque", "an operator known by its sizes alone, computed whole", OpaqueSpec, _build, 1, None)
