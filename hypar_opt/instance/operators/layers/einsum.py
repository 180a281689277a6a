"""Products and sums of any operands in named dimensions."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import AfterValidator, Field

from hypar_opt.instance.fields import Given, Size, Spec, refusal
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.equation import Equation, parse
from hypar_opt.instance.operators.layers.kind import Kind
from hypar_opt.instance.operators.layers.reading import OutputDim, Read
from hypar_opt.instance.operators.layers.value import BATCH
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.layers.maker import Maker
    from hypar_opt.instance.operators.layers.value import Value


def _parsed(text: str) -> str:
    try:
        parse(text)
    except ValueError as wrong:
        raise refusal(str(wrong)) from None
    return text


class EinsumSpec(Spec):
    """An einsum: the first operands are what the layer reads, the others its parameters."""

    equation: Annotated[str, Field(max_length=1000), AfterValidator(_parsed)] = Field(
        description="operands and output by their dimensions: 'batch sequence in, in out -> batch sequence out'"
    )
    sizes: Annotated[dict[str, Size] | None, Given] = Field(
        None, description="of the dimensions that only parameters have"
    )
    bias: bool = Field(
        False, description="whether trained numbers are added, one for each place of the parameters' own"
    )


def _build(maker: Maker, spec: EinsumSpec, inputs: Sequence[Value]) -> Value:
    equation = parse(spec.equation)
    sizes = _sizes(equation, spec.sizes or {}, inputs)
    reads = [Read(one, dims) for one, dims in zip(inputs, equation.operands, strict=False)]
    trained = equation.operands[len(inputs) :]
    for number, dims in enumerate(trained, start=1):
        suffix = "weight" if number == 1 else f"weight{number}"
        reads.append(Read(maker.parameter(suffix, [(name, sizes[name]) for name in dims]), dims))
    if spec.bias:
        of_parameters = {name for dims in trained for name in dims}
        dims = tuple(name for name in equation.output if name in of_parameters)
        if not dims:
            raise ShapeError("expected a parameter with a dimension of the output, got none", ("einsum", "bias"))
        bias = maker.parameter("bias", [(name, sizes[name]) for name in dims])
        reads.append(Read(bias, dims, saved=False, is_added=True))
    output = [OutputDim(name, sizes[name], name) for name in equation.output]
    needs_products = len(equation.operands) > 1
    work = prod(sizes[name] for name in equation.dims) if needs_products else 0
    return maker.operator("einsum", reads, output, splits=equation.dims, multiply_adds=work)


def _sizes(equation: Equation, given: Mapping[str, int], inputs: Sequence[Value]) -> Mapping[str, int]:
    """Return the size of every dimension; raise `ShapeError` where there is none, or two."""
    at = ("einsum", "equation")
    if len(inputs) > len(equation.operands):
        raise ShapeError(f"expected as many operands as are read, {len(inputs)} or more, got '{equation}'", at)
    sizes: dict[str, int] = {}
    for value, dims in zip(inputs, equation.operands, strict=False):
        if len(dims) != len(value.dims) or dims[0] != BATCH:
            raise ShapeError(f"expected batch and {len(value.dims) - 1} more for {value}, got '{' '.join(dims)}'", at)
        for name, dim in zip(dims, value.dims, strict=True):
            if sizes.setdefault(name, dim.size) != dim.size:
                raise ShapeError(f"expected one size of '{name}', got {sizes[name]} and {dim.size}", at)
    own = [name for name in equation.dims if name not in sizes]
    unknown = next((name for name in given if name not in own), None)
    if unknown is not None:
        hint = did_you_mean(unknown, own)
        expected = ", ".join(own) or "none"
        raise ShapeError(f"expected sizes of {expected}, got one of '{unknown}'{hint}", ("einsum", "sizes"))
    missing = next((name for name in own if name not in given), None)
    if missing is not None:
        raise ShapeError(f"expected the size of '{missing}', which no input has", ("einsum", "sizes"))
    return {**sizes, **given}


KIND: Final = Kind("einsum", "products and sums in named dimensions", EinsumSpec, _build, most=None)
