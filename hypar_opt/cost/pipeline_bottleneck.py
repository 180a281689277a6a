"""The best pipelines between all pairs of down-sets: the least time of the slowest stage, on limited devices.

With t_o(A, B) the time of a stage from A to B by the way o and c what is taken of each kind of devices,

    f(A, B, c) = min over A <= D < B and o of  max(f(A, D, c - m_o), t_o(D, B)).

Only the order of times matters, so that they are found as places among all times, in whole numbers of 32 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array

NEVER: Final = np.int32(2**31 - 1)
"""Behind the place of any time."""


@dataclass(frozen=True, eq=False)
class Bottleneck:
    """The best pipelines between all pairs of down-sets.

    Parameters
    ----------
    sorted_times
        All times that stages take, ascending.
    places
        By way, the place of each stage's time among them; shape (begins, ends).
    states
        How many devices of each kind can be taken.
    steps
        By state and way, the state with a further stage; -1 where there is none.
    found
        By state, the place of the slowest stage's time; shape (states, begins, ends).
    """

    sorted_times: Array
    places: Sequence[Array]
    states: Sequence[tuple[int, ...]]
    steps: Sequence[Sequence[int]]
    found: Array

    @classmethod
    def of(
        cls,
        counts: Sequence[int],
        taken: Sequence[tuple[int, int]],
        times: Sequence[Array],
        allowed: Sequence[Array],
    ) -> Self:
        """Find them.

        Parameters
        ----------
        counts
            By kind, how many devices there are.
        taken
            By way, of which kind it takes devices, and how many.
        times, allowed
            By way, what stages take and whether there may be such; shape (begins, ends), each down-set behind those
            that are in it.
        """
        every = [own[may] for own, may in zip(times, allowed, strict=True)]
        ascending, inverse = np.unique(np.concatenate(every), return_inverse=True)
        places = [np.full(may.shape, NEVER, dtype=np.int32) for may in allowed]
        ends = np.cumsum([len(own) for own in every])[:-1]
        for own, may, found in zip(places, allowed, np.split(inverse, ends), strict=True):
            own[may] = found
        states = list(product(*(range(count + 1) for count in counts)))
        number = {state: place for place, state in enumerate(states)}
        steps = [[number.get(_with(state, *way), -1) for way in taken] for state in states]
        return cls(ascending, places, states, steps, _searched(places, steps))

    @property
    def least(self) -> Array:
        """The place of the least time with any devices; `NEVER` where there is no pipeline."""
        found: Array = self.found[1:].min(axis=0)
        return found

    @property
    def reached(self) -> Array:
        """Whether there is a pipeline."""
        found: Array = self.least < NEVER
        return found

    @property
    def times(self) -> Array:
        """The least times of slowest stages; 0 where there is no pipeline."""
        padded = np.append(self.sorted_times, 0)
        found: Array = padded[np.where(self.reached, self.least, len(self.sorted_times))]
        return found

    def traced(self) -> list[tuple[int, int, int]]:
        """Return the ways, begins and ends of the stages that lead from the first down-set to the last."""
        end, stages = self.found.shape[2] - 1, []
        state = 1 + int(self.found[1:, 0, end].argmin())
        while end:
            way, before, begin = self._last(state, end)
            stages.append((way, begin, end))
            state, end = before, begin
        return stages[::-1]

    def _last(self, state: int, end: int) -> tuple[int, int, int]:
        """Return the way of the last stage, the state before it, and where it begins."""
        value = self.found[state, 0, end]
        for before, steps in enumerate(self.steps):
            for way, step in enumerate(steps):
                if step == state:
                    slowest = np.maximum(self.found[before, 0], self.places[way][:, end])
                    begins = np.flatnonzero(slowest <= value)
                    if len(begins):
                        return way, before, int(begins[0])
        raise AssertionError("a state that is reached has a stage before it")


def _with(state: tuple[int, ...], kind: int, devices: int) -> tuple[int, ...]:
    return (*state[:kind], state[kind] + devices, *state[kind + 1 :])


def _searched(places: Sequence[Array], steps: Sequence[Sequence[int]]) -> Array:
    count = places[0].shape[0]
    found = np.full((len(steps), count, count), NEVER, dtype=np.int32)
    np.fill_diagonal(found[0], -1)
    for middle in range(count - 1):
        begins = [np.flatnonzero(own[: middle + 1, middle] < NEVER) for own in found]
        for way, own in enumerate(places):
            ends = np.flatnonzero(own[middle] < NEVER)
            if not len(ends):
                continue
            last = own[middle, ends]
            for state, step in enumerate(steps):
                if step[way] < 0 or not len(begins[state]):
                    continue
                at = np.ix_(begins[state], ends)
                slowest = np.maximum(found[state][begins[state], middle][:, None], last[None, :])
                found[step[way]][at] = np.minimum(found[step[way]][at], slowest)
    return found
