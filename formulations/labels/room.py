"""What is kept of labels, and how much memory they may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from formulations.labels.table import Labels
from hypar_opt.run import Stopped

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hypar_opt.run import Run

    Positions = NDArray[np.intp]

BYTES = {True: 8, False: 64}
"""Of an int64, and roughly of a Python integer with its pointer."""
WORK = 6
"""Arrays as long as the labels in work, beside those of their coordinates."""


class Full(Stopped):
    """Raised where the labels exceed the memory limit."""


@dataclass
class Room:
    """What labels may take of the memory.

    Parameters
    ----------
    run
        Whose limits they are.
    coordinates, cell
        Of a label, and bytes each.
    stored
        Pointers kept for decoding.
    made, most
        How many labels were made, and the most that one variable kept.
    """

    run: Run
    coordinates: int
    cell: int
    stored: int = 0
    made: int = 0
    most: int = 0

    def take(self, labels: int, waiting: int) -> None:
        """Count labels that are about to be made, beside those made before and waiting for them.

        Raises
        ------
        Stopped
            If a limit is hit.
        """
        self.run.check()
        self.made += labels
        need = 8 * self.stored + (labels + waiting) * (2 * self.coordinates * self.cell + 8 * WORK)
        if need > self.run.limits.memory_bytes:
            raise Full

    def keep(self, labels: int, pointers: int) -> None:
        """Count labels that are kept, and their pointers."""
        self.stored += labels * pointers
        self.most = max(self.most, labels)


@dataclass(frozen=True, eq=False)
class Kept:
    """What decoding needs of a variable's labels.

    Parameters
    ----------
    labels
        Of which the offsets matter; the values only until the parent has them.
    origins
        By child: which of its labels a label comes from.
    """

    labels: Labels
    origins: tuple[tuple[int, Positions], ...] = ()

    def only(self, kept: NDArray[np.bool_]) -> Kept:
        """Return what is left of it."""
        if kept.all():
            return self
        labels, positions = self.labels.only(kept)
        return Kept(labels, tuple((child, pointer[positions]) for child, pointer in self.origins))

    @property
    def bare(self) -> Kept:
        """The same without values."""
        return Kept(Labels((), self.labels.offsets), self.origins)
