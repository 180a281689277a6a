"""What stages take where that is no sum over their groups: another optimum, or a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array

BEYOND: Final = np.int64(2**62)
"""The time of a stage that there may not be."""


class GivenTimesBetween(Protocol):
    """Times of the stages between down-sets of one list."""

    def between(self, one: int, others: Array) -> list[Array]:
        """Return by option the times of stages with the groups of other down-sets that are not in one.

        Parameters
        ----------
        one, others
            Positions of down-sets; each of the others has all of the first. Where there may be no such stage, more than
            any takes: `BEYOND`, where times have 64 bits.
        """


class GivenTimes(Protocol):
    """What a stage takes by each option, given its groups; the options' own times are then no more than that.

    The options of a graph that has such times say what every group adds at least, wherever it is: of a stage the sum
    over its groups is a bound, which a search leaves most stages out by.
    """

    @property
    def most(self) -> int:
        """What no stage takes more than."""

    def over(self, members: Array) -> GivenTimesBetween:
        """Return the times of stages between down-sets.

        Parameters
        ----------
        members
            Whether a group is in a down-set; shape (groups, down-sets).
        """

    def time(self, option: int, groups: Sequence[int]) -> int | None:
        """Return what a stage takes; None where there may be no such stage."""
