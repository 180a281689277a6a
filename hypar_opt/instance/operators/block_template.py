"""A block that has been made, written out once more under other names: the blocks behind it differ in nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hypar_opt.util.records import renamed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.graph import Operand, Operator, Tensor
    from hypar_opt.instance.operators.layers.maker import Graph
    from hypar_opt.instance.operators.layers.value import Value


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

    def write(self, graph: Graph, prefix: str, read: Value | None) -> Value:
        """Note the block under another prefix, with what it reads of the one before; return what it writes."""
        assert read is not None  # for every block writes what the template does
        begin = len(self.prefix)
        names = {one.name: prefix + one.name[begin:] for one in self.tensors}
        for one in self.tensors:
            name = names[one.name]
            graph.tensors[name] = renamed(one, name=name)
        named = names | {self.read.tensor: read.tensor}
        for operator in self.operators:
            graph.operators.append(
                renamed(
                    operator,
                    name=prefix + operator.name[begin:],
                    layer=prefix + operator.layer[begin:],
                    operands=tuple([_with_tensor(operand, named) for operand in operator.operands]),
                    output=_with_tensor(operator.output, named),
                )
            )
        return replace(self.written, tensor=names[self.written.tensor])


def _with_tensor(one: Operand, names: Mapping[str, str]) -> Operand:
    name = names.get(one.tensor)
    return one if name is None else renamed(one, tensor=name)
