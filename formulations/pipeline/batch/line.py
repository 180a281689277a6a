"""What stages at the end of a pipeline, each of which reads the one before it, make a batch take.

Where M microbatches go forward and backward through stages k, ..., K, arrivals at stage k decide when each is back
there. By gpipe all that matters of these stages is the sum of their times and the longest of either phase, since

    sum of f + (M - 1) max f  +  sum of b + (M - 1) max b

is what all stages take: forward, microbatch i leaves stage k after the longest way through a grid of stages and
microbatches, one step further at a time, which takes every stage once and the longest M - 1 times more; backward the
same, from the last stage, which begins when it has done all forward and no other stage has anything to do any more.
By 1f1b it is the longest way A[i, j] from the arrival of microbatch i to the return of microbatch j, a matrix; a
stage in front of others takes it over, since what a device does is in a known order once it is known how many stages
stand behind it. Of two endings none of whose numbers is greater the one makes no batch longer, whatever comes before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from formulations.pipeline.batch.stages import StageRows
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline.batch import BatchTimes

NEVER = -(2**60)
"""Of a way that there is not."""


class BeforeRows(NamedTuple):
    """What stages before endings take at least: the sum of times and lags, the longest phases, and both together."""

    total: Array
    forward: Array
    backward: Array
    work: Array


class Endings(Protocol):
    """What matters of stages at the end of a pipeline, as rows of numbers."""

    @property
    def none(self) -> Array:
        """The row of no stages."""

    def longer(self, row: Array, behind: int, stages: StageRows) -> Array:
        """Return the rows with a further stage in front, of which so many stand behind; shape (stages, numbers)."""

    def least(self, rows: Array, before: BeforeRows, ahead: Array) -> Array:
        """Return what a batch takes at least.

        Parameters
        ----------
        rows
            Of endings.
        before
            What comes before these, at its least.
        ahead
            How many microbatches a stage of that has done forward when one comes back, at most.
        """


@dataclass(frozen=True)
class GPipeEndings:
    """All forward, then all backward: the sum of times, the longest forward, the longest backward.

    Parameters
    ----------
    microbatches
        Of a batch.
    """

    microbatches: int

    @property
    def none(self) -> Array:
        """Nothing."""
        return np.zeros(3, dtype=np.int64)

    def longer(self, row: Array, behind: int, stages: StageRows) -> Array:
        """Add the stage's times to the sum, with its lag where others stand behind it."""
        lags = 2 * stages.lags if behind else 0
        columns = (row[0] + stages.work + lags, np.maximum(row[1], stages.forward), np.maximum(row[2], stages.backward))
        return np.stack(columns, axis=1)

    def least(self, rows: Array, before: BeforeRows, ahead: Array) -> Array:
        """Return the formula, with what comes before at its least."""
        longest = np.maximum(rows[:, 1], before.forward) + np.maximum(rows[:, 2], before.backward)
        found: Array = rows[:, 0] + before.total + (self.microbatches - 1) * np.maximum(longest, before.work)
        return found


@dataclass(frozen=True)
class OneForwardOneBackwardEndings:
    """One forward, one backward: the sum of times, then the longest ways between arrivals and returns.

    Parameters
    ----------
    batch
        With M microbatches.
    """

    batch: BatchTimes

    @property
    def none(self) -> Array:
        """Every microbatch is back when it arrives."""
        microbatches = self.batch.microbatches
        ways = np.full((microbatches, microbatches), NEVER, dtype=np.int64)
        np.fill_diagonal(ways, 0)
        return np.concatenate([[0], ways.ravel()])

    def longer(self, row: Array, behind: int, stages: StageRows) -> Array:
        """Do what a device does, in its order: by stage and arrival, when each operation ends."""
        microbatches, count = self.batch.microbatches, len(stages.ends)
        ways = row[1:].reshape(microbatches, microbatches)
        ahead = self.batch.ahead(behind)
        lags = stages.lags if behind else np.zeros_like(stages.lags)
        free = np.full((count, microbatches), NEVER, dtype=np.int64)
        gone = np.full((count, microbatches, microbatches), NEVER, dtype=np.int64)  # stage, sent on, arrival
        back = np.empty((count, microbatches, microbatches), dtype=np.int64)  # stage, arrival, returned
        for turn in range(microbatches + ahead):
            if turn < microbatches:
                free[:, turn] = np.maximum(free[:, turn], 0)
                free = _later(free, stages.forward)
                gone[:, turn] = _later(free, lags)
            if turn >= ahead:
                one = turn - ahead
                returned = (gone + ways[None, :, one, None]).max(axis=1)
                free = _later(np.maximum(free, _later(returned, lags)), stages.backward)
                back[:, :, one] = free
        total = row[0] + stages.work + 2 * lags
        return np.concatenate([total[:, None], back.reshape(count, -1)], axis=1)

    def least(self, rows: Array, before: BeforeRows, ahead: Array) -> Array:
        """Return the longest of three ways.

        Through all that comes before, and from the first arrival to the last return; through all stages once, and for
        what one of those before has left to do when the first microbatch comes back; of that stage alone.
        """
        microbatches = self.batch.microbatches
        through = rows[:, microbatches] + before.total
        once = rows[:, 0] + before.total + np.maximum(microbatches - 1 - ahead, 0) * before.work
        found: Array = np.maximum(np.maximum(through, once), microbatches * before.work)
        return found


def _later(times: Array, seconds: Array) -> Array:
    """Return times so much later, by stage; never stays never."""
    found: Array = np.where(times > NEVER // 2, times + seconds[:, None], NEVER)
    return found
