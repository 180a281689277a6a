"""Operations of a pipeline in time: the one form of a schedule that formulations of it read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Operation:
    """What a device does as a whole.

    Parameters
    ----------
    device
        Which.
    duration
        An exact integer.
    name
        For messages.
    """

    device: int
    duration: int
    name: str


@dataclass(frozen=True)
class HeldBytes:
    """What a device keeps from the begin of one operation to the end of another.

    Parameters
    ----------
    device, amount
        Which, and how much.
    first, last
        Operations.
    """

    device: int
    amount: int
    first: int
    last: int


@dataclass(frozen=True)
class ScheduleGraph:
    """Operations, each to be given a begin; the last end is to be least.

    Parameters
    ----------
    operations
        Each device does one at a time.
    after
        Pairs of operations with a lag: the second begins no earlier than so long after the first ends.
    held
        What is kept meanwhile.
    capacities
        By device, how much may be kept at any time; None where any amount may.
    unit
        Times are in units of 1 / unit seconds.
    """

    operations: tuple[Operation, ...]
    after: tuple[tuple[int, int, int], ...]
    held: tuple[HeldBytes, ...]
    capacities: tuple[int | None, ...]
    unit: int = 1

    def value(self, begins: Sequence[int]) -> int:
        """Return the last end."""
        return max((begin + one.duration for begin, one in zip(begins, self.operations, strict=True)), default=0)

    @cached_property
    def horizon(self) -> int:
        """When everything could have been done one after the other."""
        return sum(one.duration for one in self.operations) + sum(lag for _, _, lag in self.after)
