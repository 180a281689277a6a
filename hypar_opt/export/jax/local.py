"""Operators that compute their part of what they write by themselves, without other devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import written
from hypar_opt.export.jax.expressions import LOCAL
from hypar_opt.export.jax.written import WrittenKind, WrittenOperator, others, spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.export.jax.site import OperatorSite
    from hypar_opt.instance.operators import Operator


def _factors(operator: Operator) -> tuple[int, ...]:
    """Return the operands that are not added to the output."""
    return tuple(place for place, one in enumerate(operator.operands) if not one.is_added)


def _function(one: WrittenOperator) -> str:
    """Return the name of the function of what lies on one device."""
    operator = one.site.operator
    places = _factors(operator)
    tensors = [one.writer.step.graph.tensors[operator.operands[place].tensor] for place in places]
    trained = [tensor.role == "parameter" for tensor in tensors]
    arguments = ["x", "y", "z"][: len(places)] if len(places) <= 3 else [f"x{place}" for place in places]
    if sum(trained) == 1:
        arguments = ["w" if one else name for name, one in zip(arguments, trained, strict=True)]
    return one.writer.function(one.name, arguments, LOCAL[operator.kind](one.site, arguments))


def _forward(one: WrittenOperator) -> None:
    operator, writer = one.site.operator, one.writer
    operands = ", ".join(one.reads[place] for place in _factors(operator))
    writer.line(f"{one.output} = {_function(one)}({operands})")
    partial = writer.partial_axes(written(operator, one.word))
    for place, operand in enumerate(operator.operands):
        if operand.is_added:  # once, where the output is a partial sum
            name = f"keep({one.reads[place]}, {writer.quoted(partial)})" if partial else one.reads[place]
            writer.line(f"{one.output} = {one.output} + {spread(one.site, place, name)}")


def _backward(one: WrittenOperator) -> None:
    operator, writer = one.site.operator, one.writer
    places = _factors(operator)
    wanted = [place for place in places if place in one.gradients]
    if wanted:
        operands = ", ".join(one.reads[place] for place in places)
        targets = ", ".join(one.gradients[place] for place in wanted)
        of = ", ".join(str(places.index(place)) for place in wanted)
        if _hands_on(one.site, wanted):
            for place in wanted:
                writer.same[one.gradients[place]] = one.error
            writer.line(f"{' = '.join(one.gradients[place] for place in wanted)} = {one.error}")
            return
        targets, of = (f"({targets},)", f"({of},)") if len(wanted) == 1 else (targets, f"({of})")
        writer.line(f"{targets} = gradients({_function(one)}, {one.error}, {operands}, of={of})")
    for place, operand in enumerate(operator.operands):
        if operand.is_added and place in one.gradients:
            writer.line(f"{one.gradients[place]} = {one.error}.sum({others(one.site, place)})")


def _hands_on(site: OperatorSite, wanted: Sequence[int]) -> bool:
    """Return whether the gradient of all that is read is the output's, as it is."""
    adds = site.operator.kind == "add" or (site.operator.kind == "elementwise" and site.fields.function == "add")
    read = [site.graph.tensors[site.operator.operands[place].tensor].sizes for place in wanted]
    written = site.graph.tensors[site.operator.output.tensor].sizes
    return adds and all(one == written for one in read) and all(site.read(place, "x") == "x" for place in wanted)


def _whole(site: OperatorSite, reads: Sequence[str], output: str) -> Iterator[str]:
    operator = site.operator
    yield f"{output} = {LOCAL[operator.kind](site, [reads[place] for place in _factors(operator)])}"
    for place, operand in enumerate(operator.operands):
        if operand.is_added:
            yield f"{output} = {output} + {spread(site, place, reads[place])}"


KIND: Final = WrittenKind(_forward, _backward, lambda *given: tuple(_whole(*given)))
