"""Where a compiler is told that a tensor lies: on both sides of each conversion of a plan, and of its gradient's.

No sharding says partial sums, so what is written in these is told to lie as it does behind their reduction, which is
as the conversion's other side needs it where that takes no more than slices, and otherwise whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.operators.placements import WHOLE, needed, produced, written
from hypar_opt.evaluation.operators.plan import is_shared, shared_placement

if TYPE_CHECKING:
    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.planned import PlannedStep
    from hypar_opt.instance.operators import Operand, Operator

Constraint: TypeAlias = "tuple[Placement, Placement | None]"
"""Where a tensor is to lie, and its gradient, if it has one."""


def complete(placement: Placement) -> Placement:
    """Return a placement with all partial sums added up for every device."""
    return tuple(WHOLE if entry.is_partial else entry for entry in placement)


def reduced(have: Placement, need: Placement) -> Placement:
    """Return how a tensor lies behind the reduction of its partial sums, on its way from a placement to another.

    What is not split is split as it is needed, along dimensions that are not split yet.
    """
    if not any(entry.is_partial for entry in have):
        return have
    split = {entry.position for entry in have if entry.position is not None}
    return tuple(
        one if one.position is not None else WHOLE if other.position in split else other
        for one, other in zip(have, complete(need), strict=True)
    )


@dataclass(frozen=True, eq=False)
class Constraints:
    """The constraints of a step's plan, in the order in which a program states them.

    Parameters
    ----------
    step
        Whose.
    """

    step: PlannedStep

    def of_read(self, operator: Operator, operand: Operand) -> tuple[Constraint, ...]:
        """Return those between where a tensor lies, or was written, and an operator that reads it."""
        graph, word = self.step.graph, self.step.plan.words[operator.name]
        need, tensor = needed(operand, word), graph.tensors[operand.tensor]
        if not graph.has_gradient(operand):
            return ((need, None),)
        made = produced(operator, operand, word)
        if is_shared(graph, tensor.name):
            lies, added = self.shared(tensor.name)
            assert added is not None  # it has a gradient
            return (lies, added), (need, reduced(made, added))
        if tensor.role == "parameter":
            return ((need, complete(made)),)
        writer = graph.operators[graph.writers[tensor.name]]
        return ((need, reduced(made, needed(writer.output, self.step.plan.words[writer.name]))),)

    def of_written(self, operator: Operator) -> tuple[Constraint, ...]:
        """Return those between an operator and where what it writes lies, or what the one that reads it is told."""
        graph, plan = self.step.graph, self.step.plan
        output = operator.output
        have, wanted = written(operator, plan.words[operator.name]), needed(output, plan.words[operator.name])
        tensor, readers = graph.tensors[output.tensor], graph.readers[output.tensor]
        back = wanted if tensor.has_gradient else None
        if is_shared(graph, tensor.name):
            lies, added = self.shared(tensor.name)
            return (reduced(have, lies), back), (lies, added)
        if not readers:
            return ((complete(have), back),)
        reader, place = graph.operators[readers[0][0]], readers[0][1]
        return ((reduced(have, needed(reader.operands[place], plan.words[reader.name])), back),)

    def shared(self, tensor: str) -> Constraint:
        """Return where a tensor lies that several read, and where its gradient is added up."""
        lies, added = self.step.plan.shared[tensor]
        graph = self.step.graph
        gradient = complete(shared_placement(graph, tensor, added)) if added else None
        return shared_placement(graph, tensor, lies), gradient
