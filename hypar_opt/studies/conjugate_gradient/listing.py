"""Variants of conjugate gradients as listings: what each line of an iteration reads and writes.

Dependences are not written down: they follow from reads and writes (`unrolling.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from hypar_opt.studies.conjugate_gradient.operations import AXPY, DOT, PRECONDITIONER, PRODUCT, SCALAR, LineOperation


@dataclass(frozen=True)
class ListingLine:
    """A line of a listing.

    Parameters
    ----------
    writes
        The vector, the parts of a scalar product, or the scalar that it writes; what it is called, too.
    operation
        What it does.
    reads
        Names that other lines, or this one an iteration ago, have written. What blocks do reads the same block of
        vectors, and of what a product multiplies others too; what is done once reads all blocks.
    """

    writes: str
    operation: LineOperation
    reads: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """A variant of conjugate gradients.

    Parameters
    ----------
    name, summary, source
        What it is called, what is different about it, and who described it.
    kernels
        An iteration's lines, in an order in which they can be done.
    fuses
        Whether iterations run into each other, with a barrier every so many; otherwise there is one after each.
    """

    name: str
    summary: str
    source: str
    kernels: tuple[ListingLine, ...]
    fuses: bool


def product(writes: str, vector: str) -> ListingLine:
    """Return the line that multiplies a vector by the matrix."""
    return ListingLine(writes, PRODUCT, (vector,))


def precondition(writes: str, vector: str) -> ListingLine:
    """Return the line that applies the preconditioner to a vector, each block by itself."""
    return ListingLine(writes, PRECONDITIONER, (vector,))


def dot(writes: str, *vectors: str) -> ListingLine:
    """Return the line that multiplies two vectors, as parts of a sum."""
    return ListingLine(writes, DOT, vectors)


def axpy(writes: str, *reads: str) -> ListingLine:
    """Return the line that adds a multiple of a vector, in the order `y + a x`."""
    return ListingLine(writes, AXPY, reads)


def scalar(writes: str, *reads: str) -> ListingLine:
    """Return the line that adds up parts and computes a coefficient."""
    return ListingLine(writes, SCALAR, reads)
