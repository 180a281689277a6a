"""Megatron's plan for a transformer: attention by heads, the first matrices by columns, the second by rows.

Shoeybi et al., Megatron-LM, arXiv:1909.08053, section 3: of two matrices in a row the first is split by its columns and
the second by its rows, so that what is between them lies in parts and only the second one's output is added up. All
else is computed by every device; with the sequence parallelism of Korthikanti et al., arXiv:2205.05198, by shards of
the sequence. The data are split on the axes that are left.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.operators.domains import FORWARD, GRADIENT, is_shared, names_of
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from hypar_opt.instance.operators import Operand, Operator, OperatorGraph
    from hypar_opt.studies.operators.blocks import TransformerBlock
    from hypar_opt.util.partition import Partition

BATCH, SEQUENCE, NONE, WHOLE, PARTIAL = "batch", "sequence", "none", "whole", "partial"
COLUMNS: Final = {"linear": "out", "embedding": "vocabulary"}
"""By kind, the dimension along which those are split that read whole rows."""


def megatron(
    graph: OperatorGraph, partition: Partition, tensor: Collection[str], *, sequence: bool = False
) -> Mapping[str, str]:
    """Return the strategies of Megatron's plan, by operator and by tensor that several operators read.

    Parameters
    ----------
    graph
        A transformer: linear layers and attention, with operators on elements and rows between them.
    partition
        How the array is cut.
    tensor
        The axes on which matrices are split; the batch is on the others.
    sequence
        Whether what is not between two matrices is split along the sequence, instead of being computed by all.

    Raises
    ------
    InputError
        If there is no axis of a name.
    """
    names = [axis.name for axis in partition.axes]
    unknown = next((name for name in tensor if name not in names), None)
    if unknown is not None:
        hint = did_you_mean(unknown, names)
        raise InputError(f"there is no axis '{unknown}', but {', '.join(names)}{hint}", field="tensor")
    spelled = _Spelled(graph, SEQUENCE if sequence else NONE)
    return {
        name: " ".join(inside if axis in tensor else outside for axis in names)
        for name, outside, inside in spelled.entries()
    }


def positions_up_to(block: TransformerBlock, devices: int) -> int:
    """Return up to how many positions of one sample Megatron's plan moves no more than two others, on one axis.

    With n positions of h features on t devices, keys c times as wide as h, k numbers of a norm for each feature and b
    of a bias, attention is charged 4 (t - 1) n h of rows. Two other plans move less where n is larger than

        (h + k + b) t / (t - 1)               if only the matrix behind attention is split along the sequence: its
                                              gradients are added up, and heads exchanged for positions and back;
        ((1 + c) (h + b) + k) / (1 - c)       if all of attention is: keys and values are gathered, and the parts of
                                              their gradients added up.

    That no other plan moves less up to there is proven case by case, in the tests and in reports/operators.

    Parameters
    ----------
    block, devices
        Which block, on how many.

    Returns
    -------
    int
        The largest multiple of the devices up to the bound.
    """
    width, bias = block.width, int(block.bias)
    norms = {"layer": 2, "rms": 1}[block.norm] if block.trained_norms else 0
    bounds = [Fraction((width + norms + bias) * devices, devices - 1)]
    keys = Fraction(block.key_heads, block.heads)
    if keys < 1:
        bounds.append(((1 + keys) * (width + bias) + norms) / (1 - keys))
    return int(min(bounds) // devices) * devices


@dataclass(frozen=True)
class _Spelled:
    """A graph's operators with their dimension on an axis of tensors; `rows` is that of what reads and writes rows."""

    graph: OperatorGraph
    rows: str

    def entries(self) -> Iterator[tuple[str, str, str]]:
        """Yield the keys of a plan, with the entry on an axis of batches and that on an axis of tensors."""
        for operator in self.graph.operators:
            yield operator.name, BATCH, self._letters[operator.name]
        for name, tensor in self.graph.tensors.items():
            if is_shared(name, self.graph):
                yield name + FORWARD, self._stored(name), self._forward(name)
                if tensor.has_gradient:
                    yield name + GRADIENT, self._summed(name), self._gradient(name)

    @cached_property
    def _letters(self) -> dict[str, str]:
        """By operator its dimension: what reads parts of rows is split as they are, up to the next matrix."""
        found: dict[str, str] = {}
        parts: set[str] = set()
        for operator in self.graph.operators:
            read = next((operand for operand in operator.operands if operand.tensor in parts), None)
            letter = COLUMNS.get(operator.kind, self.rows) if read is None else read.dims[-1] or NONE
            found[operator.name] = letter
            if letter == operator.output.dims[-1]:
                parts.add(operator.output.tensor)
        return found

    def _readers(self, name: str) -> list[tuple[Operator, Operand]]:
        operators = self.graph.operators
        return [(operators[number], operators[number].operands[place]) for number, place in self.graph.readers[name]]

    def _stored(self, name: str) -> str:
        return WHOLE if self.graph.tensors[name].role == "parameter" else BATCH

    def _summed(self, name: str) -> str:
        return PARTIAL if self.graph.tensors[name].role == "parameter" else BATCH

    def _forward(self, name: str) -> str:
        """Return where a tensor lies that several read: as most parts of it are needed, but whole for any matrix."""
        dims = names_of(name, self.graph)
        lies = [self._letters[reader.name] in operand.dims for reader, operand in self._readers(name)]
        if not all(lies):
            return WHOLE
        reader, operand = self._readers(name)[0]
        return dims[operand.dims.index(self._letters[reader.name])] or WHOLE

    def _gradient(self, name: str) -> str:
        """Return where its gradient is added up: in parts as it lies, as partial sums of matrices, or whole."""
        if self._forward(name) != WHOLE:
            return self._forward(name)
        letters = [self._letters[reader.name] for reader, _ in self._readers(name)]
        return WHOLE if NONE in letters else PARTIAL
