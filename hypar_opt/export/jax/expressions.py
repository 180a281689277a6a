"""What operators compute of parts that lie on one device: an expression of the operands, by kind of operator.

Of whole tensors the same expressions compute the whole. Operators that need other devices while they run are elsewhere.
"""

from __future__ import annotations

from math import prod
from string import ascii_letters
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.export.jax.functions import activation, combined
from hypar_opt.export.jax.halos import padding, sliding, transposed_padding
from hypar_opt.instance.operators.layers.windows import spread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.export.jax.site import OperatorSite

Expression: TypeAlias = "Callable[[OperatorSite, Sequence[str]], str]"
"""From an operator and the names of its operands to what it computes."""


def _linear(site: OperatorSite, names: Sequence[str]) -> str:
    x, weight = site.read(0, names[0]), names[1]
    if len(site.graph.tensors[site.operator.operands[1].tensor].sizes) == 3:
        return f'jnp.einsum("xsi,xoi->xso", {x}, {weight})'
    is_turned = site.operator.operands[1].dims == ("in", "out")
    return f"{x} @ {weight}" if is_turned else f"{x} @ {weight}.T"


def _matmul(site: OperatorSite, names: Sequence[str]) -> str:
    return f"{site.read(0, names[0])} @ {site.read(1, names[1])}"


def _einsum(site: OperatorSite, names: Sequence[str]) -> str:
    from hypar_opt.instance.operators.layers.equation import parse

    equation = parse(site.fields.equation)
    letters = dict(zip(equation.dims, ascii_letters, strict=False))
    operands = ["".join(letters[dim] for dim in dims) for dims in equation.operands]
    text = f"{','.join(operands)}->{''.join(letters[dim] for dim in equation.output)}"
    reads = [site.read(place, names[place]) for place in range(len(operands))]
    return f'jnp.einsum("{text}", {", ".join(reads)})'


def _activation(site: OperatorSite, names: Sequence[str]) -> str:
    # experts say it under a name of their own
    kind = site.fields.activation if site.layer.kind == "experts" else site.fields.kind
    return activation(kind, site.read(0, names[0]))


def _elementwise(site: OperatorSite, names: Sequence[str]) -> str:
    return combined(site.fields.function, [site.read(place, name) for place, name in enumerate(names)])


def _joined(sign: str) -> Expression:
    def expression(site: OperatorSite, names: Sequence[str]) -> str:
        return f" {sign} ".join(site.read(place, name) for place, name in enumerate(names))

    return expression


def _learned(site: OperatorSite, names: Sequence[str]) -> str:
    return f"jnp.broadcast_to({names[0]}, {site.local_output()})"


def _part(site: OperatorSite, names: Sequence[str]) -> str:
    position = site.value(0).names.index(site.fields.over)
    outputs = [site.graph.operators[number].output.tensor for number in site.layer.operators]
    sizes = [site.graph.tensors[name].sizes[position] for name in outputs]
    here = outputs.index(site.operator.output.tensor)
    first, size = sum(sizes[:here]), sizes[here]
    return f"lax.slice_in_dim({site.read(0, names[0])}, {first}, {first + size}, axis={position})"


def _concat(site: OperatorSite, names: Sequence[str]) -> str:
    value = site.value(0)
    over = value.features if site.fields.over is None else value.names.index(site.fields.over)
    reads = ", ".join(site.read(place, name) for place, name in enumerate(names))
    return f"jnp.concatenate([{reads}], axis={over})"


def _conv(site: OperatorSite, names: Sequence[str]) -> str:
    windows = sliding(site)
    return _convolved(site, names, f"{windows.strides}, {padding(site)}")


def _transposed_conv(site: OperatorSite, names: Sequence[str]) -> str:
    windows = sliding(site)
    steps = f"{(1,) * len(windows.kernel)}, {transposed_padding(site)}, lhs_dilation={windows.strides}"
    return _convolved(site, names, steps)


def _convolved(site: OperatorSite, names: Sequence[str], steps: str) -> str:
    dilation, fields = sliding(site).dilation, site.fields
    more = f", rhs_dilation={dilation}" if set(dilation) != {1} else ""
    groups = fields.groups // site.parts.get("groups", 1)
    more += f", feature_group_count={groups}" if groups > 1 else ""
    axes = "DHW"[-len(dilation) :]
    layout = f'dimension_numbers=("NC{axes}", "OI{axes}", "NC{axes}")'
    return f"lax.conv_general_dilated({site.read(0, names[0])}, {names[1]}, {steps}, {layout}{more})"


def _pool(site: OperatorSite, names: Sequence[str]) -> str:
    windows = sliding(site)
    x, sides = site.read(0, names[0]), ((0, 0), (0, 0), *padding(site))
    slid = f"{(1, 1, *windows.kernel)}, {(1, 1, *windows.strides)}, {sides}"
    if site.fields.kind == "max":
        return f"lax.reduce_window({x}, -jnp.inf, lax.max, {slid})"
    return f"lax.reduce_window({x}, 0.0, lax.add, {slid}) / {prod(windows.kernel)}"


def _global_pool(site: OperatorSite, names: Sequence[str]) -> str:
    x, value = site.read(0, names[0]), site.value(0)
    over = tuple(range(2, len(value.dims)))
    if site.fields.kind == "avg":
        return f"{x}.sum({over}) / {prod(value.sizes[2:])}"
    return f"{x}.max({over})"


def _upsample(site: OperatorSite, names: Sequence[str]) -> str:
    x, dims = site.read(0, names[0]), site.value(0).dims[2:]
    factors = spread(site.fields.factor, len(dims), ("upsample", "factor"))
    if site.fields.kind == "nearest":
        return x + "".join(f".repeat({factor}, {2 + place})" for place, factor in enumerate(factors))
    operand = site.operator.operands[0]
    for place, (dim, factor) in enumerate(zip(dims, factors, strict=True), start=2):
        parts = site.parts_at(operand, dim.place)
        name = None if dim.place is None else operand.dims[dim.place]
        where = f", {parts}{site.behind(name)}" if parts > 1 and name is not None else ""
        x = f"upsampled({x}, {place}, {factor}{where})" if factor > 1 else x
    return x


def _expand(site: OperatorSite, names: Sequence[str]) -> str:
    return f"jnp.broadcast_to({site.read(0, names[0])}, {site.local_output()})"


def _embedding(site: OperatorSite, names: Sequence[str]) -> str:
    size = site.graph.tensors[site.operator.operands[1].tensor].sizes[0]
    summed = ".sum(-2)" if site.fields.is_summed else ""
    return f"rows_of({names[1]}, {site.read(0, names[0])}, {size}{site.behind('vocabulary')}){summed}"


def _attention(site: OperatorSite, names: Sequence[str]) -> str:
    fields = site.fields
    q, k, _ = (site.value(place) for place in range(3))
    width, groups = q.sizes[-1] // fields.heads, fields.heads // (fields.key_heads or fields.heads)
    reads = ", ".join(site.read(place, names[place]) for place in range(3))
    more = ""
    if fields.causal:
        queries = q.sizes[-2]
        places = f"positions({queries}{site.behind('sequence')})"
        more = f", causal={1 + k.sizes[-2] - queries}, places={places}"
    return f"attention({reads}, {width}, {groups}{more})"


LOCAL: Final[Mapping[str, Expression]] = MappingProxyType(
    {
        "linear": _linear,
        "matmul": _matmul,
        "einsum": _einsum,
        "activation": _activation,
        "elementwise": _elementwise,
        "add": _joined("+"),
        "multiply": _joined("*"),
        "learned": _learned,
        "split": _part,
        "concat": _concat,
        "conv": _conv,
        "transposed_conv": _transposed_conv,
        "pool": _pool,
        "global_pool": _global_pool,
        "upsample": _upsample,
        "expand": _expand,
        "embedding": _embedding,
        "attention": _attention,
    }
)
"""By an operator's kind; what is added to a partial sum, as a bias is, is not among the operands."""
