"""The machine and the training that plans on arrays of several kinds of accelerators are judged for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.instance.barriers import Barrier
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.hardware.mixed import MixedArray, Path

BY_LEVEL: Final = ("published", "receiver", "as-evaluated")
"""The accountings that say level by level what a half of a group reads."""
MODELS: Final = ("as-evaluated", "peak")
"""How accelerators may count operations: what a half does is its share of the whole."""


@dataclass(frozen=True)
class MixedSetting:
    """What a plan costs depends on this, beside the network.

    Parameters
    ----------
    batch, accounting, bytes_per_element, input_error, optimiser
        As in the instance.
    array
        Its kinds of accelerators, and where they are.
    barrier
        Where groups wait for each other.

    Raises
    ------
    ValueError
        If the accounting is not by level, or an accelerator's operations are counted in another way than as evaluated:
        neither says what one half of a group does.
    """

    batch: int
    array: MixedArray
    accounting: str
    bytes_per_element: int
    optimiser: Optimiser
    barrier: Barrier
    input_error: bool = True

    def __post_init__(self) -> None:
        if self.accounting not in BY_LEVEL:
            raise ValueError(f"accounting '{self.accounting}' on several kinds, expected one of {', '.join(BY_LEVEL)}")
        for kind in self.array.kinds:
            if kind.accelerator.model not in MODELS:
                raise ValueError(
                    f"kind '{kind.name}' has model '{kind.accelerator.model}', expected one of {', '.join(MODELS)}"
                )

    @property
    def levels(self) -> int:
        """H."""
        return self.array.levels

    @cached_property
    def halves(self) -> tuple[Mapping[Path, int], ...]:
        """By level, the paths down to its halves, each with how many halves have it."""
        return tuple(self.array.halves(level) for level in range(self.levels))

    @cached_property
    def seconds_a_byte(self) -> tuple[tuple[Fraction, ...], ...]:
        """By class and level, how long the half that a leaf of the class is in needs to read a byte."""
        return tuple(
            tuple(1 / self.array.bandwidth(one.leaf, level) for level in range(self.levels))
            for one in self.array.classes
        )

    @cached_property
    def busy(self) -> tuple[int, ...]:
        """By split, the half that has and does all of what is not split."""
        return tuple(self.array.busy_side(split) for split in range(len(self.array.splits)))
