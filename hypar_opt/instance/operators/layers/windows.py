"""Windows that slide along any number of dimensions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from pydantic import BeforeValidator, WithJsonSchema

from hypar_opt.instance.fields import refusal
from hypar_opt.instance.limits import LARGEST_SIZE
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.layers.value import CHANNELS, SPATIAL
from hypar_opt.instance.operators.window import Window
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.value import Dim, Value

MOST: Final = len(SPATIAL) - 1
"""Dimensions along which one window slides."""


def _numbers(value: object, least: int, most: int) -> tuple[int, ...]:
    listed = value if isinstance(value, list | tuple) else (value,)
    for one in listed:
        if type(one) is not int or not least <= one <= LARGEST_SIZE:
            raise refusal(f"expected an integer of at least {least} or a list of such, got {shown(value)}")
    if not 1 <= len(listed) <= most:
        raise refusal(f"expected 1 to {most} numbers, got {len(listed)}")
    return tuple(listed)


def _schema(least: int, most: int) -> dict[str, Any]:
    size = {"type": "integer", "minimum": least, "maximum": LARGEST_SIZE}
    return {"anyOf": [size, {"type": "array", "items": size, "minItems": 1, "maxItems": most}]}


Lengths: TypeAlias = Annotated[
    tuple[int, ...], BeforeValidator(lambda value: _numbers(value, 1, MOST)), WithJsonSchema(_schema(1, MOST))
]
"""One number, or one for each dimension: (height, width) of maps."""
Margins: TypeAlias = Annotated[
    tuple[int, ...], BeforeValidator(lambda value: _numbers(value, 0, 2 * MOST)), WithJsonSchema(_schema(0, 2 * MOST))
]
"""One number, one for each dimension, or all beginnings before all ends: (top, left, bottom, right) of maps."""


def spatial(value: Value, kind: str) -> tuple[Dim, ...]:
    """Return the dimensions behind the channels.

    Raises
    ------
    ShapeError
        If there are no channels in front, or none or too many dimensions behind them.
    """
    if value.names[1:2] != (CHANNELS,) or not 3 <= len(value.dims) <= 2 + MOST:
        raise ShapeError(f"{kind} reads [channels, height, width], or another 1 to {MOST} behind channels, got {value}")
    return value.dims[2:]


def spread(numbers: Sequence[int], count: int, field: tuple[str, ...]) -> tuple[int, ...]:
    """Return one number for each dimension.

    Raises
    ------
    ShapeError
        If there are some for another count of dimensions.
    """
    if len(numbers) not in (1, count):
        raise ShapeError(f"expected one number or {count}, got {len(numbers)}", field)
    return tuple(numbers) * (count if len(numbers) == 1 else 1)


def margins(numbers: Sequence[int], count: int, field: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return for each dimension what is added before and after; raises as `spread` does."""
    if len(numbers) == 2 * count:
        return tuple(zip(numbers[:count], numbers[count:], strict=True))
    return tuple((one, one) for one in spread(numbers, count, field))


@dataclass(frozen=True)
class Sliding:
    """A window along one dimension; `margin` is what is added before and after."""

    kernel: int
    stride: int
    margin: tuple[int, int] = (0, 0)
    dilation: int = 1
    rounds_up: bool = False

    @property
    def span(self) -> int:
        """From the first to the last that a position sees."""
        return self.dilation * (self.kernel - 1) + 1

    def positions(self, size: int) -> int:
        """Return how many there are; the last begins within what is there, not within the margin behind it.

        Raises
        ------
        ShapeError
            If there are none.
        """
        left = size + sum(self.margin) - self.span
        if left < 0:
            raise ShapeError(f"a kernel that spans {self.span} does not fit {size} with padding {sum(self.margin)}")
        count = -(-left // self.stride) + 1 if self.rounds_up else left // self.stride + 1
        return count - ((count - 1) * self.stride >= size + self.margin[0]) if self.rounds_up else count

    def transposed_size(self, size: int, more: int) -> int:
        """Return how many places so many positions write to.

        Raises
        ------
        ShapeError
            If there are none.
        """
        made = (size - 1) * self.stride - sum(self.margin) + self.span + more
        if made < 1:
            raise ShapeError(f"expected less padding than {sum(self.margin)}, which leaves nothing of {size}")
        return made

    def over(self, size: int) -> Window:
        """Return the window over so many places; raises as `positions` does."""
        return Window(self.positions(size), self.kernel, self.stride, self.dilation, self.margin[0])

    def transposed_over(self, size: int, more: int) -> Window:
        """Return which of so many positions each place reads that they write to; raises as `transposed_size` does.

        Position i writes to the places stride i + dilation j - margin, j from 0 to kernel - 1.
        """
        made, before = self.transposed_size(size, more), self.span - 1 - self.margin[0]
        return Window(made, self.kernel, 1, self.dilation, before, self.stride)


def linear_upsampling(size: int, factor: int) -> Window:
    """Return the window of weighted means: a place takes rows whose middles are less than one row from its own."""
    return Window(size * factor, 2 * factor - factor % 2, 1, 1, (3 * factor - 2) // 2, factor)


def nearest_upsampling(size: int, factor: int) -> Window:
    """Return the window of copies: each place is that of one row."""
    return Window(size * factor, factor, 1, 1, factor - 1, factor)
