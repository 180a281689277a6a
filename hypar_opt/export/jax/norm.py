"""Normalisations: two sums over devices in each phase, or one."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.export.jax.written import WrittenKind, WrittenOperator, others, spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.export.jax.site import OperatorSite


def _over(site: OperatorSite) -> str:
    """Return the dimensions that are summed over."""
    (statistic,) = site.operator.statistics
    return str(tuple(place for place, dim in enumerate(site.operator.output.dims) if dim not in statistic.dims))


def _summed(site: OperatorSite) -> str:
    """Return the dimensions that are summed over, and of how many numbers that is, of all devices."""
    (statistic,) = site.operator.statistics
    output = site.operator.output
    sizes = site.graph.tensors[output.tensor].sizes
    count = prod(size for size, dim in zip(sizes, output.dims, strict=True) if dim not in statistic.dims)
    return f"{_over(site)}, {count}"


def _is_centred(site: OperatorSite) -> bool:
    return bool(site.fields.kind != "rms")


def _forward(one: WrittenOperator) -> None:
    site, name = one.site, one.output
    made = f"mean_and_scale({one.viewed()}, {_summed(site)}, {one.axes()}, {_is_centred(site)})"
    one.write_sums(one.phase, f"{name}_mean, {name}_scale = {made}")
    text = _plain(one)
    for place in range(1, len(site.operator.operands)):
        sign = "+" if site.operator.operands[place].is_added else "*"
        text += f" {sign} {spread(site, place, one.reads[place])}"
    one.writer.line(f"{name} = {text}")


def _plain(one: WrittenOperator) -> str:
    """Return what the operator reads with the mean 0 and the scale 1."""
    return f"({one.viewed()} - {one.output}_mean) * {one.output}_scale"


def _backward(one: WrittenOperator) -> None:
    site, name, error = one.site, one.output, one.error
    # of what is kept or was made anew: the operator's own output is neither
    one.writer.line(f"{name}_plain = {_plain(one)}")
    for place in range(1, len(site.operator.operands)):
        if place in one.gradients:
            text = error if site.operator.operands[place].is_added else f"({error} * {name}_plain)"
            one.writer.line(f"{one.gradients[place]} = {text}.sum({others(site, place)})")
    if 0 not in one.gradients:
        return
    scaled = f"{error} * {spread(site, 1, one.reads[1])}" if len(one.reads) > 1 else error
    arguments = f"{scaled}, {name}_plain, {name}_scale, {_summed(site)}, {one.axes()}, {_is_centred(site)}"
    one.write_sums("backward", f"{name}_off = unnormalised({arguments})")
    one.write_gradient(f"{name}_off")


def _whole(site: OperatorSite, reads: Sequence[str], output: str) -> Iterator[str]:
    x, over = site.read(0, reads[0]), _over(site)
    mean = f"{x}.mean({over}, keepdims=True)" if _is_centred(site) else "0.0"
    yield f"{output} = {x} - {mean}"
    yield f"{output} = {output} / jnp.sqrt(({output} ** 2).mean({over}, keepdims=True) + 1e-5)"
    for place in range(1, len(reads)):
        sign = "+" if site.operator.operands[place].is_added else "*"
        yield f"{output} = {output} {sign} {spread(site, place, reads[place])}"


KIND: Final = WrittenKind(_forward, _backward, lambda *given: tuple(_whole(*given)))
