"""How many iterations to fuse: fewer checks of convergence and barriers against iterations done for nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.conjugate_gradient.dispatch import dispatch, least, whole
from hypar_opt.studies.conjugate_gradient.unrolling import unroll

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hypar_opt.studies.conjugate_gradient.durations import Durations
    from hypar_opt.studies.conjugate_gradient.unrolling import Loop


@dataclass(frozen=True)
class FusedTime:
    """What a system takes that converges after so many iterations.

    Parameters
    ----------
    fuse
        Iterations from one check of convergence to the next.
    iterations
        That are done: the multiple of `fuse` from which on it has converged.
    least, found
        Seconds that no schedule is below, and those of the schedule that was found, barrier by barrier.
    """

    fuse: int
    iterations: int
    least: Fraction
    found: Fraction


def fused_iterations(needed: int, fuse: int) -> int:
    """Return how many iterations are done where convergence is looked for every `fuse` of them."""
    return -(-needed // fuse) * fuse


def fused_times(
    loop: Loop, durations: Durations, workers: int, fuses: Sequence[int], needed: Collection[int]
) -> dict[int, tuple[FusedTime, ...]]:
    """Return by the number of iterations that are needed what it takes with each `fuse`.

    A barrier parts what is before it from what comes, so that all takes as many times what is between two takes.

    Parameters
    ----------
    loop
        Its iterations and `fuse` do not count.
    fuses, needed
        What is tried, and after how many iterations there is convergence.
    """
    found: dict[int, list[FusedTime]] = {one: [] for one in needed}
    for fuse in fuses:
        steps = unroll(replace(loop, iterations=fuse, fuse=fuse), closed=True)
        units, (seconds,) = whole(durations.of_all(steps, loop.blocks))
        low = Fraction(least(steps, seconds, workers), units)
        high = Fraction(dispatch(steps, seconds, workers).length, units)
        for one, several in found.items():
            done = fused_iterations(one, fuse)
            several.append(FusedTime(fuse, done, done // fuse * low, done // fuse * high))
    return {one: tuple(several) for one, several in found.items()}


def best_fuses(times: Sequence[FusedTime]) -> tuple[int, tuple[int, ...]]:
    """Return the `fuse` whose schedule is shortest, and all that could be best as far as the bounds say."""
    best = min(times, key=lambda one: one.found)
    return best.fuse, tuple(one.fuse for one in times if one.least <= best.found)
