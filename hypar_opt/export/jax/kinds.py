"""How operators are written into a program: forward, and backward."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypar_opt.export.jax.expressions import LOCAL
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.export.jax.site import Site
    from hypar_opt.export.jax.writer import Writer


@dataclass
class Written:
    """An operator in a program.

    Parameters
    ----------
    writer
        What it is written into.
    site
        The operator.
    reads
        The variables of what it reads, by operand, as it needs them.
    output
        The variable of what it writes.
    error
        That of the output's gradient, as the operator needs it.
    gradients
        By operand that has a gradient, the variable of that.
    """

    writer: Writer
    site: Site
    reads: Sequence[str]
    output: str
    error: str = ""
    gradients: Mapping[int, str] = field(default_factory=dict)

    def without_added(self) -> tuple[int, ...]:
        """Return the operands that are not added to the output."""
        return tuple(place for place, one in enumerate(self.site.operator.operands) if not one.is_added)

    def function(self) -> str:
        """Return the name of the function of what lies on one device."""
        places = self.without_added()
        arguments = ["x", "y", "z"][: len(places)] if len(places) <= 3 else [f"x{place}" for place in places]
        operands = self.site.operator.operands
        trained = [self.writer.step.graph.tensors[operands[place].tensor].role == "parameter" for place in places]
        if sum(trained) == 1:
            arguments = ["w" if one else name for name, one in zip(arguments, trained, strict=True)]
        body = LOCAL[self.site.operator.kind](self.site, arguments)
        return self.writer.function(self.writer.names[self.site.operator.output.tensor], arguments, body)


def write_forward(one: Written) -> None:
    """Write an operator's forward phase."""
    operator, writer = one.site.operator, one.writer
    if operator.kind not in LOCAL:
        raise Refusal(f"'{operator.name}' is of a kind that is not exported yet: {operator.kind}")
    operands = ", ".join(one.reads[place] for place in one.without_added())
    writer.line(f"{one.output} = {one.function()}({operands})")
    for place, operand in enumerate(operator.operands):
        if operand.is_added:
            writer.line(f"{one.output} = {one.output} + {_added(one, place)}")


def write_backward(one: Written) -> None:
    """Write an operator's backward phase."""
    operator, writer = one.site.operator, one.writer
    places = one.without_added()
    wanted = [place for place in places if place in one.gradients]
    if wanted:
        operands = ", ".join(one.reads[place] for place in places)
        targets = ", ".join(one.gradients[place] for place in wanted) + ("," if len(wanted) == 1 else "")
        of = f"({', '.join(str(places.index(place)) for place in wanted)}{',' if len(wanted) == 1 else ''})"
        writer.line(f"{targets} = gradients({one.function()}, {one.error}, {operands}, of={of})")
    for place, operand in enumerate(operator.operands):
        if operand.is_added and place in one.gradients:
            over = tuple(i for i, dim in enumerate(operator.output.dims) if dim not in operand.dims)
            writer.line(f"{one.gradients[place]} = {one.error}.sum({over})")


def _added(one: Written, place: int) -> str:
    """Return what is added to the output, once where that is a partial sum."""
    from hypar_opt.evaluation.operators.placements import written

    operator, writer = one.site.operator, one.writer
    operand, name = operator.operands[place], one.reads[place]
    partial = writer.partial_axes(written(operator, writer.step.plan.words[operator.name]))
    if partial:
        name = f"keep({name}, {writer.quoted(partial)})"
    sizes = one.site.local_output()
    shape = tuple(size if dim in operand.dims else 1 for dim, size in zip(operator.output.dims, sizes, strict=True))
    return f"{name}.reshape({', '.join(map(str, shape))})" if len(shape) > 1 else name
