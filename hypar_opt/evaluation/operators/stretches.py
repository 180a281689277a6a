"""Blocks in a row that a plan treats alike, with all that they write and own: the first of them stands for all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.instance.operators.equal_blocks import EqualBlocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.operators import OperatorGraph


@dataclass(frozen=True)
class Stretch:
    """Operators in blocks, one block after the other; an operator beside them is a block of its own.

    Parameters
    ----------
    first, length, times
        The first block's first operator, operators in each block, and how many blocks there are.
    """

    first: int
    length: int = 1
    times: int = 1

    @property
    def block(self) -> range:
        """The operators of the first block."""
        return range(self.first, self.first + self.length)

    @property
    def further(self) -> range:
        """The first operators of the other blocks."""
        end = self.first + self.length * self.times
        return range(self.first + self.length, end, self.length)


def stretches(graph: OperatorGraph, plan: OperatorPlan) -> Iterator[Stretch]:
    """Yield all operators, in order.

    Blocks are in one stretch if each is equal to the others in the graph, and has the same words and keeps the same;
    the one behind them is like them as well, for it reads what the last one writes.
    """
    equal = EqualBlocks(graph)
    same = {*equal.copies, *equal.copies.values()}
    number, count = 0, len(graph.operators)
    while number < count:
        if number not in same:
            yield Stretch(number)
            number += 1
            continue
        length = equal.lengths[number]
        block = _Block.of(graph, range(number, number + length))
        end, first = number, block.treated(graph, plan, number)
        while end + length in same and block.treated(graph, plan, end + length) == first:
            end += length
        if end > number:
            yield Stretch(number, length, (end - number) // length)
        yield from map(Stretch, range(end, end + length))
        number = end + length


@dataclass(frozen=True)
class _Block:
    """A block's operators.

    Parameters
    ----------
    length
        How many there are.
    own
        Which of their operands no other block reads and no operator writes: numbers in the block, and places.
    """

    length: int
    own: tuple[tuple[int, int], ...]

    @staticmethod
    def of(graph: OperatorGraph, block: range) -> _Block:
        return _Block(len(block), own_operands(graph, block))

    def treated(self, graph: OperatorGraph, plan: OperatorPlan, first: int) -> list[Sequence[object]]:
        """Return all that a plan says of the block that begins with an operator."""
        operators = graph.operators[first : first + self.length]
        names, again = [one.name for one in operators], plan.recomputed
        tensors = [one.output.tensor for one in operators]
        tensors += [operators[number].operands[place].tensor for number, place in self.own]
        found: list[Sequence[object]] = [list(map(plan.words.get, names))]
        for said in (plan.storage, plan.kept):
            found.append([said.get(name) for name in names] if said else ())
        found.append([name in again.again for name in names] if again.again else ())
        found.append([name in again.inside for name in tensors] if again.inside else ())
        return [*found, [plan.shared.get(name) for name in tensors]]


def own_operands(graph: OperatorGraph, block: range) -> tuple[tuple[int, int], ...]:
    """Return which operands of a block's operators no operator writes and no other one reads.

    Each as the number of an operator in the block and the place of the operand.
    """
    found = []
    for number in block:
        for place, operand in enumerate(graph.operators[number].operands):
            readers = graph.readers[operand.tensor]
            if operand.tensor not in graph.writers and all(reader in block for reader, _ in readers):
                found.append((number - block.start, place))
    return tuple(found)
