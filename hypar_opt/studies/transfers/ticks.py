"""A problem in whole ticks, for searches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.studies.transfers.problem import TransferProblem


@dataclass(frozen=True)
class Ticks:
    """Times of a problem as integers; by gradient, in the order of the forward pass.

    Parameters
    ----------
    unit
        Ticks a second.
    ready, seconds, tails
        As in the problem.
    start_up, unhindered
        As in the problem.
    """

    unit: int
    ready: tuple[int, ...]
    seconds: tuple[int, ...]
    tails: tuple[int, ...]
    start_up: int
    unhindered: int

    @classmethod
    def of(cls, problem: TransferProblem) -> Ticks:
        """Return the times of a problem in the largest unit of which all are multiples."""
        each = problem.gradients
        columns = ([one.ready for one in each], [one.seconds for one in each], problem.tails)
        single = (problem.start_up, problem.unhindered)
        unit = lcm(*(value.denominator for values in (*columns, single) for value in values))

        def whole(value: Fraction) -> int:
            return value.numerator * (unit // value.denominator)

        ready, seconds, tails = (tuple(map(whole, values)) for values in columns)
        return cls(unit, ready, seconds, tails, *map(whole, single))

    @cached_property
    def sums(self) -> tuple[int, ...]:
        """By gradient, the seconds of all up to it."""
        return tuple(accumulate(self.seconds))

    @cached_property
    def works(self) -> tuple[int, ...]:
        """By gradient, the most of sum and tail up to it: G of `optimum`."""
        return tuple(accumulate((sum_ + tail for sum_, tail in zip(self.sums, self.tails, strict=True)), max))
