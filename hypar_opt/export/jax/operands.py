"""What operators read: inputs as they are loaded, tensors converted to what is needed, rows of neighbours included."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import needed
from hypar_opt.evaluation.operators.plan import is_shared
from hypar_opt.export.jax.halos import SplitRows, split_rows
from hypar_opt.export.jax.tables import Row
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.evaluation.operators.program import Phase
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
    plain
        By operator and operand, its variable as it is needed, but for rows of neighbours.
    """

    writer: Writer
    lies: dict[str, tuple[str, Placement]] = field(default_factory=dict)
    read_already: dict[tuple[str, str, Placement], str] = field(default_factory=dict)
    gathered: set[tuple[str, int]] = field(default_factory=set)
    plain: dict[tuple[str, int], str] = field(default_factory=dict)

    def read(self, site: OperatorSite, place: int) -> str:
        """Return the variable of an operand as its operator needs it, rows of neighbours included."""
        writer, graph, operator = self.writer, self.writer.step.graph, site.operator
        operand = operator.operands[place]
        tensor = graph.tensors[operand.tensor]
        need = needed(operand, writer.step.plan.words[operator.name])
        if tensor.role == "input":
            rows = tuple(split_rows(site)) if place == 0 else ()
            if any(one.rows and one.fill != "0.0" for one in rows):
                raise Refusal(f"'{operator.name}' slides over parts of an input, '{tensor.name}', that are filled up")
            windows = tuple((one.dimension, f"{one.starts}, {one.length}, {one.fill}") for one in rows)
            high = _places(operator, tensor, graph.tensors)
            row = Row(tensor.name, tensor.sizes, need, writer.orders(tensor.name), high, windows)
            return f'inputs["{writer.input(row, operator.name)}"]'
        key = operator.name, tensor.name, need
        if key not in self.read_already:  # else the operator has it of another operand
            self.read_already[key] = self._converted(site, place, "forward")
        return self.read_already[key]

    def read_again(self, site: OperatorSite, place: int, after: str | None, *, runs_again: bool = False) -> str | None:
        """Return the variable of an operand that is converted for the backward phase, once more, if it is.

        Parameters
        ----------
        site, place
            The operand.
        after
            The variable of a gradient that is there before that, or None.
        runs_again
            Whether it is for the operator to run once more; what is gathered for that is there for both.
        """
        step, operator = self.writer.step, site.operator
        if self.is_gathered_again(site, place, runs_again):
            if (operator.name, place) in self.gathered:
                return None
            self.gathered.add((operator.name, place))
        elif runs_again or not step.plan.converts_again(step.graph, operator, place):
            return None
        # what the backward phase does not read is gathered to run once more alone
        phase: Phase = "backward" if operator.operands[place].saved else "recompute"
        return self._converted(site, place, phase, after, anew=True)

    def leading(self, operator: Operator) -> dict[int, int]:
        """Return by operand which one is decided for it: itself, or one of the same tensor that is needed alike.

        Those come first that the backward phase reads, and none before that which decides for it.
        """
        word = self.writer.step.plan.words[operator.name]
        leaders: dict[tuple[str, Placement], int] = {}
        order = sorted(range(len(operator.operands)), key=lambda place: (not operator.operands[place].saved, place))
        operands = [(place, operator.operands[place]) for place in order]
        return {place: leaders.setdefault((one.tensor, needed(one, word)), place) for place, one in operands}

    def is_gathered_again(self, site: OperatorSite, place: int, runs_again: bool) -> bool:
        """Return whether an operand is a parameter that lies in parts, and of which all is needed once more."""
        step, operator = self.writer.step, site.operator
        tensor = operator.operands[place].tensor
        is_own = tensor in self.writer.kept and not is_shared(step.graph, tensor)
        is_in_parts = is_own and step.plan.storage.get(operator.name) == "zero-3"
        return is_in_parts and (runs_again or operator.operands[place].saved)

    def read_once_more(self, site: OperatorSite, place: int) -> str:
        """Return the variable of an operand as its operator is given it in a second run."""
        return self._converted(site, place, "recompute")

    def widen(self, site: OperatorSite, place: int, name: str, phase: Phase, after: str | None = None) -> str:
        """Write how rows of neighbours are added to an operand, if its operator needs any, and return the variable.

        After a gradient that is to be there before, so that no compiler takes the rows that there were before that.
        """
        writer, operator = self.writer, site.operator
        tensor = operator.operands[place].tensor
        rows = tuple(split_rows(site)) if place == 0 else ()
        if not rows:
            return name
        into = f"{self._target(site, place)}_rows"
        if after is not None:
            writer.line(f"{into}, {after} = again(({name}, {after}))")
            name = into
        writer.line(f'with scope("{writer.scope(tensor, phase, operator.name)}"):')
        writer.line(f"{into} = widened({name}, {rows[0].fill}, {windows_of(writer, operator, rows)})", 2)
        return into

    def _target(self, site: OperatorSite, place: int) -> str:
        """Return the variable of an operand as its operator needs it, where that is not how it lies."""
        operator, names = site.operator, self.writer.names
        tensor = operator.operands[place].tensor
        several = sum(one.tensor == tensor for one in operator.operands) > 1
        return f"{names[tensor]}_in_{names[operator.output.tensor]}" + (f"_{place}" if several else "")

    def _converted(
        self, site: OperatorSite, place: int, phase: Phase, after: str | None = None, *, anew: bool = False
    ) -> str:
        """Write how an operand becomes what its operator needs, and return the variable."""
        writer, operator = self.writer, site.operator
        operand = operator.operands[place]
        name, have = self.lies[operand.tensor]
        # its gradient is converted in the backward phase, too
        scope = writer.scope(operand.tensor, phase, operator.name, "again" if phase == "backward" else "")
        need = needed(operand, writer.step.plan.words[operator.name])
        name = writer.convert(name, operand.tensor, have, need, scope, self._target(site, place), anew, after)
        self.plain[operator.name, place] = name
        return self.widen(site, place, name, phase, after)


def windows_of(writer: Writer, operator: Operator, rows: Iterable[SplitRows]) -> str:
    """Return what the functions of the runtime are told of rows that are split."""
    return ", ".join(
        f"({one.dimension}, {_axes(writer, operator, one)}, {one.starts}, {one.length}{one.behind})" for one in rows
    )


def _axes(writer: Writer, operator: Operator, rows: SplitRows) -> str:
    """Return the axes that split a dimension into rows, in the order of its parts."""
    word = writer.step.plan.words[operator.name]
    order = writer.orders(operator.operands[0].tensor)[rows.dimension]
    axes = [axis for axis in order if word[axis] == rows.name]
    return f"({writer.quoted(axes)}{',' if len(axes) == 1 else ''})"


def _places(operator: Operator, tensor: Tensor, tensors: Mapping[str, Tensor]) -> int | None:
    """Return how many places an input's numbers are of, where they are indices; of a mask, two."""
    if tensor.is_mask:
        return 2
    return tensors[operator.operands[1].tensor].sizes[0] if operator.kind == "embedding" else None
