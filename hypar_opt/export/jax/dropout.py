"""Dropout, by a mask that is loaded: the same zeros however the plan splits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.export.jax.written import WrittenKind, WrittenOperator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.export.jax.site import OperatorSite

MASK: Final = 1
"""The operand that says what is left out."""


def _forward(one: WrittenOperator) -> None:
    one.writer.line(f"{one.output} = {one.viewed()} * {one.reads[MASK]} * 2")


def _backward(one: WrittenOperator) -> None:
    one.write_gradient(f"{one.error} * {one.reads[MASK]} * 2")


def _whole(site: OperatorSite, reads: Sequence[str], output: str) -> Sequence[str]:
    return (f"{output} = {site.read(0, reads[0])} * {reads[MASK]} * 2",)


KIND: Final = WrittenKind(_forward, _backward, _whole)
