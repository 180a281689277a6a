"""What an argument proves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LowerBound:
    """No placement costs less.

    Parameters
    ----------
    value
        In the PlacementGraph's unit.
    text
        The argument, in words.
    placed
        A placement that costs exactly that, where the argument gives one.
    """

    value: int
    text: str
    placed: tuple[int, ...] | None = None


def rounded_up(value: int, step: int) -> int:
    """Return the least multiple of a step that is at least a value."""
    return -(-value // step) * step if step else value
