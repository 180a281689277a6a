"""What a plan runs once more in the backward phase, block by block, and before whose backward phase it does so."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.plan import is_shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph


@dataclass(frozen=True)
class SecondRun:
    """A block that runs once more, as far as its backward phase needs it.

    Parameters
    ----------
    numbers
        The positions of those operators that read or write a map inside of it, in order.
    inside
        The maps that are made anew.
    again
        The operators that run once more; the others are given what these make.
    """

    numbers: tuple[int, ...]
    inside: frozenset[str]
    again: frozenset[str]


def second_runs(graph: OperatorGraph, plan: OperatorPlan) -> Mapping[int, SecondRun]:
    """Return what runs once more, by the last of its operators, before whose backward phase it has to be done."""
    recomputed = plan.recomputed
    blocks: dict[int, set[str]] = defaultdict(set)
    for tensor, block in recomputed.inside.items():
        blocks[block].add(tensor)
    found: dict[int, SecondRun] = {}
    for inside in blocks.values():
        writers = {graph.writers[tensor] for tensor in inside}
        again = recomputed.again & {graph.operators[number].name for number in writers}
        if again:
            numbers = tuple(sorted(writers | {number for tensor in inside for number, _ in graph.readers[tensor]}))
            found[numbers[-1]] = SecondRun(numbers, frozenset(inside), again)
    return found


def is_given(graph: OperatorGraph, plan: OperatorPlan, run: SecondRun, operator: Operator, place: int) -> bool:
    """Return whether an operator of a block is given an operand anew: to run once more, or for its backward phase.

    What lies inside is made anew. What comes from outside is there, but for what others read, too, and of which the
    operator keeps no copy.
    """
    operand = operator.operands[place]
    keeps_none = plan.keeps_no_copy(graph, operator, place)
    if operand.tensor not in run.inside:
        return operator.name in run.again and keeps_none
    return operator.name in run.again or (operand.saved and not keeps_none)


def is_lying_anew(graph: OperatorGraph, plan: OperatorPlan, tensor: str) -> bool:
    """Return whether what several operators inside of a block read is brought once more to where it lies for them."""
    readers = ((graph.operators[number], place) for number, place in graph.readers[tensor])
    return is_shared(graph, tensor) and any(_is_wanted(plan, one, one.operands[place]) for one, place in readers)


def _is_wanted(plan: OperatorPlan, operator: Operator, operand: Operand) -> bool:
    return plan.recomputed.is_wanted(operator, operand)
