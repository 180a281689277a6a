"""What a device of an array of axes can do: at which rates it computes, or how long it was measured to take."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.instance.hardware.accelerator import Energies
    from hypar_opt.instance.operators.graph import Operator

Shape: TypeAlias = tuple[tuple[str, int], ...]
"""An operator's dimensions with their sizes on one device, by name in alphabetical order."""


MOST_COMPARED: Final = 200
"""Characters of a row that are compared with those of others."""


@dataclass(frozen=True)
class TimesFile:
    """A file of measured times.

    Parameters
    ----------
    path
        Which.
    lines
        By an operator's kind and local shape, the line that has it.
    """

    path: Path
    lines: Mapping[tuple[str, Shape], int]


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
    source
        Returns the file that has these, or None; asked where a row is missing.
    """

    rate: Fraction
    bandwidth: Fraction | None = None
    energies: Energies | None = None
    times: Mapping[tuple[str, Shape], tuple[Fraction, Fraction]] | None = field(default=None, hash=False)
    source: Callable[[], TimesFile | None] | None = field(default=None, compare=False, repr=False)

    def measured(self, operator: Operator, sizes: Mapping[str, int]) -> tuple[Fraction, Fraction]:
        """Return the measured seconds of an operator's phases.

        Parameters
        ----------
        operator
            Which.
        sizes
            Of its dimensions, on the device.

        Raises
        ------
        InputError
            If they are not in the table; names the row, and the nearest with its place.
        """
        assert self.times is not None  # asked where there is a table
        shape = tuple(sorted(sizes.items()))
        found = self.times.get((operator.kind, shape))
        if found is None:
            raise self._missing(operator, row_text(operator.kind, shape))
        return found

    def _missing(self, operator: Operator, row: str) -> InputError:
        alike = {row_text(*one): one for one in self.times or () if one[0] == operator.kind}
        near = next(iter(get_close_matches(row[:MOST_COMPARED], alike, n=1, cutoff=0)), None)
        kinds = ", ".join(sorted({kind for kind, _ in self.times or ()}))
        there = f"it has rows of {kinds}" if near is None else f"the nearest row is '{near}'"
        read = None if self.source is None else self.source()
        line = None if read is None or near is None else read.lines.get(alike[near])
        said = f"has no row '{row}', the largest part of '{operator.name}' on a device; {there}"
        return InputError(said, file=None if read is None else read.path, line=line, field="array.accelerator.times")


def row_text(kind: str, shape: Shape) -> str:
    """Return which row of a table of measured times an operator of a local shape has."""
    return f"{kind},{' '.join(f'{name}={size}' for name, size in shape)}"
