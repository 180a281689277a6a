"""Who sends what to whom in a training step: exchange by exchange, each device to each other.

Every collective is an exchange in which each device gets what it is to have straight from those that have it: of a
reduce-scatter a summand of each other device of its group, of an all-gather the part of each, of an all-to-all what
lies with each. An exchange begins when the one before it has ended.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.conversion import stages
from hypar_opt.evaluation.operators.halos import filled_up, given_rows, parts_of, windowed
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
    takers
        By step, the numbers of the devices that receive something; all of them unless given.
    """

    steps: tuple[tuple[tuple[int, ...], int], ...]
    closed: bool
    takers: tuple[frozenset[int], ...] = ()

    @property
    def axes(self) -> tuple[int, ...]:
        """Those on which giver and taker may differ."""
        return tuple(sorted({axis for axes, step in self.steps if step for axis in axes}))

    def pairs(self, partition: Partition) -> Iterator[tuple[int, int]]:
        """Yield givers and takers."""
        sizes = [axis.size for axis in partition.axes]
        parts = [list(product(*(range(sizes[axis]) for axis in axes))) for axes, _ in self.steps]
        numbers = [{part: number for number, part in enumerate(every)} for every in parts]
        takers = self.takers or tuple(frozenset(range(len(every))) for every in parts)
        for taker in range(partition.leaves):
            found = list(partition.coordinates(taker))
            for (axes, step), every, number, those in zip(self.steps, parts, numbers, takers, strict=True):
                here = number[tuple(found[axis] for axis in axes)]
                there = here + step
                if here not in those or (not self.closed and not 0 <= there < len(every)):
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
        for place, operand in enumerate(operator.operands):
            tensor = graph.tensors[operand.tensor]
            if tensor.role == "input" or not operand.windows:  # inputs are loaded with their halos
                continue
            word = plan.words[operator.name]
            tensor = filled_up(tensor, operand, word, sizes) if plan.is_padded else tensor
            borders = tuple(_borders(tensor, operand, word, sizes, plan.is_padded))
            for phase in phases_of_halos(graph, operator, place, plan) if borders else ():
                yield GroupExchange(tensor.name, phase, operator.name, borders)


def _way(offset: Sequence[int]) -> ExchangeWay:
    return ExchangeWay(tuple(((axis,), step) for axis, step in enumerate(offset) if step), closed=True)


def _borders(
    tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int], is_padded: bool
) -> Iterator[tuple[ExchangeWay, Fraction]]:
    """Yield what parts need of others that read through windows, corners included."""
    dims = windowed(operand, word)
    positions = {operand.dims.index(dim) for dim in dims}
    rest = Fraction(tensor.element_bytes)
    for position, size in enumerate(tensor.sizes):
        rest *= 1 if position in positions else size
    for size, entry in zip(sizes, needed(operand, word), strict=True):
        rest /= 1 if entry == WHOLE or entry.position in positions else size
    alike = []
    for dim in dims:
        rows, parts = tensor.sizes[operand.dims.index(dim)], parts_of(dim, word, sizes)
        takers: dict[tuple[int, Fraction], set[int]] = defaultdict(set)
        for (taker, giver), count in given_rows(operand.windows[dim], rows, parts, is_padded).items():
            takers[giver - taker, count].add(taker)
        axes = tuple(axis for axis, letter in enumerate(word) if letter == dim)
        alike.append([(axes, step, count, frozenset(those)) for (step, count), those in takers.items()])
    for pieces in product(*alike):
        if any(step for _, step, _, _ in pieces):
            moved = prod((count for _, _, count, _ in pieces), start=rest)
            steps = tuple((axes, step) for axes, step, _, _ in pieces)
            yield ExchangeWay(steps, False, tuple(those for _, _, _, those in pieces)), moved
