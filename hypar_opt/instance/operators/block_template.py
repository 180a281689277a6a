"""A block that has been made, written out once more under other names: the blocks behind it differ in nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from hypar_opt.util.records import copies

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.operators.graph import Operand, Operator, Tensor
    from hypar_opt.instance.operators.layers.maker import Graph
    from hypar_opt.instance.operators.layers.value import Value

T = TypeVar("T")


@dataclass(frozen=True)
class BlockTemplate:
    """A block, and what it reads of the one before it.

    Parameters
    ----------
    prefix
        Of its layers' names.
    tensors, operators
        What was made for it.
    read, written
        What the block before wrote, and what it writes itself.
    """

    prefix: str
    tensors: tuple[Tensor, ...]
    operators: tuple[Operator, ...]
    read: Value
    written: Value

    @staticmethod
    def of(
        graph: Graph, prefixes: Sequence[str], start: int, values: Sequence[Value | None], made: int
    ) -> BlockTemplate | None:
        """Return the last block if the next one is it under other names; None where that is not certain.

        What is made of a block's layers depends on what it reads beside what stays the same for all blocks. So the next
        one is like the last if the last one's output is, but for its name, what the last one's predecessor wrote.

        Parameters
        ----------
        graph
            What has been made so far, the last block at its end.
        prefixes
            Of the names of the blocks' layers so far.
        start
            The last block's first operator.
        values
            What each of them has read, and what the last one writes.
        made
            How many tensors there were before the last block.
        """
        read, written = values[-2:]
        if len(prefixes) < 2 or read is None or written is None or read.dims != written.dims:
            return None
        before, last = prefixes[-2:]
        if not read.tensor.startswith(before) or written.tensor != last + read.tensor.removeprefix(before):
            return None
        if replace(graph.tensors[read.tensor], name=written.tensor) != graph.tensors[written.tensor]:
            return None
        tensors = tuple(graph.tensors.values())[made:]
        return BlockTemplate(last, tensors, tuple(graph.operators[start:]), read, written)

    def write(self, graph: Graph, prefixes: Sequence[str]) -> Value:
        """Note the block under other prefixes, each reading what the one before wrote; return what the last writes."""
        begin = len(self.prefix)

        def called(name: str) -> list[str]:
            end = name[begin:]
            return [prefix + end for prefix in prefixes]

        names = {one.name: called(one.name) for one in self.tensors}
        tensors = [copies(one, name=names[one.name]) for one in self.tensors]
        graph.tensors.update(zip(_in_turn(list(names.values())), _in_turn(tensors), strict=True))
        written = names[self.written.tensor]
        names[self.read.tensor] = [self.written.tensor, *written[:-1]]
        operators = [
            copies(
                one,
                name=called(one.name),
                layer=called(one.layer),
                operands=_rows([_with_tensors(operand, names, len(prefixes)) for operand in one.operands], prefixes),
                output=_with_tensors(one.output, names, len(prefixes)),
            )
            for one in self.operators
        ]
        graph.operators.extend(_in_turn(operators))
        return replace(self.written, tensor=written[-1])


def _in_turn(columns: Sequence[Sequence[T]]) -> Iterator[T]:
    """Yield what is in columns row by row."""
    return chain.from_iterable(zip(*columns, strict=True))


def _rows(columns: Sequence[Sequence[T]], every: Sequence[object]) -> list[tuple[T, ...]]:
    """Return the rows of columns, one for each of something, which are empty where there are no columns."""
    return list(zip(*columns, strict=True)) if columns else [()] * len(every)


def _with_tensors(one: Operand, names: Mapping[str, Sequence[str]], count: int) -> Sequence[Operand]:
    """Return an operand for each of so many blocks."""
    return copies(one, tensor=names[one.tensor]) if one.tensor in names else [one] * count
