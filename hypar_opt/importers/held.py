"""What a framework's tensors are while layers are written: layers' outputs, trained numbers, or constants."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.value import Value

BATCH_ATOM = 0
"""The position of the batch among the dimensions of what a layer writes."""


@dataclass(frozen=True)
class Spread:
    """A dimension along which the same numbers stand `size` times, which no layer has written yet."""

    size: int


Atom: TypeAlias = int | Spread
"""A dimension of what a layer writes, by its position; or one that is spread."""


@dataclass(frozen=True)
class SeenBefore:
    """What was reshaped: `parts` has for each of its dimensions the positions of those into which it fell."""

    seen: Viewed
    parts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Viewed:
    """What a layer writes, as a tensor of a framework.

    Reshapes and transpositions of frameworks are not written down until a layer needs them: `axes` says which of the
    layer's dimensions, in which order, are the framework's axes. An axis of none has the size 1. What does not depend
    on the sample, as position embeddings, has no axis with the batch.
    """

    layer: str
    value: Value
    axes: tuple[tuple[Atom, ...], ...]
    origin: SeenBefore | None = None

    def size(self, atom: Atom) -> int:
        """Return the size of one of its atoms."""
        return atom.size if isinstance(atom, Spread) else self.value.dims[atom].size

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of the framework's axes."""
        return tuple(prod(map(self.size, axis)) for axis in self.axes)

    @property
    def has_batch(self) -> bool:
        """Whether one of its axes runs along the samples."""
        return any(BATCH_ATOM in axis for axis in self.axes)

    def rest(self, axis: int) -> tuple[Atom, ...]:
        """Return the atoms of an axis but for the batch."""
        return tuple(atom for atom in self.axes[axis] if atom != BATCH_ATOM)


@dataclass(frozen=True)
class Weight:
    """Trained numbers, by the name of the framework's parameter."""

    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Constant:
    """What neither depends on the sample nor is trained; it costs nothing."""

    sizes: tuple[int, ...]


Held: TypeAlias = Viewed | Weight | Constant


def plain(layer: str, value: Value) -> Viewed:
    """Return what a layer writes, each dimension an axis."""
    return Viewed(layer, value, tuple((i,) for i in range(len(value.dims))))


def regrouped(
    sizes: Sequence[int], target: Sequence[int]
) -> tuple[list[list[int]], list[list[tuple[int, int]]]] | None:
    """Return how dimensions fall into others of the same numbers in the same order; None where they do not.

    Returns
    -------
    Of each old dimension the sizes of its parts, from the outermost; and of each new one the parts it is made of, each
    by its dimension and its place there.
    """
    if prod(sizes) != prod(target):
        return None
    parts: list[list[int]] = [[] for _ in sizes]
    made: list[list[tuple[int, int]]] = []
    here, left = -1, 1
    for size in target:
        group, needed = [], size
        while needed > 1:
            while left == 1:
                here, left = here + 1, sizes[here + 1]
            piece = min(left, needed)
            if left % piece or needed % piece:
                return None
            group.append((here, len(parts[here])))
            parts[here].append(piece)
            left, needed = left // piece, needed // piece
        made.append(group)
    return [one or [1] for one in parts], made
