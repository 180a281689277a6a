"""What a program is given: the whole arrays, and how parts of them lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.export.lying import Lying

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.operators.placements import AxisPlacement, Placement
    from hypar_opt.export.lying import Digit


@dataclass(frozen=True)
class Row:
    """An array that a program is given.

    Parameters
    ----------
    source
        The tensor, or what else is loaded, as the right classes; several rows may have one.
    shape
        Whole.
    placement
        How it lies.
    orders
        By dimension, the axes that its digits are of.
    high
        What its numbers are below; None where they are no numbers of places.
    windows
        By dimension, the rows that each part needs, as the text of a record; of others none.
    """

    source: str
    shape: tuple[int, ...]
    placement: Placement
    orders: tuple[tuple[int, ...], ...]
    high: int | None = None
    windows: tuple[tuple[int, str], ...] = ()

    def cuts(self, sizes: Sequence[int]) -> tuple[Digit, ...]:
        """Return the digits that are cut off, dimension by dimension."""
        from hypar_opt.evaluation.operators.placements import WHOLE

        whole: list[AxisPlacement] = [WHOLE] * len(sizes)
        lying = Lying(self.shape, list(self.orders), tuple(sizes), whole)
        return tuple(
            lying.split(axis, place)
            for place, order in enumerate(self.orders)
            for axis in order
            if self.placement[axis].position == place
        )
