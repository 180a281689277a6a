"""What kernels of conjugate gradients do to blocks of vectors, and what that takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final, TypeAlias


@dataclass(frozen=True)
class Block:
    """Rows of the matrix, and so elements of every vector, that a task works on.

    Parameters
    ----------
    rows
        How many.
    nonzeros
        Of the matrix in these rows; a share of all where nothing else is known.
    """

    rows: int
    nonzeros: Fraction


Amount: TypeAlias = Callable[[Block], Fraction]


@dataclass(frozen=True)
class LineOperation:
    """What a kernel does.

    Parameters
    ----------
    name, summary
        What it is called, and what it does.
    flops, bytes_
        Of a block: floating-point operations, and bytes that are read or written. Numbers have 8 bytes, indices 4;
        nothing stays in a cache from one kernel to the next.
    once
        Whether it is done once and not by blocks.
    gathers
        Whether it reads its vector beyond its own block.
    """

    name: str
    summary: str
    flops: Amount
    bytes_: Amount
    once: bool = False
    gathers: bool = False


def _nothing(_: Block) -> Fraction:
    return Fraction(0)


PRODUCT: Final = LineOperation(
    "product",
    "rows of the matrix times a vector; rows are compressed",
    lambda block: 2 * block.nonzeros,
    lambda block: 12 * block.nonzeros + 20 * block.rows,
    gathers=True,
)
"""A value and an index a nonzero; a pointer, an element of the vector and one of the result a row."""
PRECONDITIONER: Final = LineOperation(
    "preconditioner",
    "two triangular solves within the block: block Jacobi, incomplete Cholesky without fill",
    lambda block: 2 * (block.nonzeros + block.rows),
    lambda block: 12 * (block.nonzeros + block.rows) + 40 * block.rows,
)
"""Each triangle has (nonzeros + rows) / 2 elements, as if no nonzero lay outside the diagonal blocks."""
DOT: Final = LineOperation(
    "dot",
    "a block's part of a scalar product",
    lambda block: Fraction(2 * block.rows),
    lambda block: Fraction(16 * block.rows),
)
AXPY: Final = LineOperation(
    "axpy",
    "a vector plus a multiple of another",
    lambda block: Fraction(2 * block.rows),
    lambda block: Fraction(24 * block.rows),
)
SCALAR: Final = LineOperation(
    "scalar", "the sum of all blocks' parts, and a coefficient of it", _nothing, _nothing, once=True
)
BARRIER: Final = LineOperation(
    "barrier", "everything before it ends before anything after it begins", _nothing, _nothing, once=True
)
OPERATIONS: Final = MappingProxyType({one.name: one for one in (PRODUCT, PRECONDITIONER, DOT, AXPY, SCALAR, BARRIER)})
"""By name."""
