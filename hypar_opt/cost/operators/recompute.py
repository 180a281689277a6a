"""What the backward phase computes once more, so that fewer maps have to be kept for it.

The maps inside of a repeated block, those that its operators write and none but they read, are dropped when the block
has run. For its backward phase those are made again that are read there, and what these are made from, as far as that
is inside; everything else is kept as it is without, and where an operator that runs again reads it, for that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph

NONE: Final = "none"
"""Nothing is computed once more."""


@dataclass(frozen=True)
class Recomputed:
    """What is computed once more.

    Parameters
    ----------
    interior
        The maps that are not kept, with the number of the block that they are in.
    operators
        Those that run once more.
    blocks
        How many blocks there are.
    """

    interior: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    operators: frozenset[str] = frozenset()
    blocks: int = 0

    def keeps(self, operator: Operator, operand: Operand) -> bool:
        """Return whether an operator has a map kept: for its backward phase, or to run once more."""
        return operand.saved or (operator.name in self.operators and operand.tensor not in self.interior)

    def keeps_output(self, operator: Operator, graph: OperatorGraph) -> bool:
        """Return whether an operator keeps what it writes, as its backward phase reads that."""
        return operator.output.saved and bool(graph.readers[operator.output.tensor])

    def reads(self, operator: Operator, operand: Operand) -> bool:
        """Return whether an operator reads a map once more, backward or to run again."""
        return operand.saved or operator.name in self.operators

    def direct(self, reader: Operator, operand: Operand) -> int:
        """Return how often what one operator reads is converted for its forward phase."""
        return 1 + (operand.tensor in self.interior and self.reads(reader, operand))

    def shared(self, reader: Operator, operand: Operand) -> tuple[int, int]:
        """Return how often a map that others read, too, is converted for a reader: if that keeps a copy, and if not."""
        runs, saved = reader.name in self.operators, operand.saved
        if operand.tensor in self.interior:
            return 1 + (runs or saved), 1 + runs + saved
        return 1, 1 + runs + saved


def recomputed(graph: OperatorGraph, recompute: str) -> Recomputed:
    """Return what is computed once more if `recompute` is `blocks`; nothing if it is `none`."""
    if recompute == NONE:
        return Recomputed()
    whose = [-1] * len(graph.operators)
    blocks = 0
    for repeat in graph.repeats:
        for place in range(repeat.length * repeat.times):
            whose[repeat.first + place] = blocks + place // repeat.length
        blocks += repeat.times
    interior = {
        tensor: whose[writer]
        for tensor, writer in graph.writers.items()
        if whose[writer] >= 0 and {whose[reader] for reader, _ in graph.readers[tensor]} == {whose[writer]}
    }
    return Recomputed(interior, _again(graph, interior), blocks)


def _again(graph: OperatorGraph, interior: Mapping[str, int]) -> frozenset[str]:
    """Return who writes what is read backward, and, from there on, what these read."""
    read = [one.output.tensor for one in graph.operators if one.output.saved]
    read += [operand.tensor for one in graph.operators for operand in one.operands if operand.saved]
    found: set[str] = set()
    while read:
        tensor = read.pop()
        if tensor not in interior:
            continue
        writer = graph.operators[graph.writers[tensor]]
        if writer.name not in found:
            found.add(writer.name)
            read += [operand.tensor for operand in writer.operands]
    return frozenset(found)
