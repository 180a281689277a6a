"""What layers read and write: tensors as they are seen through reshapes and transpositions, which move nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd, prod
from typing import TYPE_CHECKING

from hypar_opt.instance.network.layers import ShapeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BATCH = "batch"
"""The first dimension of everything that flows through a network."""
CHANNELS = "channels"
"""The dimension that makes a map of what has it."""
SPATIAL = ("depth", "height", "width", "length")
"""The dimensions along which windows slide."""


@dataclass(frozen=True)
class Dim:
    """A dimension as a layer sees it.

    Parameters
    ----------
    name, size
        What it is called, and its length.
    place
        The tensor's own dimension that its blocks are blocks of; None where it is the inner part of one.
    factor
        Into how many blocks, and into which divisors of it, both fall alike.
    """

    name: str
    size: int
    place: int | None = None
    factor: int = 1

    @property
    def is_plain(self) -> bool:
        """Whether it is all of one of the tensor's dimensions."""
        return self.place is not None and self.factor == self.size


@dataclass(frozen=True)
class View:
    """One step from a tensor as it lies to how a layer sees it.

    Parameters
    ----------
    dims
        Behind the step.
    order
        Which of the dimensions before it each of them is; None where the same numbers are grouped anew.
    """

    dims: tuple[Dim, ...]
    order: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Value:
    """A tensor as a layer sees it.

    Parameters
    ----------
    tensor
        Its name.
    dims
        The batch first, or those of a parameter.
    views
        How the tensor as it lies becomes that.
    """

    tensor: str
    dims: tuple[Dim, ...]
    views: tuple[View, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Of its dimensions."""
        return tuple(dim.name for dim in self.dims)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of its dimensions."""
        return tuple(dim.size for dim in self.dims)

    @property
    def is_map(self) -> bool:
        """Whether it has channels, as a convolution's output has."""
        return CHANNELS in self.names

    @property
    def features(self) -> int:
        """The position of its channels, or of its last dimension.

        Raises
        ------
        ShapeError
            If it has no dimension behind the batch.
        """
        if len(self.dims) < 2:
            raise ShapeError(f"expected a dimension behind the batch, got {self}")
        return self.names.index(CHANNELS) if self.is_map else len(self.dims) - 1

    def __str__(self) -> str:
        return f"[{', '.join(f'{dim.name} {dim.size}' for dim in self.dims)}]"


def fresh(tensor: str, dims: Iterable[tuple[str, int]]) -> Value:
    """Return a tensor as it lies."""
    return Value(tensor, tuple(Dim(name, size, place, size) for place, (name, size) in enumerate(dims)))


def transposed(value: Value, order: Sequence[int]) -> Value:
    """Return the same in another order of dimensions."""
    dims = tuple(value.dims[i] for i in order)
    return replace(value, dims=dims, views=(*value.views, View(dims, tuple(order))))


def reshaped(value: Value, shape: Sequence[tuple[str, int]]) -> Value:
    """Return the same with other dimensions behind the batch, of as many numbers in the same order."""
    dims = (value.dims[0], *regrouped(value.dims[1:], shape))
    return replace(value, dims=dims, views=(*value.views, View(dims)))


def flattened(value: Value) -> Value:
    """Return the same with one dimension behind the batch."""
    return reshaped(value, (("features", prod(value.sizes[1:])),))


def regrouped(dims: Sequence[Dim], shape: Sequence[tuple[str, int]]) -> Iterator[Dim]:
    """Yield other dimensions of the same numbers in the same order.

    Numbers in the outermost of several dimensions that are merged, or into which one is parted, fall into blocks
    alike before and after; so the outermost keeps its place, as far as both can be divided alike.
    """
    old = iter([dim for dim in dims if dim.size > 1])
    there = here = 1
    lead: Dim | None = None
    for name, size in shape:
        if size == 1:
            yield Dim(name, 1)
            continue
        if there == here:
            there, here, lead = 1, 1, next(old)
            there *= lead.size
        else:
            lead = None
        here *= size
        while there < here:
            there *= next(old).size
        yield Dim(name, size) if lead is None else Dim(name, size, lead.place, gcd(lead.factor, size))
