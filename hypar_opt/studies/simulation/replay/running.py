"""The state of a replay while events happen: simpy's clock in integer ticks, and what there is room for."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from hypar_opt.studies.simulation.replay.plays import Play, Score

    Process: TypeAlias = Generator[Any, Any, None]

NEVER: Final = -1
"""Instead of a time."""


class RunningReplay:
    """One replay.

    A play begins once it may, all that it waits for is over, and there is room for all that it takes. At the end of
    an instant, when everything is free that becomes free then, those begin that can, in the order in which they came.

    What takes no time and keeps something for others begins when the schedule says, whether or not there is room at
    that very point of the instant: what makes the room may be waiting for it. There has to be room at the instant's
    end; see `overdrawn`.

    Parameters
    ----------
    score
        What is to be done.
    as_planned
        Whether plays may begin when the schedule says, and not before; otherwise once their release is over and those
        that begin before them by the schedule, and take of the same, have begun.
    """

    def __init__(self, score: Score, *, as_planned: bool) -> None:
        import simpy

        self.score, self.plays, self.as_planned = score, score.plays, as_planned
        self.env = simpy.Environment()
        count = len(score.plays)
        self.begins, self.ends = [NEVER] * count, [NEVER] * count
        self.room, self.left = list(score.rooms), count
        self.overdrawn: tuple[int, int] | None = None
        """The first time at whose end something was taken that was not there, and what."""
        self.asking: dict[int, None] = {}
        """Plays that wait for room only, in the order in which they came."""
        self.serving = False
        self.missing = [1] * count
        self.followers: dict[int, list[tuple[int, int]]] = defaultdict(list)
        """By play, those that wait for its end, each with how long they wait after it."""
        self.given_up: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
        """By play, what is given up at its end if its keeper is over, too: the keeper, what and how much."""
        self.turns: list[list[list[int]]] = []
        """By what is taken, plays that begin at once by the schedule, in its order."""
        self.in_turn: dict[int, list[int]] = defaultdict(list)
        """By play, the positions in `turns` that it stands in."""
        self.not_begun: list[list[int]] = []
        for number, play in enumerate(score.plays):
            for other, lag in play.waits:
                self.followers[other].append((number, lag))
                self.missing[number] += 1
        if not as_planned:
            self._prepare_turns()
        for number, play in enumerate(score.plays):
            self._after(self._may(play), self._satisfied, number)

    @property
    def now(self) -> int:
        """Ticks since the beginning."""
        return self.env.now  # type: ignore[return-value]

    def _may(self, play: Play) -> int:
        """Return the time before which a play does not begin."""
        planned = self.as_planned or _at_once(play)
        return max(play.begin, play.release) if planned else play.release

    def _prepare_turns(self) -> None:
        takers: dict[int, list[int]] = defaultdict(list)
        for number, play in enumerate(self.plays):
            for what in dict.fromkeys([*(one for one, _ in play.takes), *(one for one, _, _ in play.keeps)]):
                takers[what].append(number)
        for numbers in takers.values():
            numbers.sort(key=lambda number: (self.plays[number].begin, number))
            groups = [list(same) for _, same in groupby(numbers, key=lambda number: self.plays[number].begin)]
            for at, same in enumerate(groups):
                for number in same:
                    self.in_turn[number].append(len(self.turns))
                    self.missing[number] += at > 0
            self.turns.append(groups[::-1])  # the first is the last, and is taken off
            self.not_begun.append([len(same) for same in self.turns[-1]])

    def _after(self, ticks: int, then: Callable[[int], None], number: int) -> None:
        """Do something after a while; if that is none at once."""
        if not ticks:
            then(number)
            return
        event = self.env.timeout(ticks)
        event.callbacks.append(lambda _: then(number))

    def _satisfied(self, number: int) -> None:
        self.missing[number] -= 1
        if self.missing[number]:
            return
        self.asking[number] = None
        self._serve_soon()

    def _serve_soon(self) -> None:
        """At the end of this instant, let those begin that can: what ends now was put on the clock before."""
        if not self.serving:
            self.serving = True
            event = self.env.timeout(0)
            event.callbacks.append(self._serve)

    def _serve(self, _: object) -> None:
        self.serving = False
        for number in list(self.asking):
            has_room = all(self.room[what] >= amount for what, amount in self._taken(number))
            if has_room or _at_once(self.plays[number]):
                del self.asking[number]
                self._begin(number)
        # whoever has begun and ended in this instant has made room, and asked that this is done again
        if not self.serving and self.overdrawn is None:
            short = next((what for what, room in enumerate(self.room) if room < 0), None)
            self.overdrawn = None if short is None else (self.now, short)

    def _taken(self, number: int) -> list[tuple[int, int]]:
        """Return what a play takes in all when it begins."""
        found: dict[int, int] = defaultdict(int)
        play = self.plays[number]
        for what, amount in (*play.takes, *((one, amount) for one, amount, _ in play.keeps)):
            found[what] += amount
        return list(found.items())

    def _begin(self, number: int) -> None:
        play = self.plays[number]
        self.begins[number] = self.now
        for what, amount in self._taken(number):
            self.room[what] -= amount
        for at in self.in_turn[number]:
            self._next_turn(at)
        self._after(play.ticks, self._end, number)

    def _next_turn(self, at: int) -> None:
        """Count that somebody of the first group has begun; after the last of them it is the next group's turn."""
        self.not_begun[at][-1] -= 1
        if not self.not_begun[at][-1]:
            self.not_begun[at].pop()
            self.turns[at].pop()
            for number in self.turns[at][-1] if self.turns[at] else ():
                self._satisfied(number)

    def _end(self, number: int) -> None:
        play = self.plays[number]
        self.ends[number] = self.now
        self.left -= 1
        for what, units in play.takes:
            self.room[what] += units
        for what, amount, until in play.keeps:
            if until is None or self.ends[until] != NEVER:
                self.room[what] += amount
            else:
                self.given_up[until].append((number, what, amount))
        for _, what, amount in self.given_up.pop(number, ()):
            self.room[what] += amount
        self._serve_soon()
        for follower, lag in self.followers[number]:
            self._after(lag, self._satisfied, follower)


def _at_once(play: Play) -> bool:
    """Return whether a play takes no time, and has something longer than that."""
    return not play.ticks and bool(play.keeps)
