"""Operators with named dimensions, and the tensors between them: what a network is to arrays of any axes.

An operator is split on an axis of the array along one of its dimensions, or not at all. Everything else follows: an
operand that runs along the dimension is needed in shards, any other whole; the output lies in shards where it runs
along the dimension, and else in partial sums that have to be added up. Gradients lie by the same rule.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.operators.window import Window

Role: TypeAlias = Literal["input", "activation", "parameter"]
"""What a tensor is: of the network's inputs, written by an operator, or trained."""


@dataclass(frozen=True)
class Tensor:
    """A tensor, whole.

    Parameters
    ----------
    name
        Unique in the graph: that of the layer that writes it, of the input, or `LAYER.weight` and the like.
    sizes
        By its own dimensions, from the outermost.
    role
        What it is.
    element_bytes
        Of one number.
    has_gradient
        Whether training needs its gradient; not of the network's inputs, nor of indices.
    is_mask
        Whether it is an input that the network is not given: who reads it draws it, as dropout what it leaves out.
    """

    name: str
    sizes: tuple[int, ...]
    role: Role = "activation"
    element_bytes: int = 4
    has_gradient: bool = True
    is_mask: bool = False

    @property
    def elements(self) -> int:
        """How many numbers it holds."""
        return prod(self.sizes)

    @property
    def bytes(self) -> int:
        """What it takes, whole."""
        return self.elements * self.element_bytes


@dataclass(frozen=True)
class Operand:
    """A tensor as an operator reads or writes it.

    Parameters
    ----------
    tensor
        Its name.
    dims
        By the tensor's own dimensions: the operator's dimension that runs along it, or along its outermost factor where
        it is flattened; None where none does, so that it is read or written whole.
    windows
        By the operator's dimension, where it is read through a sliding window that reaches into other parts.
    saved
        Whether the backward phase reads it; not a bias, nor a parameter if nothing but its own gradient is computed.
    is_added
        Whether it is added to the output when that is summed up, as a bias is: its gradient sums over the dimensions
        that the output has.
    has_gradient
        Whether a gradient comes back of it, where the tensor has one; not of what only decides something, as the shares
        of experts do where positions are sent.
    """

    tensor: str
    dims: tuple[str | None, ...]
    windows: Mapping[str, Window] = field(default_factory=dict, hash=False)
    saved: bool = True
    is_added: bool = False
    has_gradient: bool = True

    def position(self, dimension: str) -> int | None:
        """Return along which of the tensor's dimensions one of the operator's runs, or None."""
        return self.dims.index(dimension) if dimension in self.dims else None


@dataclass(frozen=True)
class Statistic:
    """Sums that all parts need while the operator runs: of a normalisation, of a softmax over classes.

    Parameters
    ----------
    dims
        Dimensions of the operator that it has; it is summed over all others.
    forward, backward
        Numbers for each of its elements that are summed up in the phase.
    element_bytes
        Of one number.
    """

    dims: tuple[str, ...]
    forward: int
    backward: int
    element_bytes: int = 4


@dataclass(frozen=True)
class Operator:
    """An operator with named dimensions.

    Parameters
    ----------
    name
        Unique in the graph.
    kind
        For example `linear`.
    layer
        The network's layer that it comes from.
    sizes
        Of its dimensions, by name; of one that runs along the outermost factor of a flattened dimension, that factor's.
    splits
        The dimensions along which it can be split.
    operands
        What it reads: activations, inputs and parameters.
    output
        What it writes.
    statistics
        Sums that all parts need while it runs.
    multiply_adds
        Of the forward phase, whole.
    products
        In how many products one after the other they are: the backward phase computes the gradients of what lies
        between those, too.
    is_cheap
        Whether every part may as well compute all of it: `none` is among its choices unless told otherwise.
    """

    name: str
    kind: str
    layer: str
    sizes: Mapping[str, int] = field(hash=False)
    splits: tuple[str, ...]
    operands: tuple[Operand, ...]
    output: Operand
    statistics: tuple[Statistic, ...] = ()
    multiply_adds: int = 0
    is_cheap: bool = False
    products: int = 1


@dataclass(frozen=True)
class Repeat:
    """Blocks of equal operators, one after the other.

    Parameters
    ----------
    first, length, times
        The first block's first operator, operators in each block, and how many blocks there are.
    """

    first: int
    length: int
    times: int


@dataclass(frozen=True)
class OperatorGraph:
    """Operators in the order in which they run, and their tensors.

    Parameters
    ----------
    tensors
        By name.
    operators
        Each after those whose output it reads.
    repeats
        Blocks that are alike; none overlap.

    Raises
    ------
    ValueError
        If names are not unique, an operand does not fit its tensor, or something is read before it is written.
    """

    tensors: Mapping[str, Tensor]
    operators: tuple[Operator, ...]
    repeats: tuple[Repeat, ...] = ()

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise ValueError(fault)

    def _faults(self) -> Iterator[str]:
        names = [one.name for one in self.operators]
        if len(set(names)) < len(names):
            ((name, times),) = Counter(names).most_common(1)
            yield f"{times} operators are called '{name}'"
        there = {one.name for one in self.tensors.values() if one.role != "activation"}
        known: set[tuple[int, int]] = set()  # equal blocks share their sizes and what they are split along
        for operator in self.operators:
            early = None
            for operand in (*operator.operands, operator.output):
                name = operand.tensor
                tensor = self.tensors.get(name)
                if tensor is None:
                    yield f"'{operator.name}' names a tensor '{name}', and there is none"
                elif len(operand.dims) != len(tensor.sizes):
                    yield f"'{operator.name}' reads or writes '{name}' by {len(operand.dims)} dimensions"
                if early is None and name not in there and operand is not operator.output:
                    early = name
            if (id(operator.sizes), id(operator.splits)) not in known:
                unknown = next((dim for dim in operator.splits if dim not in operator.sizes), None)
                if unknown is not None:
                    yield f"'{operator.name}' can be split along '{unknown}', which it does not have"
                known.add((id(operator.sizes), id(operator.splits)))
            if early is not None:
                yield f"'{operator.name}' reads '{early}' before it is written"
            if operator.output.tensor in there:
                yield f"'{operator.output.tensor}' is written twice"
            there.add(operator.output.tensor)

    @cached_property
    def readers(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """By tensor, who reads it: positions of operators, and of the operand in each."""
        found: dict[str, list[tuple[int, int]]] = {}
        for number, operator in enumerate(self.operators):
            for place, operand in enumerate(operator.operands):
                name = operand.tensor
                if name in found:
                    found[name].append((number, place))
                else:
                    found[name] = [(number, place)]
        return {name: tuple(found.get(name, ())) for name in self.tensors}

    @cached_property
    def writers(self) -> Mapping[str, int]:
        """By tensor that an operator writes, that operator's position."""
        return {operator.output.tensor: number for number, operator in enumerate(self.operators)}

    def has_gradient(self, operand: Operand) -> bool:
        """Return whether a gradient comes back of what an operator reads."""
        return operand.has_gradient and self.tensors[operand.tensor].has_gradient

    def factors(self, operator: Operator) -> frozenset[str]:
        """Return the dimensions of an operator of which some tensor has more places or fewer than the operator.

        Such are heads in a tensor of features, and rows in front of a stride: blocks of the one and of the other are
        the same only where parts divide the operator's size.
        """
        found = set()
        for one in (*operator.operands, operator.output):
            sizes = zip(one.dims, self.tensors[one.tensor].sizes, strict=True)
            found |= {dim for dim, size in sizes if dim is not None and size != operator.sizes[dim]}
        return frozenset(found)

    @property
    def parameters(self) -> int:
        """How many numbers are trained."""
        return sum(one.elements for one in self.tensors.values() if one.role == "parameter")
