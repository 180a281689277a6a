"""Means of all positions, and the largest of all: that is no sum, so that devices ask each other for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import written
from hypar_opt.export.jax import local
from hypar_opt.export.jax.written import WrittenKind, WrittenOperator
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.operators.program import Phase
    from hypar_opt.export.jax.site import OperatorSite


def _asks(one: WrittenOperator) -> str:
    """Return the axes along which the largest is looked for, slowest first, as an argument; empty of means."""
    site = one.site
    axes = one.writer.partial_axes(written(site.operator, one.word))
    if site.fields.kind == "max" and site.filled_up(site.operator.operands[0]):
        raise Refusal(f"'{site.operator.name}' looks for the largest of parts that are filled up; no program does")
    return one.writer.quoted(axes) if one.site.fields.kind == "max" and axes else ""


def _over(site: OperatorSite) -> str:
    return str(tuple(range(2, len(site.value(0).dims))))


def _line(one: WrittenOperator, phase: Phase, line: str) -> None:
    name = one.site.operator.name
    one.writer.line(f'with scope("{one.writer.scope(f"{name}:statistic", phase, name)}"):')
    one.writer.line(line, 2)


def _forward(one: WrittenOperator) -> None:
    axes = _asks(one)
    if not axes:
        local.KIND.forward(one)
        return
    _line(one, one.phase, f"{one.output}_most = lax.pmax({one.viewed()}.max({_over(one.site)}), ({axes},))")
    one.writer.line(f"{one.output} = keep({one.output}_most, {axes})")


def _backward(one: WrittenOperator) -> None:
    axes = _asks(one)
    if not axes:
        local.KIND.backward(one)
        return
    arguments = f"{one.error}, {one.viewed()}, {one.output}_most, {_over(one.site)}, ({axes},)"
    _line(one, "backward", f"{one.output}_off = of_the_largest({arguments})")
    one.write_gradient(f"{one.output}_off")


def _whole(site: OperatorSite, reads: Sequence[str], output: str) -> Sequence[str]:
    return local.KIND.whole(site, reads, output)


KIND: Final = WrittenKind(_forward, _backward, _whole)
