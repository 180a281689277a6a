"""A replay, and what it says of a schedule."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from hypar_opt.formulation.run import Limits
from hypar_opt.studies.simulation.engine import SHOWN, run_events
from hypar_opt.studies.simulation.replay.plays import score_of
from hypar_opt.studies.simulation.replay.running import NEVER, RunningReplay
from hypar_opt.util.errors import InputError, printable
from hypar_opt.util.extras import require
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Listener
    from hypar_opt.instance.tasks import TaskGraphInstance, TaskSchedule
    from hypar_opt.studies.simulation.replay.plays import Play, Score

Begins: TypeAlias = Literal["planned", "earliest"]
"""When tasks begin: as the schedule says, or as early as its order lets them."""
BEGINS: Final[tuple[Begins, ...]] = get_args(Begins)


class Stuck(InputError):
    """Tasks are left that wait for what never comes: the schedule is none."""


@dataclass(frozen=True, repr=False)
class Replay:
    """A schedule that was replayed to its end.

    Parameters
    ----------
    score
        What was to be done.
    mode
        When tasks began.
    begins, ends
        By play, in ticks.
    overdrawn
        The first time, in ticks, at which more was kept than there is, and the position of what; None where that never
        was.
    """

    score: Score
    mode: Begins
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    overdrawn: tuple[int, int] | None = None

    def __repr__(self) -> str:
        return f"Replay({amount(self.makespan, 's')}, {len(self.ends):,} plays, begun {self.mode})"

    @property
    def makespan(self) -> Fraction:
        """Seconds until the last play ends."""
        return self.score.seconds(max(self.ends, default=0))

    @property
    def completion_times(self) -> Fraction:
        """The sum of every play's weight times its end, in seconds."""
        weights = (self.score.instance.tasks[play.task].weight for play in self.score.plays)
        return sum((w * end for w, end in zip(weights, self.ends, strict=True)), Fraction(0)) / self.score.unit

    @property
    def period_ends(self) -> tuple[Fraction, ...]:
        """By period, the second at which the last of its tasks ends."""
        found = [0] * self.score.periods
        for play, end in zip(self.score.plays, self.ends, strict=True):
            found[play.period] = max(found[play.period], end)
        return tuple(map(self.score.seconds, found))

    @property
    def later(self) -> tuple[int, ...]:
        """Plays that began later than the schedule says: none, or it is no schedule."""
        plays = enumerate(zip(self.score.plays, self.begins, strict=True))
        return tuple(number for number, (play, begin) in plays if begin > play.begin)

    @property
    def earlier(self) -> tuple[int, ...]:
        """Plays that began earlier than the schedule says."""
        plays = enumerate(zip(self.score.plays, self.begins, strict=True))
        return tuple(number for number, (play, begin) in plays if begin < play.begin)

    @property
    def is_kept(self) -> bool:
        """Whether nothing began later than the schedule says, and nothing was taken that was not there."""
        return not self.later and self.overdrawn is None

    def begin_seconds(self) -> dict[str, Fraction]:
        """Return by task that is done the second at which it began, in the first period."""
        plays = zip(self.score.plays, self.begins, strict=True)
        tasks = self.score.instance.tasks
        return {tasks[play.task].name: self.score.seconds(begin) for play, begin in plays if not play.period}


def replay_schedule(
    instance: TaskGraphInstance,
    schedule: TaskSchedule,
    begins: Begins = "planned",
    periods: int | None = None,
    *,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> Replay:
    """Replay a schedule of a task graph, event by event.

    If the schedule is one, then `planned` begins and ends every task exactly when it says, and `earliest` begins none
    later: by induction over the begins that are planned. At the time at which a task is planned, all that it waits
    for is over. Whoever holds what it takes was planned to begin no later, as those that are planned later wait for
    their turn, and would still hold it by the schedule, as none of them is late; together with the task that fits.

    Parameters
    ----------
    instance, schedule
        The schedule, and what it is of.
    begins
        When tasks begin.
    periods
        How often everything is done where it is repeated; None for as many as go on at once or are waited for, and two
        more.
    limits
        Its deadline and its flag end the run.
    listener
        Hears how far it is.

    Raises
    ------
    Stuck
        If tasks are left that wait for what never comes.
    Refusal
        If there is too much to be done.
    SimulationStopped
        If the limits are over before the end.
    MissingPackage
        If simpy is not installed.
    """
    require("simulate")
    score, limits = score_of(instance, schedule, periods), limits or Limits()
    running = RunningReplay(score, as_planned=begins == "planned")
    run_events(running.env, len(score.plays), lambda: running.left, limits, listener, "tasks of the schedule")
    if running.left:
        raise _stuck(running)
    return Replay(score, begins, tuple(running.begins), tuple(running.ends), running.overdrawn)


def _stuck(running: RunningReplay) -> Stuck:
    left = [number for number, end in enumerate(running.ends) if end == NEVER]
    texts = [_waiting(running, number) for number in sorted(left, key=lambda number: number not in running.asking)]
    more = f"; and {len(texts) - SHOWN:,} more" if len(texts) > SHOWN else ""
    now = amount(running.score.seconds(running.now), "s")
    said = f"the replay cannot go on at {now}: {len(left):,} tasks wait: {'; '.join(texts[:SHOWN])}{more}"
    return Stuck(printable(said), field="plan")


def _waiting(running: RunningReplay, number: int) -> str:
    play = running.plays[number]
    if number in running.asking:
        return f"'{_name(running, play)}' for room"
    others = [other for other, _ in play.waits if running.ends[other] == NEVER]
    what = f"'{_name(running, running.plays[others[0]])}'" if others else "its turn"
    return f"'{_name(running, play)}' for {what}"


def _name(running: RunningReplay, play: Play) -> str:
    return running.score.instance.tasks[play.task].name
