"""Which of the blocks that are repeated are alike, so that what is known of one is known of all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from operator import eq
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.instance.operators.graph import Repeat

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from hypar_opt.instance.operators.graph import Operand, Operator, Tensor

Reference: TypeAlias = tuple[str, str | int]
"""A tensor as a block's operators know it: where it comes from, and which it is there."""


@dataclass(frozen=True)
class Copies:
    """Blocks as they were written out.

    Parameters
    ----------
    starts
        The first operator of each, and the one behind the last.
    prefixes
        Of the names of each block's layers.
    inside
        Repetitions within the blocks.
    made
        How many of the first were made layer by layer; the others are the last of these under other names.
    """

    starts: tuple[int, ...]
    prefixes: tuple[str, ...]
    inside: tuple[Copies, ...]
    made: int

    def moved(self, old: str, new: str, by: int) -> Copies:
        """Return the same so many operators further on, in a block of another prefix."""
        return Copies(
            tuple(start + by for start in self.starts),
            tuple(new + one.removeprefix(old) for one in self.prefixes),
            tuple(one.moved(old, new, by) for one in self.inside),
            self.made,
        )


def alike(operators: Sequence[Operator], tensors: Mapping[str, Tensor], copies: Sequence[Copies]) -> tuple[Repeat, ...]:
    """Return the blocks that are alike; of repetitions within each other those that leave least that is different."""
    view = _View(operators, tensors, {one.output.tensor: number for number, one in enumerate(operators)})
    return tuple(repeat for one in copies for repeat in view.best(one))


@dataclass(frozen=True)
class _View:
    """Operators with who writes what they read."""

    operators: Sequence[Operator]
    tensors: Mapping[str, Tensor]
    writers: Mapping[str, int]

    def best(self, copies: Copies) -> list[Repeat]:
        """Return the repetition, or those within it if they save more operators from being looked at."""
        whole = self._repeat(copies)
        inside = [repeat for one in copies.inside for repeat in self.best(one)]
        return inside if whole is None or _saved(inside) > _saved([whole]) else [whole]

    def _repeat(self, copies: Copies) -> Repeat | None:
        """Return the run of blocks that are alike, the first among them or left out; None if they are not alike."""
        starts, times = copies.starts, len(copies.prefixes)
        length = starts[1] - starts[0]
        if times < 2 or not length or any(b - a != length for a, b in pairwise(starts)):
            return None
        second = list(self._signature(copies, 1))
        if any(not all(map(eq, second, self._signature(copies, i))) for i in range(2, copies.made)):
            return None
        if self._is_first(list(self._signature(copies, 0)), second):
            return Repeat(starts[0], length, times)
        return Repeat(starts[1], length, times - 1) if times > 2 else None

    def _signature(self, copies: Copies, number: int) -> Iterator[tuple[Hashable, list[Reference]]]:
        """Yield of each of a block's operators what is the same in its copies, and what it reads."""
        start, prefix = copies.starts[number], copies.prefixes[number]
        before = copies.starts[number - 1] if number else start
        for one in self.operators[start : copies.starts[number + 1]]:
            operands = (*one.operands, one.output)
            own = (
                one.name.removeprefix(prefix), one.kind, tuple(one.sizes.items()), one.splits, one.statistics,
                one.multiply_adds, one.products, one.is_cheap, *map(self._operand, operands),
            )  # fmt: skip
            yield own, [self._reference(operand, start, before, prefix) for operand in one.operands]

    def _operand(self, operand: Operand) -> Hashable:
        tensor = self.tensors[operand.tensor]
        kind = (tensor.sizes, tensor.role, tensor.element_bytes, tensor.has_gradient)
        own = operand.saved, operand.is_added, operand.has_gradient
        return *kind, operand.dims, tuple(operand.windows.items()), *own

    def _reference(self, operand: Operand, start: int, before: int, prefix: str) -> Reference:
        writer = self.writers.get(operand.tensor)
        if writer is not None and writer >= before:
            return ("here", writer - start) if writer >= start else ("before", writer - before)
        own = operand.tensor.removeprefix(prefix)
        return ("there", own) if own == operand.tensor else ("own", own)

    def _is_first(
        self, first: Sequence[tuple[Hashable, list[Reference]]], second: Sequence[tuple[Hashable, list[Reference]]]
    ) -> bool:
        """Return whether the first block is like the second, but that it reads what no block has written."""
        met: dict[Reference, Reference] = {}
        for (own, reads), (other, others) in zip(first, second, strict=True):
            if own != other:
                return False
            for mine, theirs in zip(reads, others, strict=True):
                if (met.setdefault(theirs, mine) if theirs[0] == "before" else theirs) != mine:
                    return False
        return len(set(met.values())) == len(met)


def _saved(repeats: Sequence[Repeat]) -> int:
    return sum((one.times - 1) * one.length for one in repeats)
