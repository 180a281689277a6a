"""Cross entropy of classes: each position's loss, and at once the gradient of what it reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import needed
from hypar_opt.export.jax.tables import Row
from hypar_opt.export.jax.written import WrittenKind, WrittenOperator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.export.jax.site import OperatorSite


def _over(site: OperatorSite) -> tuple[int, int, str]:
    """Return where the classes stand, how many there are, and what the operator calls them."""
    operator, value = site.operator, site.value(0)
    left = set(operator.output.dims)
    place, name = next((i, dim) for i, dim in enumerate(_names(site)) if dim not in left)
    return place, value.sizes[place], name


def _names(site: OperatorSite) -> tuple[str, ...]:
    """Return what the operator calls the dimensions of what it sees."""
    left = [dim for dim in site.operator.output.dims if dim is not None]
    value = site.value(0)
    over = value.features if site.fields.over is None else value.names.index(site.fields.over)
    return (*left[:over], "classes", *left[over:])


def _forward(one: WrittenOperator) -> None:
    site, writer = one.site, one.writer
    operator = site.operator
    output = operator.output.tensor
    tensor = writer.step.graph.tensors[output]
    place, count, name = _over(site)
    row = Row(f"{output}:classes", tensor.sizes, needed(operator.output, one.word), writer.orders(output), count)
    classes = f'inputs["{writer.input(row, output)}"]'
    places = f"positions({count}{site.behind(name)})"
    made = f"cross_entropy({site.lowest(name, place, one.viewed())}, {classes}, {place}, {one.axes()}, {places})"
    one.write_sums(one.phase, f"{one.output}, {one.output}_off = {made}")


def _backward(one: WrittenOperator) -> None:
    count = one.writer.step.graph.tensors[one.site.operator.output.tensor].elements
    one.write_gradient(f"{one.output}_off / {count}")


def _whole(site: OperatorSite, reads: Sequence[str], output: str) -> Sequence[str]:
    place, _, _ = _over(site)
    name = site.operator.output.tensor
    classes = f'jnp.expand_dims(inputs["{name}:classes"], {place})'
    return (
        f"{output} = jax.nn.log_softmax({site.read(0, reads[0])}, {place})",
        f"loss -= jnp.take_along_axis({output}, {classes}, {place}).mean()",
    )


KIND: Final = WrittenKind(_forward, _backward, _whole)
