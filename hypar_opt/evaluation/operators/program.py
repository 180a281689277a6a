"""The conversions of a training step: from where each tensor lies to where it is needed, by a plan's words."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.operators.conversion import PART
from hypar_opt.evaluation.operators.placements import (
    NONE,
    PARTIAL,
    WHOLE,
    AxisPlacement,
    Placement,
    needed,
    produced,
    written,
)
from hypar_opt.evaluation.operators.plan import OperatorPlan, is_shared, readers_that_keep_first, shared_placement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Statistic, Tensor

Phase: TypeAlias = Literal["forward", "recompute", "backward", "update"]
"""Of a training step. What the backward phase runs once more of the forward phase is `recompute`; all that is done to
gradients of parameters, and to what is updated with them, is `update`."""
PHASES: Final[tuple[Phase, ...]] = ("forward", "recompute", "backward", "update")
"""In order."""


@dataclass(frozen=True)
class Conversion:
    """A tensor's way from where it lies to where it is needed.

    Parameters
    ----------
    tensor, size, shape
        Its name, its bytes, and its dimensions' sizes.
    phase, reader
        When, and for whom.
    have, need
        From where to where.
    """

    tensor: str
    size: int
    shape: tuple[int, ...]
    phase: Phase
    reader: str | None
    have: Placement
    need: Placement


@dataclass(frozen=True)
class Surroundings:
    """What a choice has to do with.

    Parameters
    ----------
    tensors
        That are converted according to it.
    operators
        Whose sums and halos depend on it.
    """

    tensors: frozenset[str]
    operators: frozenset[str] = frozenset()


def surroundings(graph: OperatorGraph, operator: Operator) -> Surroundings:
    """Return what an operator's word has to do with: all that it reads and writes."""
    touched = (*operator.operands, operator.output)
    return Surroundings(frozenset(one.tensor for one in touched), frozenset((operator.name,)))


def conversions(graph: OperatorGraph, plan: OperatorPlan, only: Surroundings | None = None) -> Iterator[Conversion]:
    """Yield every conversion of a training step, those included that move nothing.

    Parameters
    ----------
    graph, plan
        Which plan of what; one without faults.
    only
        Which tensors, and whose sums; all unless told.
    """
    for name, tensor in graph.tensors.items():
        if tensor.role == "input" or (only is not None and name not in only.tensors):
            continue  # every device loads what it needs
        if is_shared(graph, name):
            yield from _of_shared(graph, tensor, plan)
        elif tensor.role == "parameter":
            yield from _of_parameter(graph, tensor, plan)
        elif name in graph.writers:
            yield from _of_activation(graph, tensor, plan)
    for operator in graph.operators:
        if only is not None and operator.name not in only.operators:
            continue
        for statistic in operator.statistics:
            yield from _of_statistic(operator, statistic, plan)


def _of_activation(graph: OperatorGraph, tensor: Tensor, plan: OperatorPlan) -> Iterator[Conversion]:
    """Yield what happens to what one operator writes and at most one reads."""
    writer = graph.operators[graph.writers[tensor.name]]
    have = written(writer, plan.words[writer.name])
    if not graph.readers[tensor.name]:
        summed = tuple(WHOLE if entry.is_partial else entry for entry in have)
        yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "forward", None, have, summed)
        return
    (reader, operand), *_ = _readers(graph, tensor)
    word = plan.words[reader.name]
    need = needed(operand, word)
    yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "forward", reader.name, have, need)
    if tensor.name in plan.recomputed.inside and plan.recomputed.is_wanted(reader, operand):
        yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "recompute", reader.name, have, need)
    if graph.has_gradient(operand):
        back = needed(writer.output, plan.words[writer.name])
        made = produced(reader, operand, word)
        yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "backward", reader.name, made, back)


def _of_shared(graph: OperatorGraph, tensor: Tensor, plan: OperatorPlan) -> Iterator[Conversion]:
    """Yield what happens to what several read: it lies somewhere in between, and so do the sums of its gradients."""
    words = plan.shared[tensor.name]
    stored = shared_placement(graph, tensor.name, words[0])
    home = stored
    if tensor.name in graph.writers:
        writer = graph.operators[graph.writers[tensor.name]]
        home = needed(writer.output, plan.words[writer.name])
        have = written(writer, plan.words[writer.name])
        yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "forward", None, have, stored)
        wanted = any(plan.recomputed.is_wanted(reader, operand) for reader, operand in _readers(graph, tensor))
        if wanted and tensor.name in plan.recomputed.inside:
            yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "recompute", None, have, stored)
    there, again = set[tuple[int, Placement]](), set[tuple[int, Placement]]()
    for number, place in graph.readers[tensor.name]:
        reader = graph.operators[number]
        need = needed(reader.operands[place], plan.words[reader.name])
        if (number, need) not in there:  # else the operator has it of another operand
            yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "forward", reader.name, stored, need)
        there.add((number, need))
    for number, place in readers_that_keep_first(graph, tensor.name):
        reader = graph.operators[number]
        need = needed(reader.operands[place], plan.words[reader.name])
        if (number, need) in again:
            continue
        again.add((number, need))
        if _converts_to_run_again(graph, reader, place, plan):
            yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "recompute", reader.name, stored, need)
        if plan.converts_again(graph, reader, place):
            yield Conversion(tensor.name, tensor.bytes, tensor.sizes, "backward", reader.name, stored, need)
    if tensor.has_gradient:
        phase: Phase = "update" if tensor.role == "parameter" else "backward"
        summed = shared_placement(graph, tensor.name, words[1])
        if plan.emitted is not None:  # no sharding says that sums stay partial
            summed = tuple(WHOLE if entry.is_partial else entry for entry in summed)
        added = set[tuple[str, Placement]]()
        for reader, operand in _readers(graph, tensor):
            if not operand.has_gradient:
                continue
            made = produced(reader, operand, plan.words[reader.name])
            if (reader.name, made) not in added:  # what one operator makes alike is added up on each device
                yield Conversion(tensor.name, tensor.bytes, tensor.sizes, phase, reader.name, made, summed)
            added.add((reader.name, made))
        yield Conversion(tensor.name, tensor.bytes, tensor.sizes, phase, None, summed, home)


def _converts_to_run_again(graph: OperatorGraph, reader: Operator, place: int, plan: OperatorPlan) -> bool:
    """Return whether what several read is converted for one of them while blocks are run once more.

    What lies inside of a block is made anew, and converted for who runs once more and for who keeps a copy until its
    backward phase. What comes from outside lies there, also as a copy where the reader has kept one.
    """
    operand, recomputed = reader.operands[place], plan.recomputed
    if graph.tensors[operand.tensor].role == "parameter":
        return False  # gathered for the backward phase anyway
    alone = plan.keeps_no_copy(graph, reader, place)
    if operand.tensor in recomputed.inside:
        return reader.name in recomputed.again or (operand.saved and not alone)
    return reader.name in recomputed.again and alone


def _of_parameter(graph: OperatorGraph, tensor: Tensor, plan: OperatorPlan) -> Iterator[Conversion]:
    """Yield what happens to an operator's own parameter: its gradient is summed up, in parts where it lies in parts."""
    for reader, operand in _readers(graph, tensor):
        if not tensor.has_gradient:
            return
        word = plan.words[reader.name]
        used = needed(operand, word)
        made = produced(reader, operand, word)
        parts = tuple(PART if entry.is_partial else there for entry, there in zip(made, used, strict=True))
        behind: tuple[Phase, ...] = ()  # what is gathered to run once more serves the backward phase, too
        if plan.recomputed.is_wanted(reader, operand):
            behind = ("backward",) if operand.saved else ("recompute",)
        gathers = tuple((phase, parts, used) for phase in ("forward", *behind))
        steps: dict[str, tuple[tuple[Phase, Placement, Placement], ...]] = {
            "replicated": (("update", made, used),),
            "zero-1": (("update", made, parts), ("update", parts, used)),
            "zero-2": (("update", made, parts), ("update", parts, used)),
            "zero-3": (*gathers, ("update", made, parts)),
        }
        for phase, have, need in steps[plan.storage.get(reader.name, "replicated")]:
            yield Conversion(tensor.name, tensor.bytes, tensor.sizes, phase, reader.name, have, need)


def _of_statistic(operator: Operator, statistic: Statistic, plan: OperatorPlan) -> Iterator[Conversion]:
    """Yield the summing up of an operator's own sums, which every group needs that has summands."""
    have = tuple(
        AxisPlacement(statistic.dims.index(letter))
        if letter in statistic.dims
        else WHOLE
        if letter == NONE
        else PARTIAL
        for letter in plan.words[operator.name]
    )
    need = tuple(WHOLE if entry.is_partial else entry for entry in have)
    shape = tuple(operator.sizes[dim] for dim in statistic.dims)
    elements = prod(shape) * statistic.element_bytes
    again = statistic.forward if operator.name in plan.recomputed.again else 0
    phases: tuple[tuple[Phase, int], ...] = (
        ("forward", statistic.forward),
        ("recompute", again),
        ("backward", statistic.backward),
    )
    for phase, numbers in phases:
        if not numbers:
            continue  # no collective is called for nothing
        yield Conversion(f"{operator.name}:statistic", elements * numbers, shape, phase, operator.name, have, need)


def _readers(graph: OperatorGraph, tensor: Tensor) -> Iterator[tuple[Operator, Operand]]:
    for number, place in graph.readers[tensor.name]:
        operator = graph.operators[number]
        yield operator, operator.operands[place]


def phases_of_halos(graph: OperatorGraph, operator: Operator, place: int, plan: OperatorPlan) -> Iterator[Phase]:
    """Yield when an operator needs rows of its neighbours: to run, maybe once more, and of gradients.

    What it keeps has these rows. So it needs them again of a map that is made anew, and of one that it converts anew.
    """
    operand, recomputed = operator.operands[place], plan.recomputed
    yield "forward"
    is_made_anew = operand.saved and operand.tensor in recomputed.inside
    if operator.name in recomputed.again or (is_made_anew and not plan.keeps_no_copy(graph, operator, place)):
        yield "recompute"
    if plan.converts_again(graph, operator, place):
        yield "backward"
    if graph.has_gradient(operand):
        yield "backward"
