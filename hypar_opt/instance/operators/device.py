"""What a device of an array of axes can do: at which rates it computes, or how long it was measured to take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.instance.hardware.accelerator import Energies

Shape: TypeAlias = tuple[tuple[str, int], ...]
"""An operator's dimensions with their sizes on one device, by name in alphabetical order."""


@dataclass(frozen=True)
class Device:
    """A device; all of an array are alike.

    Parameters
    ----------
    rate
        Operations a second that it reaches: a multiplication and an addition are two.
    bandwidth
        Bytes a second between it and its memory; None where that never limits.
    energies
        None where nobody needs them.
    times
        Measured seconds of the forward and of the backward phase, by an operator's kind and local shape; None where
        time is told by the rates.
    """

    rate: Fraction
    bandwidth: Fraction | None = None
    energies: Energies | None = None
    times: Mapping[tuple[str, Shape], tuple[Fraction, Fraction]] | None = field(default=None, hash=False)

    def measured(self, kind: str, sizes: Mapping[str, int]) -> tuple[Fraction, Fraction]:
        """Return the measured seconds of an operator's phases.

        Raises
        ------
        InputError
            If they are not in the table; names the row, and the nearest.
        """
        assert self.times is not None  # asked where there is a table
        shape = tuple(sorted(sizes.items()))
        found = self.times.get((kind, shape))
        if found is None:
            rows = [row_text(*row) for row in self.times]
            row = row_text(kind, shape)
            raise InputError(f"has no row '{row}'{did_you_mean(row, rows)}", field="array.accelerator.times")
        return found


def row_text(kind: str, shape: Shape) -> str:
    """Return which row of a table of measured times an operator of a local shape has."""
    return f"{kind},{' '.join(f'{name}={size}' for name, size in shape)}"
