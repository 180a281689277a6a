"""How a tensor lies while it is converted: which digits of its dimensions are those of axes."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import AxisPlacement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement


@dataclass(frozen=True)
class Digit:
    """A digit of a dimension, which an axis's coordinate is.

    Parameters
    ----------
    axis
        Its number.
    dimension
        The tensor's.
    before
        Into how many blocks the digits before it cut what a device has of the dimension.
    size
        What a device has of the dimension without the digit, where that falls into no equal parts and is filled up.
    """

    axis: int
    dimension: int
    before: int = 1
    size: int | None = None


@dataclass
class Lying:
    """How a tensor lies while it is converted.

    Parameters
    ----------
    shape
        Of the whole tensor.
    orders
        By dimension, the axes' digits, outermost first.
    sizes
        Of the axes.
    now
        Its placement.
    """

    shape: tuple[int, ...]
    orders: list[tuple[int, ...]]
    sizes: tuple[int, ...]
    now: list[AxisPlacement] = field(default_factory=list)

    def cut(self, axis: int, dimension: int) -> Digit:
        """Return the digit of an axis among those that a device has all of, as things are."""
        order = self.orders[dimension]
        before = order[: order.index(axis)]
        blocks = prod(self.sizes[one] for one in before if self.now[one].position != dimension)
        return Digit(axis, dimension, blocks, self.filled(axis, dimension))

    def filled(self, axis: int, dimension: int) -> int | None:
        """Return what a device has of a dimension, if an axis does not cut it into equal parts."""
        others = (one for one in self.orders[dimension] if one != axis and self.now[one].position == dimension)
        size = -(-self.shape[dimension] // prod(self.sizes[one] for one in others))
        return size if size % self.sizes[axis] else None

    def uneven(self, dimension: int | None) -> bool:
        """Return whether a dimension may be filled up."""
        return dimension is not None and bool(
            self.shape[dimension] % prod(self.sizes[axis] for axis in self.orders[dimension])
        )

    def is_uneven(self, axes: Iterable[int], placement: Placement) -> bool:
        """Return whether some dimension that axes split by a placement may be filled up."""
        return any(self.uneven(placement[axis].position) for axis in axes)

    def outermost_first(self, places: Mapping[int, int | None]) -> list[int]:
        """Return axes with the outermost digits of what they split first, where that is filled up; else as they are."""
        if not any(self.uneven(place) for place in places.values()):
            return list(places)
        return sorted(places, key=lambda axis: self.orders[places[axis] or 0].index(axis))

    def split(self, axis: int, dimension: int) -> Digit:
        """Note that an axis splits a dimension, and return its digit."""
        found = self.cut(axis, dimension)
        self.now[axis] = AxisPlacement(dimension)
        return found

    def merge(self, axes: Sequence[int], then: AxisPlacement) -> tuple[Digit, ...]:
        """Note that axes split nothing any more, and return their digits, as they are cut off one after the other."""
        places = {axis: self.now[axis].position for axis in axes}
        places = {axis: places[axis] for axis in self.outermost_first(places)}
        for axis in axes:
            self.now[axis] = then
        whole, cuts = list(self.now), []
        for axis, place in places.items():
            assert place is not None
            cuts.append(self.split(axis, place))
        self.now = whole
        return tuple(cuts)

    def free(self, axis: int) -> int | None:
        """Return a dimension that an axis can split into equal parts besides all that do; it gets a digit there."""
        for dimension, size in enumerate(self.shape):
            order = self.orders[dimension]
            if axis in order:
                if size % prod(self.sizes[one] for one in order) == 0:
                    return dimension
            elif size % (prod(self.sizes[one] for one in order) * self.sizes[axis]) == 0:
                self.orders[dimension] = (*order, axis)
                return dimension
        return None
