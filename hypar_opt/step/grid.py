"""A phase on the grid of a row-stationary accelerator."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil


@dataclass(frozen=True)
class OnGrid:
    """A two-dimensional convolution laid out on rows and columns of processing elements.

    Parameters
    ----------
    kernel_height, kernel_width
        Of what slides; a row of elements holds a row of it.
    out_height, out_width
        Of what is made; a column of elements makes a row of it.
    rows, columns
        Of the grid.
    """

    kernel_height: int
    kernel_width: int
    out_height: int
    out_width: int
    rows: int
    columns: int

    @property
    def filled(self) -> Fraction:
        """Share of the elements that work."""
        down = self.kernel_height * self.sets_down / Fraction(ceil(Fraction(self.kernel_height, self.rows)))
        across = self.out_height * self.sets_across / Fraction(ceil(Fraction(self.out_height, self.columns)))
        return down * across / (self.rows * self.columns)

    @property
    def sets_down(self) -> int:
        """Copies above each other; they work on different channels and add up."""
        return max(1, self.rows // self.kernel_height)

    @property
    def sets_across(self) -> int:
        """Copies beside each other; they work for different filters on the same input."""
        return max(1, self.columns // self.out_height)

    @property
    def input_uses(self) -> int:
        """Multiply-accumulates that an input word serves once it is read from the buffer."""
        return self.kernel_height * self.kernel_width * self.sets_across

    @property
    def kernel_uses(self) -> int:
        """The same of a word of the kernel."""
        return min(self.out_height, self.columns) * self.out_width

    @property
    def sum_uses(self) -> int:
        """Multiply-accumulates that are added up before a partial sum goes to the buffer and back."""
        return min(self.kernel_height, self.rows) * self.kernel_width * self.sets_down

    @property
    def accesses(self) -> Fraction:
        """Accesses to the buffer for a multiply-accumulate."""
        return Fraction(1, self.input_uses) + Fraction(1, self.kernel_uses) + Fraction(2, self.sum_uses)
