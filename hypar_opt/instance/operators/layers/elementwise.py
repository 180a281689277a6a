"""Functions of every element by itself, or of elements that stand in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from hypar_opt.instance.element_functions import OPERANDS, SUMS, FunctionName
from hypar_opt.instance.fields import Given, Spec
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.network_schema import ActivationSpec, EmptySpec
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import Read, kept, passing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


class ElementwiseSpec(Spec):
    """A function of every element, or of those of several layers."""

    function: Annotated[FunctionName | None, Given] = Field(None, description="which function, where that is known")


def _activation(maker: Maker, _: Spec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    names = passing(x.dims)
    return maker.operator("activation", [Read(x, names)], kept(x.dims, names), is_cheap=True)


def _dropout(maker: Maker, _: Spec, inputs: Sequence[Value]) -> Value:
    (x,) = inputs
    names = passing(x.dims)
    mask = maker.mask(list(zip(names, x.sizes, strict=True)))
    reads = [Read(x, names, saved=False), Read(mask, names)]
    return maker.operator("dropout", reads, kept(x.dims, names), is_cheap=True)


def _elementwise(maker: Maker, spec: ElementwiseSpec, inputs: Sequence[Value]) -> Value:
    """Of several tensors, one whose dimension has the size 1 is the same along it, as NumPy has it."""
    least, most = OPERANDS.get(spec.function or "", (1, None))
    if not least <= len(inputs) <= (most or len(inputs)):
        expected = "one tensor" if most == 1 else f"{'two' if most else 'two or more'} tensors"
        raise ShapeError(f"{spec.function} reads {expected}, got {len(inputs)}", ("elementwise", "function"))
    sizes = tuple(max(column) for column in zip(*(one.sizes for one in inputs), strict=False))
    if any(len(one.sizes) != len(sizes) or not _spreads(one.sizes, sizes) for one in inputs):
        listed = ", ".join(map(str, inputs))
        raise ShapeError(f"elementwise reads tensors of one shape, in which sizes may be 1, got {listed}")
    lead = [next(one.dims[i] for one in inputs if one.sizes[i] == size) for i, size in enumerate(sizes)]
    names = passing(lead)
    saved = spec.function not in SUMS
    dims = (
        [name if n == size else None for name, n, size in zip(names, one.sizes, sizes, strict=True)] for one in inputs
    )
    reads = [Read(one, along, saved=saved) for one, along in zip(inputs, dims, strict=True)]
    return maker.operator("elementwise", reads, kept(lead, names), is_cheap=True)


def _spreads(sizes: Sequence[int], whole: Sequence[int]) -> bool:
    return all(n in (1, size) for n, size in zip(sizes, whole, strict=True))


ELEMENTWISE: Final = Kind(
    "elementwise", "a function of every element, or of those of several layers", ElementwiseSpec, _elementwise, 1, None
)
ACTIVATION: Final = Kind("activation", "an element-wise function", ActivationSpec, _activation)
DROPOUT: Final = Kind("dropout", "zeros in random places", EmptySpec, _dropout)
