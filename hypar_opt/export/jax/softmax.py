"""Softmax over a dimension: largest and sum over devices, and one sum backward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.export.jax.written import WrittenKind, WrittenOperator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.export.jax.site import OperatorSite


def _over(site: OperatorSite) -> int:
    (statistic,) = site.operator.statistics
    return next(place for place, dim in enumerate(site.operator.output.dims) if dim not in statistic.dims)


def _forward(one: WrittenOperator) -> None:
    place = _over(one.site)
    x = one.site.lowest(one.site.operator.output.dims[place] or "", place, one.viewed())
    one.write_sums(one.phase, f"{one.output} = softmax({x}, {place}, {one.axes()})")


def _backward(one: WrittenOperator) -> None:
    made = f"unsoftmax({one.error}, {one.output}, {_over(one.site)}, {one.axes()})"
    one.write_sums("backward", f"{one.name}_off = {made}")
    one.write_gradient(f"{one.name}_off")


def _whole(site: OperatorSite, reads: Sequence[str], output: str) -> Sequence[str]:
    return (f"{output} = jax.nn.softmax({site.read(0, reads[0])}, {_over(site)})",)


KIND: Final = WrittenKind(_forward, _backward, _whole)
