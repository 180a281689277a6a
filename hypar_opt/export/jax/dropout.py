"""Dropout, by a mask that is loaded: the same zeros however the plan splits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import needed
from hypar_opt.export.jax.tables import Row
from hypar_opt.export.jax.written import WrittenKind, WrittenOperator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.export.jax.site import OperatorSite


def _mask(one: WrittenOperator) -> str:
    writer, output = one.writer, one.site.operator.output
    sizes = writer.step.graph.tensors[output.tensor].sizes
    row = Row(f"{output.tensor}:mask", sizes, needed(output, one.word), writer.orders(output.tensor), 2)
    return f'inputs["{writer.input(row, output.tensor)}"]'


def _forward(one: WrittenOperator) -> None:
    one.writer.line(f"{one.output} = {one.viewed()} * {_mask(one)} * 2")


def _backward(one: WrittenOperator) -> None:
    one.write_gradient(f"{one.error} * {_mask(one)} * 2")


def _whole(site: OperatorSite, reads: Sequence[str], output: str) -> Sequence[str]:
    mask = f'inputs["{site.operator.output.tensor}:mask"]'
    return (f"{output} = {site.read(0, reads[0])} * {mask} * 2",)


KIND: Final = WrittenKind(_forward, _backward, _whole)
