"""What a plan runs once more in the backward phase: the inside of repeated blocks, whose maps it does not keep.

It may be all blocks or some of them, each by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.operators.repeated import blocks_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph


@dataclass(frozen=True)
class Recomputation:
    """What is computed twice.

    Parameters
    ----------
    inside
        By map that is written and read within one block only, the number of the block; none of them is kept.
    again
        The operators that run once more, to have those maps that the backward phase reads.
    """

    inside: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    again: frozenset[str] = frozenset()

    def is_wanted(self, operator: Operator, operand: Operand) -> bool:
        """Return whether an operator reads an operand behind its forward phase, be it to run once more."""
        return operand.saved or operator.name in self.again

    def is_kept(self, operator: Operator, operand: Operand) -> bool:
        """Return whether a map has to be there for an operator: all along, or while its block is run once more."""
        return operand.saved or (operator.name in self.again and operand.tensor not in self.inside)


def keeps_output(graph: OperatorGraph, operator: Operator) -> bool:
    """Return whether an operator has to keep what it writes, for its own backward phase."""
    return operator.output.saved and bool(graph.readers[operator.output.tensor])


def lies_for_all(graph: OperatorGraph, tensor: str) -> bool:
    """Return whether a map stays that several read, as it lies for all of them: some backward phase reads it."""
    return any(graph.operators[number].operands[place].saved for number, place in graph.readers[tensor])


NOTHING: Final = Recomputation()
"""All maps are kept that the backward phase reads."""


def decided_blocks(graph: OperatorGraph) -> tuple[str, ...]:
    """Return the names of the blocks that have maps inside: each may be run once more."""
    found = set(recomputation(graph, "blocks").inside.values())
    return tuple(block.name for number, block in enumerate(blocks_of(graph)) if number in found)


def recomputation(graph: OperatorGraph, recompute: str, chosen: Collection[str] = ()) -> Recomputation:
    """Return what runs once more.

    Parameters
    ----------
    graph
        Of what.
    recompute
        `blocks` for each block that is repeated, `none` for nothing, `choose` for those that are chosen.
    chosen
        The names of the blocks.
    """
    if recompute == "none":
        return NOTHING
    blocks = {
        number: place
        for place, block in enumerate(blocks_of(graph))
        if recompute == "blocks" or block.name in chosen
        for number in range(block.first, block.first + block.length)
    }  # by operator, which block it is in
    inside: dict[str, int] = {}
    again: set[str] = set()
    for number in sorted(blocks, reverse=True):  # who reads a map comes before who writes it
        operator = graph.operators[number]
        tensor = operator.output.tensor
        readers = graph.readers[tensor]
        if not readers or any(blocks.get(one) != blocks[number] for one, _ in readers):
            continue
        inside[tensor] = blocks[number]
        read = ((graph.operators[one], place) for one, place in readers)
        if operator.output.saved or any(one.operands[place].saved or one.name in again for one, place in read):
            again.add(operator.name)
    return Recomputation(inside, frozenset(again))
