"""What operators compute of parts that lie on one device: an expression of the operands, by kind of operator.

Of whole tensors the same expressions compute the whole. Operators that need other devices while they run are elsewhere.
"""

from __future__ import annotations

from string import ascii_letters
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.instance.operators.layers.windows import margins, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.export.jax.site import Site

Expression: TypeAlias = "Callable[[Site, Sequence[str]], str]"
"""From an operator and the names of its operands to what it computes."""


def _linear(site: Site, names: Sequence[str]) -> str:
    x, weight = site.read(0, names[0]), names[1]
    if len(site.graph.tensors[site.operator.operands[1].tensor].sizes) == 3:
        return f'jnp.einsum("xsi,xoi->xso", {x}, {weight})'
    is_turned = site.operator.operands[1].dims == ("in", "out")
    return f"{x} @ {weight}" if is_turned else f"{x} @ {weight}.T"


def _matmul(site: Site, names: Sequence[str]) -> str:
    return f"{site.read(0, names[0])} @ {site.read(1, names[1])}"


def _einsum(site: Site, names: Sequence[str]) -> str:
    from hypar_opt.instance.operators.layers.equation import parse

    equation = parse(site.fields.equation)
    letters = dict(zip(equation.dims, ascii_letters, strict=False))
    operands = ["".join(letters[dim] for dim in dims) for dims in equation.operands]
    text = f"{','.join(operands)}->{''.join(letters[dim] for dim in equation.output)}"
    reads = [site.read(place, names[place]) for place in range(len(operands))]
    return f'jnp.einsum("{text}", {", ".join(reads)})'


def _activation(site: Site, names: Sequence[str]) -> str:
    return f"jax.nn.relu({site.read(0, names[0])})"


def _elementwise(site: Site, names: Sequence[str]) -> str:
    return f"jnp.tanh({site.read(0, names[0])})"


def _joined(sign: str) -> Expression:
    def expression(site: Site, names: Sequence[str]) -> str:
        return f" {sign} ".join(site.read(place, name) for place, name in enumerate(names))

    return expression


def _learned(site: Site, names: Sequence[str]) -> str:
    return f"jnp.broadcast_to({names[0]}, {site.local_output()})"


def _part(site: Site, names: Sequence[str]) -> str:
    over = site.operator.operands[0]
    value = site.value(0)
    names_of = value.names
    position = names_of.index(site.fields.over)
    sizes = [site.graph.tensors[site.graph.operators[i].output.tensor].sizes[position] for i in site.layer.operators]
    first = sum(sizes[: [site.graph.operators[i].name for i in site.layer.operators].index(site.operator.name)])
    size = site.graph.tensors[site.operator.output.tensor].sizes[position]
    del over
    return f"lax.slice_in_dim({site.read(0, names[0])}, {first}, {first + size}, axis={position})"


def _concat(site: Site, names: Sequence[str]) -> str:
    value = site.value(0)
    over = value.features if site.fields.over is None else value.names.index(site.fields.over)
    reads = ", ".join(site.read(place, name) for place, name in enumerate(names))
    return f"jnp.concatenate([{reads}], axis={over})"


def _windowed(site: Site) -> tuple[tuple[int, ...], ...]:
    """Return kernel, strides, dilation of windows, and what is added to rows that a device has, before and after."""
    fields, count = site.fields, len(site.value(0).dims) - 2
    kind = site.operator.kind
    kernel = spread(fields.kernel, count, (kind, "kernel"))
    strides = kernel if fields.stride is None else spread(fields.stride, count, (kind, "stride"))
    dilation = spread(getattr(fields, "dilation", (1,)), count, (kind, "dilation"))
    return kernel, strides, dilation


def padding(site: Site) -> tuple[tuple[int, int], ...]:
    """Return what is added before and after each dimension, where a device has all of it; nothing where not."""
    operand, value = site.operator.operands[0], site.value(0)
    kernel, strides, dilation = _windowed(site)
    sides = margins(site.fields.pad, len(kernel), (site.operator.kind, "pad"))
    written = site.graph.tensors[site.operator.output.tensor].sizes[2:]
    found = []
    for place, (before, _) in enumerate(sides):
        dim = value.dims[2 + place]
        if site.parts_at(operand, dim.place) > 1:
            found.append((0, 0))
            continue
        span = dilation[place] * (kernel[place] - 1) + 1
        found.append((before, max(0, (written[place] - 1) * strides[place] + span - dim.size - before)))
    return tuple(found)


def _conv(site: Site, names: Sequence[str]) -> str:
    _, strides, dilation = _windowed(site)
    more = f", rhs_dilation={dilation}" if set(dilation) != {1} else ""
    groups = site.fields.groups // site.parts.get("groups", 1) if site.fields.groups > 1 else 1
    more += f", feature_group_count={groups}" if groups > 1 else ""
    layout = {1: '("NCH", "OIH", "NCH")', 2: '("NCHW", "OIHW", "NCHW")', 3: '("NCDHW", "OIDHW", "NCDHW")'}[len(strides)]
    x = site.read(0, names[0])
    return (
        f"lax.conv_general_dilated({x}, {names[1]}, {strides}, {padding(site)}, "
        f"dimension_numbers={layout}{more})"
    )


def _pool(site: Site, names: Sequence[str]) -> str:
    kernel, strides, _ = _windowed(site)
    x, sides = site.read(0, names[0]), ((0, 0), (0, 0), *padding(site))
    windows = f"{(1, 1, *kernel)}, {(1, 1, *strides)}, {sides}"
    if site.fields.kind == "max":
        return f"lax.reduce_window({x}, -jnp.inf, lax.max, {windows})"
    count = 1
    for size in kernel:
        count *= size
    return f"lax.reduce_window({x}, 0.0, lax.add, {windows}) / {count}"


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
        "pool": _pool,
    }
)
"""By an operator's kind; what is added to a partial sum, as a bias is, is not among the operands."""
