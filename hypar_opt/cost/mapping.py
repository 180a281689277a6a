"""How a row-stationary dataflow lays a convolution out on a grid of processing elements.

A row of elements holds a row of the kernel, a column makes a row of the output (Chen, Krishna, Emer & Sze, JSSC 2017);
what is smaller than the grid is laid out several times, what is larger is folded.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from hypar_opt.network import WorkLayer

Map: TypeAlias = tuple[int, int]
"""Height and width."""


@dataclass(frozen=True)
class Mapped:
    """What the mapping of one phase comes to.

    Parameters
    ----------
    filled
        Share of the grid that works.
    accesses
        Accesses to the buffer for a multiply-accumulate: of the input, of the kernel, and of partial sums, which
        are read and written.
    """

    filled: Fraction
    accesses: Fraction


def phases_of(layer: WorkLayer) -> tuple[tuple[Map, Map], ...]:
    """Return the kernel and the output of the forward, the backward and the gradient phase.

    The gradient phase slides E[l+1] over F[l] and makes W[l]. A linear layer is a convolution on one position.
    """
    return (layer.kernel, layer.map_out), (layer.kernel, layer.map_in), (layer.map_out, layer.kernel)


def mapped(kernel: Map, output: Map, grid: Map) -> Mapped:
    """Lay a phase out on a grid of rows and columns."""
    rows, columns = grid
    along_rows, along_columns = _laid(kernel[0], rows), _laid(output[0], columns)
    taps = kernel[0] * kernel[1]
    input_reads = Fraction(1, taps * max(1, columns // output[0]))
    kernel_reads = Fraction(1, min(output[0], columns) * output[1])
    partial_sums = Fraction(2, min(kernel[0], rows) * kernel[1] * max(1, rows // kernel[0]))
    return Mapped(along_rows * along_columns, input_reads + kernel_reads + partial_sums)


def _laid(length: int, available: int) -> Fraction:
    """Return the share of a side of the grid that works: laid out several times, or folded."""
    if length <= available:
        return Fraction(length * (available // length), available)
    folds = -(-length // available)
    return Fraction(length, folds * available)
