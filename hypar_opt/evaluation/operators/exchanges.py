"""Who sends what to whom in a training step: exchange by exchange, each device to each other.

Every collective is an exchange in which each device gets what it is to have straight from those that have it: of a
reduce-scatter a summand of each other device of its group, of an all-gather the part of each, of an all-to-all what
lies with each. An exchange begins when the one before it has ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.conversion import stages
from hypar_opt.evaluation.operators.halos import filled_up
from hypar_opt.evaluation.operators.placements import WHOLE, needed
from hypar_opt.evaluation.operators.program import Phase, conversions, phases_of_halos

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.operators.placements import Word
    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.operators import Operand, OperatorGraph, Tensor
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class ExchangeWay:
    """From which other device each device receives something.

    Parameters
    ----------
    steps
        Axes, whose coordinates are read as one number, the last axis fastest, and what is added to that number.
    closed
        Whether the number after the last is the first; else devices at the end receive nothing.
    """

    steps: tuple[tuple[tuple[int, ...], int], ...]
    closed: bool

    @property
    def axes(self) -> tuple[int, ...]:
        """Those on which giver and taker may differ."""
        return tuple(sorted({axis for axes, _ in self.steps for axis in axes}))

    def pairs(self, partition: Partition) -> Iterator[tuple[int, int]]:
        """Yield givers and takers."""
        sizes = [axis.size for axis in partition.axes]
        parts = [list(product(*(range(sizes[axis]) for axis in axes))) for axes, _ in self.steps]
        numbers = [{part: number for number, part in enumerate(every)} for every in parts]
        for taker in range(partition.leaves):
            found = list(partition.coordinates(taker))
            for (axes, step), every, number in zip(self.steps, parts, numbers, strict=True):
                there = number[tuple(found[axis] for axis in axes)] + step
                if not self.closed and not 0 <= there < len(every):
                    break
                for axis, coordinate in zip(axes, every[there % len(every)], strict=True):
                    found[axis] = coordinate
            else:
                yield sum(one * stride for one, stride in zip(found, partition.strides, strict=True)), taker


@dataclass(frozen=True)
class GroupExchange:
    """What devices send each other at once.

    Parameters
    ----------
    tensor, phase, reader
        As of `Movement`.
    ways
        Along each, the bytes that every taker receives.
    """

    tensor: str
    phase: Phase
    reader: str | None
    ways: tuple[tuple[ExchangeWay, Fraction], ...]

    @property
    def axes(self) -> tuple[int, ...]:
        """Those along which the groups lie that exchange."""
        return tuple(sorted({axis for way, _ in self.ways for axis in way.axes}))


def exchanges(graph: OperatorGraph, partition: Partition, plan: OperatorPlan) -> Iterator[GroupExchange]:
    """Yield the exchanges of a training step that move anything.

    Partial sums are added up along the innermost axis first, and what is whole is gathered along the outermost first:
    the order does not depend on where devices stand.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    """
    sizes = tuple(axis.size for axis in partition.axes)
    for one in conversions(graph, plan):
        if one.have == one.need or not one.size:
            continue
        for stage in stages(sizes, one.have, one.need, None, one.shape if plan.is_padded else None):
            ways = tuple((_way(offset), one.size * tensors) for offset, tensors in stage.items())
            if ways:
                yield GroupExchange(one.tensor, one.phase, one.reader, ways)
    for operator in graph.operators:
        for operand in operator.operands:
            tensor = graph.tensors[operand.tensor]
            if tensor.role == "input" or not operand.windows:  # inputs are loaded with their halos
                continue
            word = plan.words[operator.name]
            tensor = filled_up(tensor, operand, word, sizes) if plan.is_padded else tensor
            borders = tuple(_borders(tensor, operand, word, sizes))
            for phase in phases_of_halos(operator, tensor, plan) if borders else ():
                yield GroupExchange(tensor.name, phase, operator.name, borders)


def _way(offset: Sequence[int]) -> ExchangeWay:
    return ExchangeWay(tuple(((axis,), step) for axis, step in enumerate(offset) if step), closed=True)


def _borders(
    tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int]
) -> Iterator[tuple[ExchangeWay, Fraction]]:
    """Yield what parts need of their neighbours that read through windows, corners included.

    A window that reaches over a boundary takes half of its rows from either side; of an odd one more from behind.
    """
    dims = [dim for dim in operand.windows if dim in operand.dims and dim in word and operand.windows[dim].halo > 0]
    positions = {operand.dims.index(dim): dim for dim in dims}
    rest = Fraction(tensor.element_bytes)
    for position, size in enumerate(tensor.sizes):
        rest *= 1 if position in positions else size
    for size, entry in zip(sizes, needed(operand, word), strict=True):
        rest /= 1 if entry == WHOLE or entry.position in positions else size
    axes = {dim: tuple(axis for axis, letter in enumerate(word) if letter == dim) for dim in dims}
    for steps in product((-1, 0, 1), repeat=len(dims)):
        moved = rest
        for (position, dim), step in zip(positions.items(), steps, strict=True):
            reach, own = operand.windows[dim].halo, Fraction(tensor.sizes[position])
            for axis in axes[dim]:
                own /= sizes[axis]
            moved *= own if step == 0 else reach // 2 if step < 0 else reach - reach // 2
        if any(steps) and moved:
            yield (
                ExchangeWay(tuple((axes[dim], step) for dim, step in zip(dims, steps, strict=True) if step), False),
                moved,
            )
