"""What operators read: inputs as they are loaded, tensors converted to what is needed, rows of neighbours included."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import needed
from hypar_opt.evaluation.operators.plan import is_shared
from hypar_opt.export.jax.halos import SplitRows, split_rows
from hypar_opt.export.jax.tables import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.jax.site import OperatorSite
    from hypar_opt.export.jax.writer import Writer
    from hypar_opt.instance.operators import Operator, Tensor


@dataclass
class Operands:
    """Of the operators of one step.

    Parameters
    ----------
    writer
        What takes the lines.
    lies
        By tensor that is there, its variable and where it lies.
    """

    writer: Writer
    lies: dict[str, tuple[str, Placement]] = field(default_factory=dict)
    read_already: dict[tuple[str, str, Placement], str] = field(default_factory=dict)

    def read(self, site: OperatorSite, place: int) -> str:
        """Return the variable of an operand as its operator needs it, rows of neighbours included."""
        writer, graph, operator = self.writer, self.writer.step.graph, site.operator
        operand = operator.operands[place]
        tensor = graph.tensors[operand.tensor]
        need = needed(operand, writer.step.plan.words[operator.name])
        if tensor.role == "input":
            rows = split_rows(site) if place == 0 else ()
            windows = tuple((one.dimension, f"{one.starts}, {one.length}, {one.fill}") for one in rows)
            high = _places(operator, graph.tensors)
            row = Row(tensor.name, tensor.sizes, need, writer.orders(tensor.name), high, windows)
            return f'inputs["{writer.input(row, operator.name)}"]'
        alike = self.read_already.get((operator.name, tensor.name, need))
        if alike is not None:  # the operator has it of another operand
            return alike
        name = self._converted(site, place, "forward")
        self.read_already[operator.name, tensor.name, need] = name
        return name

    def read_again(self, site: OperatorSite, place: int) -> str | None:
        """Return the variable of an operand that is converted once more for the backward phase, if it is."""
        step, operator = self.writer.step, site.operator
        tensor = operator.operands[place].tensor
        is_own = tensor in self.writer.kept and not is_shared(step.graph, tensor)
        in_parts = is_own and operator.operands[place].saved and step.plan.storage.get(operator.name) == "zero-3"
        if not in_parts and not step.plan.converts_again(step.graph, operator, place):
            return None
        return self._converted(site, place, "backward", anew=True)

    def _converted(self, site: OperatorSite, place: int, phase: str, *, anew: bool = False) -> str:
        """Write how an operand becomes what its operator needs, and return the variable."""
        writer, operator = self.writer, site.operator
        operand = operator.operands[place]
        tensor = writer.step.graph.tensors[operand.tensor]
        name, have = self.lies[tensor.name]
        several = sum(one.tensor == tensor.name for one in operator.operands) > 1
        into = f"{writer.names[tensor.name]}_in_{writer.names[operator.output.tensor]}"
        into += f"_{place}" if several else ""
        scope = writer.scope(tensor.name, phase, operator.name)
        need = needed(operand, writer.step.plan.words[operator.name])
        name = writer.convert(name, tensor.name, have, need, scope, into, anew)
        rows = tuple(split_rows(site)) if place == 0 else ()
        if not rows:
            return name
        writer.line(f'with scope("{scope}"):')
        writer.line(f"{into} = widened({name}, {rows[0].fill}, {windows_of(writer, operator, rows)})", 2)
        return into


def windows_of(writer: Writer, operator: Operator, rows: Iterable[SplitRows]) -> str:
    """Return what the functions of the runtime are told of rows that are split."""
    said = ((one, "".join(f", {runs}" for runs in (one.runs,) if runs)) for one in rows)
    return ", ".join(
        f"({one.dimension}, {_axes(writer, operator, one)}, {one.starts}, {one.length}{runs})" for one, runs in said
    )


def _axes(writer: Writer, operator: Operator, rows: SplitRows) -> str:
    """Return the axes that split a dimension into rows, in the order of its parts."""
    word = writer.step.plan.words[operator.name]
    order = writer.orders(operator.operands[0].tensor)[rows.dimension]
    axes = [axis for axis in order if word[axis] == rows.name]
    return f"({writer.quoted(axes)}{',' if len(axes) == 1 else ''})"


def _places(operator: Operator, tensors: Mapping[str, Tensor]) -> int | None:
    """Return how many places an input's numbers are of, where they are indices."""
    return tensors[operator.operands[1].tensor].sizes[0] if operator.kind == "embedding" else None
