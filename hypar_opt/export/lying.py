"""How a tensor lies while it is converted: which digits of its dimensions are those of axes."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import AxisPlacement
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement


ANOTHER_ORDER: Final = "parts that are filled up are parts of each other in another order than they are moved"


class DealtAxes(tuple[int, ...]):
    """Two axes to which a dimension is dealt out, that they cut into no equal parts.

    Index k goes to place k mod p of the first and to (k + floor(k / lcm(p, q))) mod q of the second: so along the
    first, along the second and along both no part is larger than any has to be, whereas of parts of blocks side by side
    those along the second alone would be.
    """

    __slots__ = ()


@dataclass(frozen=True)
class Dealing:
    """How a dimension is dealt out to axes.

    Parameters
    ----------
    size
        Of the whole dimension.
    axes
        To which.
    there
        Those of them that split already what a digit is cut off of.
    """

    size: int
    axes: tuple[int, ...]
    there: tuple[int, ...]


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
    dealing
        How the dimension is dealt out, if it is.
    """

    axis: int
    dimension: int
    before: int = 1
    size: int | None = None
    dealing: Dealing | None = None


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
    own
        By axis, a dimension of what each device has that it cuts into blocks, whatever other axes' digits are.
    given
        Dimensions that axes split besides those that have to.
    """

    shape: tuple[int, ...]
    orders: list[tuple[int, ...]]
    sizes: tuple[int, ...]
    now: list[AxisPlacement] = field(default_factory=list)
    own: dict[int, int] = field(default_factory=dict)
    given: set[int] = field(default_factory=set)

    def cut(self, axis: int, dimension: int) -> Digit:
        """Return the digit of an axis among those that a device has all of, as things are."""
        if self.own.get(axis) == dimension:
            return Digit(axis, dimension)
        order = self.orders[dimension]
        split = [one for one in order if self.now[one].position == dimension]
        if isinstance(order, DealtAxes):
            return self.dealt(axis, dimension, split)
        self.refuse_inner(axis, dimension, split)
        before = order[: order.index(axis)]
        blocks = prod(self.sizes[one] for one in before if self.now[one].position != dimension)
        return Digit(axis, dimension, blocks, self.filled(axis, dimension))

    def dealt(self, axis: int, dimension: int, split: Sequence[int]) -> Digit:
        """Return the digit of an axis of a dimension that is dealt out, and that some axes split."""
        there = tuple(one for one in self.orders[dimension] if one in split and one != axis)
        size = self.shape[dimension]
        left = -(-size // prod(self.sizes[one] for one in there))
        return Digit(axis, dimension, 1, left, Dealing(size, tuple(self.orders[dimension]), there))

    def refuse_inner(self, axis: int, dimension: int, split: Sequence[int]) -> None:
        """Refuse to cut off parts that are filled up of what inner axes split: those would be larger without it.

        Raises
        ------
        Refusal
            If one of `split` is behind the axis in the order of a dimension that is filled up.
        """
        order = self.orders[dimension]
        if self.uneven(dimension) and any(order.index(one) > order.index(axis) for one in split if one != axis):
            raise Refusal(ANOTHER_ORDER)

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

        def rank(axis: int) -> int:
            order = self.orders[places[axis] or 0]
            return order.index(axis) if axis in order else len(order)  # it cuts what the others have left

        return sorted(places, key=rank)

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

    def free(self, axis: int, need: Placement | None = None) -> int | None:
        """Return a dimension that an axis can split into equal parts besides all that do; it gets a digit there.

        Where parts of the whole are not equal, parts of what each device has may be, along a dimension that stays as it
        is on all other axes.

        Parameters
        ----------
        axis
            Its number.
        need
            How the tensor shall lie in the end, if it is that alone which counts.
        """
        for dimension, size in enumerate(self.shape):
            order = self.orders[dimension]
            more = 1 if axis in order else self.sizes[axis]
            if dimension in self.own.values() or size % (prod(self.sizes[one] for one in order) * more):
                continue
            if axis not in order:
                self.orders[dimension] = (*order, axis)
            self.given.add(dimension)
            return dimension
        for dimension, size in enumerate(self.shape) if need is not None else ():
            pairs = [(one.position, other.position) for one, other in zip(self.now, need or (), strict=True)]
            splits = [one for one, pair in enumerate(pairs) if dimension in pair]
            left = -(-size // prod(self.sizes[one] for one in splits))
            stays = all(pairs[one] == (dimension, dimension) for one in splits) and dimension not in self.given
            if stays and left % self.sizes[axis] == 0:
                self.own[axis] = dimension
                self.given.add(dimension)
                return dimension
        return None
