"""A schedule of a task graph that was replayed: on the terminal, and for machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_component
from hypar_opt.util.numbers import counted, decimal, exact

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.studies.simulation.replay import Replay

MOST_EARLIER = 20
"""Rows of tasks that can begin earlier."""


@dataclass(frozen=True)
class ReplayedSchedule:
    """A schedule, begun as it says and as early as its order lets it.

    Parameters
    ----------
    judged
        The schedule, recounted.
    planned, earliest
        Its replays.
    """

    judged: JudgedTasks
    planned: Replay
    earliest: Replay

    @property
    def comes_to(self) -> Fraction:
        """What the replay of the plan comes to: seconds, in periods those between the last two."""
        goal = self.judged.instance.goal
        if goal == "makespan":
            return self.planned.makespan
        if goal == "completion-times":
            return self.planned.completion_times
        *_, before, last = self.planned.period_ends
        return last - before

    @property
    def saved(self) -> int:
        """How many tasks can begin earlier in the same order, each counted once a period."""
        return len(self.earliest.earlier)


def replay_headline(found: ReplayedSchedule) -> tuple[str, ...]:
    """Return whether the schedule was reproduced, and what its order leaves."""
    judged, planned, early = found.judged, found.planned, found.earliest
    goal = judged.instance.goal
    tasks = counted(len(judged.done), "task")
    times = f" in {planned.score.periods:,} periods" if judged.instance.is_periodic else ""
    same = "as planned, exactly" if found.comes_to == judged.objective and planned.is_kept else "another than planned"
    verb = "begins" if found.saved == 1 else "begin"
    order = (
        f"{counted(found.saved, 'task')} {verb} earlier, and the last ends after {_s(early.makespan)}"
        if found.saved
        else "no task begins earlier"
    )
    return (
        f"{judged.instance.name}: {tasks}{times}, begun when the plan says: {goal} {_s(found.comes_to)}, {same}",
        f"the last ends after {_s(planned.makespan)}",
        f"begun as early as the plan's order lets them: {order}",
    )


def show_replay(console: Console, found: ReplayedSchedule) -> None:
    """Print whether the schedule was reproduced, and which tasks could begin earlier."""
    for line in replay_headline(found):
        console.print(line)
    rows = earlier_rows(found)
    if rows:
        show_folded(console, rows)


def earlier_rows(found: ReplayedSchedule) -> list[dict[str, str]]:
    """Return a row a task that begins earlier in the plan's order, in the first period, those with most first."""
    first = found.earliest.begin_seconds()
    begins = found.judged.begins
    names = [name for name, begin in first.items() if begin < begins[name]]
    names.sort(key=lambda name: first[name] - begins[name])
    return [
        {"task": name, "planned (s)": decimal(begins[name], 6), "earliest (s)": decimal(first[name], 6)}
        for name in names[:MOST_EARLIER]
    ]


def replay_document(found: ReplayedSchedule) -> dict[str, Any]:
    """Return the same for machines; seconds exact."""
    judged, planned, early = found.judged, found.planned, found.earliest
    return {
        "instance": judged.instance.name,
        "objective": judged.instance.goal,
        "planned_s": exact(judged.objective),
        "replayed_s": exact(found.comes_to),
        "is_reproduced": planned.is_kept and found.comes_to == judged.objective,
        "periods": planned.score.periods,
        "makespan_s": exact(planned.makespan),
        "earliest_makespan_s": exact(early.makespan),
        "earlier": found.saved,
        "tasks": [
            {
                "task": judged.instance.tasks[play.task].name,
                "period": play.period,
                "begin_s": exact(planned.score.seconds(begin)),
                "end_s": exact(planned.score.seconds(end)),
                "earliest_s": exact(early.score.seconds(first)),
            }
            for play, begin, end, first in zip(
                planned.score.plays, planned.begins, planned.ends, early.begins, strict=True
            )
        ],
    }


def _s(seconds: Fraction) -> str:
    return in_component(TIME, seconds)
