"""What batches of several sizes take by every known schedule, and what no size passes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.studies.schedules.compare import compare_schedules
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.schedules.stages import StageTimes

MOST_PASSES: Final = 40_000
"""Of a microbatch through a stage, in all batches together: a schedule's operations are put in order one by one."""


@dataclass(frozen=True)
class BatchPoint:
    """A batch by a schedule.

    Parameters
    ----------
    schedule, microbatches
        Which, and of how many.
    seconds
        What it takes, as `NamedSchedule` has it; None where the schedule has none of this size.
    bubble
        The share of all devices' time in which they do nothing.
    fits
        Whether all devices' memories hold what they keep.
    reason
        Why there is none.
    """

    schedule: str
    microbatches: int
    seconds: Fraction | None
    bubble: Fraction | None
    fits: bool
    reason: str = ""

    @property
    def rate(self) -> Fraction | None:
        """Microbatches a second."""
        return self.microbatches / self.seconds if self.seconds else None


@dataclass(frozen=True)
class Throughput:
    """Batches of several sizes.

    Parameters
    ----------
    points
        By size, then by schedule.
    most
        Microbatches a second that no schedule passes, whatever the size; None where nothing takes any time.
    slowest
        The device, from 0, that has most to do.
    """

    points: tuple[BatchPoint, ...]
    most: Fraction | None
    slowest: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """Of batches."""
        return tuple(dict.fromkeys(one.microbatches for one in self.points))

    @property
    def schedules(self) -> tuple[str, ...]:
        """Those that have a batch of any size."""
        return tuple(dict.fromkeys(one.schedule for one in self.points if one.seconds is not None))


def throughput_of(stages: Sequence[StageTimes], sizes: Sequence[int], devices: int | None = None) -> Throughput:
    """Return what batches of several sizes take by every known schedule.

    Parameters
    ----------
    stages
        In order.
    sizes
        Numbers of microbatches.
    devices
        As `compare_schedules` takes them.

    Raises
    ------
    Refusal
        If there is too much to put in order.
    """
    passes = sum(sizes) * len(stages)
    if passes > MOST_PASSES:
        raise Refusal(
            f"{sum(sizes):,} microbatches of {len(sizes):,} batches at {len(stages):,} stages are {passes:,} to put "
            f"in order by every schedule, and at most {MOST_PASSES:,} are; try fewer sizes, as 1,2,4,8"
        )
    points = [
        BatchPoint(one.name, size, one.seconds, one.bubble, one.fits, one.reason)
        for size in sizes
        for one in compare_schedules(stages, size, devices=devices)
    ]
    count = devices or len(stages)
    work = [sum((one.forward + one.backward for one in stages[place::count]), Fraction(0)) for place in range(count)]
    longest = max(work)
    return Throughput(tuple(points), 1 / longest if longest else None, work.index(longest))
