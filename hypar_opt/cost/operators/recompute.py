"""What the backward phase computes once more, so that fewer maps have to be kept for it.

The maps inside of a repeated block, those that its operators write and none but they read, are dropped when the block
has run. For its backward phase those are made again that are read there, and what these are made from, as far as that
is inside; everything else is kept as it is without, and where an operator that runs again reads it, for that. Whether a
block does so is given for all, or decided: then every value of what touches its maps says so, and those of one block
agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.operators.given import FORWARD, is_shared
from hypar_opt.instance.operators.repeated import RECOMPUTE, YES, blocks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph

NONE, BLOCKS, CHOOSE = "none", "blocks", "choose"
"""Nothing is computed once more; all blocks are; which are is decided."""
KEEPS: Final = (False,)
"""What is offered to who is in no block: nothing is dropped."""


@dataclass(frozen=True)
class Recomputed:
    """What can be computed once more.

    Parameters
    ----------
    interior
        The maps that are dropped, with the number of the block that they are in.
    operators
        Those that run once more where their block does.
    offered
        By block, whether it may run once more: one of the two, or both.
    """

    interior: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    operators: frozenset[str] = frozenset()
    offered: tuple[tuple[bool, ...], ...] = ()

    def block(self, operator: Operator) -> int | None:
        """Return of which block an operator touches maps inside; None where it touches none."""
        touched = (one.tensor for one in (operator.output, *operator.operands))
        return next((self.interior[tensor] for tensor in touched if tensor in self.interior), None)

    def ways(self, operator: Operator) -> tuple[bool, ...]:
        """Return whether an operator's block may run once more; nothing else of one that touches no map inside."""
        block = self.block(operator)
        return KEEPS if block is None else self.offered[block]

    def ways_of_map(self, tensor: str) -> tuple[bool, ...]:
        """Return whether a map may be dropped."""
        return self.offered[self.interior[tensor]] if tensor in self.interior else KEEPS

    def keeps(self, operator: Operator, operand: Operand, *, again: bool) -> bool:
        """Return whether an operator has a map kept: for its backward phase, or to run once more if its block does."""
        return operand.saved or (again and operator.name in self.operators and operand.tensor not in self.interior)

    def reads(self, operator: Operator, operand: Operand) -> bool:
        """Return whether an operator reads a map once more where its block runs again, for that or backward."""
        return operand.saved or operator.name in self.operators

    def shared(self, reader: Operator, operand: Operand, *, again: bool) -> tuple[int, int]:
        """Return how often a map that others read, too, is converted for a reader: if that keeps a copy, and if not."""
        runs, saved = again and reader.name in self.operators, operand.saved
        if again and operand.tensor in self.interior:
            return 1 + (runs or saved), 1 + runs + saved
        return 1, 1 + runs + saved

    def longer(self, tensor: str, graph: OperatorGraph) -> tuple[int, ...]:
        """Return who may keep a map from outside where it lies for all, longer than anyone does in any case.

        Of each undecided block the operator that needs it longest, and of these the one first that does: the first that
        runs once more says until when the map is there.
        """
        if tensor in self.interior or tensor not in graph.writers or not is_shared(tensor, graph):
            return ()
        readers = [(number, graph.operators[number], place) for number, place in graph.readers[tensor]]
        saved = [number for number, one, place in readers if one.operands[place].saved]
        if not saved:  # each that runs once more keeps it as it needs it
            return ()
        sure = min(saved + [number for number, one, place in readers if self._surely_keeps(one, one.operands[place])])
        first: dict[int | None, int] = {}
        for number, one, place in readers:
            if number < sure and self.keeps(one, one.operands[place], again=True) and len(self.ways(one)) > 1:
                first.setdefault(self.block(one), number)
        return tuple(first.values())

    def _surely_keeps(self, operator: Operator, operand: Operand) -> bool:
        return all(self.keeps(operator, operand, again=again) for again in self.ways(operator))

    def joined(self, graph: OperatorGraph) -> Iterator[tuple[str, str]]:
        """Yield whose decisions have to be the same, two at a time, so that all of an undecided block's are."""
        groups: dict[int, list[set[str]]] = {}
        for tensor, block in self.interior.items():
            if len(self.offered[block]) == 1:
                continue
            writer = graph.operators[graph.writers[tensor]].name
            readers = dict.fromkeys(graph.operators[number].name for number, _ in graph.readers[tensor])
            between = tensor + FORWARD if is_shared(tensor, graph) else writer
            if between != writer:
                yield writer, between
            yield from ((between, reader) for reader in readers)
            touched, parted = {writer, *readers}, groups.setdefault(block, [])
            meeting = [one for one in parted if one & touched]
            groups[block] = [*(one for one in parted if not one & touched), touched.union(*meeting)]
        order = {one.name: number for number, one in enumerate(graph.operators)}
        for parted in groups.values():
            firsts = sorted((min(one, key=order.__getitem__) for one in parted), key=order.__getitem__)
            yield from pairwise(firsts)


def keeps_output(operator: Operator, graph: OperatorGraph) -> bool:
    """Return whether an operator keeps what it writes, as its backward phase reads that."""
    return operator.output.saved and bool(graph.readers[operator.output.tensor])


def is_read_backward(tensor: str, graph: OperatorGraph) -> bool:
    """Return whether a backward phase of those who read a tensor reads it again."""
    return any(graph.operators[number].operands[place].saved for number, place in graph.readers[tensor])


def recomputed(
    graph: OperatorGraph,
    recompute: str,
    fix: Mapping[str, tuple[str | None, ...]] = MappingProxyType({}),
    *,
    is_limited: bool = True,
) -> Recomputed:
    """Return what can be computed once more.

    Parameters
    ----------
    recompute
        `none`, `blocks` for all, or `choose` for any.
    fix
        What is given, of blocks among others.
    is_limited
        Whether the memory is; else nothing is gained by running a block once more, and none does that is not given.
    """
    if recompute == NONE:
        return Recomputed()
    blocks = blocks_of(graph)
    whose = [-1] * len(graph.operators)
    for number, block in enumerate(blocks):
        whose[block.first : block.first + block.length] = [number] * block.length
    interior = {
        tensor: whose[writer]
        for tensor, writer in graph.writers.items()
        if whose[writer] >= 0 and {whose[reader] for reader, _ in graph.readers[tensor]} == {whose[writer]}
    }
    free = (True,) if recompute == BLOCKS else (False, True) if is_limited else (False,)
    given = (fix.get(block.name + RECOMPUTE) for block in blocks)
    offered = tuple(free if one is None else (one[0] == YES,) for one in given)
    return Recomputed(interior, _again(graph, interior), offered)


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
