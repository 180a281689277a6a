"""Schedules of task graphs, and how plans write them: by task, the second at which it begins, or `not done`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.tasks.words import NOT_DONE, PERIOD
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.tasks.instance import TaskGraphInstance

_NUMBER: Final = re.compile(r"[0-9]{1,400}(?:/0*[1-9][0-9]{0,399})?")


@dataclass(frozen=True)
class TaskSchedule:
    """When each task begins.

    Parameters
    ----------
    begins
        Seconds by task, in the order of the file; None for one that is not done. In periodic schedules those of the
        first period.
    period
        Seconds after which every task is done again; None where tasks are done once.
    """

    begins: Mapping[str, Fraction | None]
    period: Fraction | None = None

    def texts(self) -> dict[str, str]:
        """Return the begin of every task, by its name, as plans write it, and the period if there is one."""
        said = {name: NOT_DONE if begin is None else str(begin) for name, begin in self.begins.items()}
        return said if self.period is None else {**said, PERIOD: str(self.period)}


def read_task_schedule(instance: TaskGraphInstance, texts: Mapping[str, str]) -> TaskSchedule:
    """Return the schedule that a plan's texts are.

    Raises
    ------
    InputError
        If a name is no task's, a task is missing, a begin cannot be read, or the period is missing or none: says which.
    """
    for name in texts:
        if name not in instance.places and not (name == PERIOD and instance.is_periodic):
            raise InputError(f"no task is called {shown(name)}{nearest(name, instance.places)}", field="plan")
    for name in (*instance.places, *([PERIOD] if instance.is_periodic else [])):
        if name not in texts:
            said = "the period" if name == PERIOD else f"the begin of task {shown(name)}"
            raise InputError(f"{said} is missing", field="plan")
    begins = {name: None if texts[name] == NOT_DONE else _number(name, texts[name]) for name in instance.places}
    period = _number(PERIOD, texts[PERIOD]) if instance.is_periodic else None
    if period == 0:
        raise InputError("expected a period above 0, got '0'", field="plan")
    return TaskSchedule(begins, period)


def _number(name: str, text: str) -> Fraction:
    if not _NUMBER.fullmatch(text):
        other = "" if name == PERIOD else f", or '{NOT_DONE}'"
        said = "" if name == PERIOD else "task "
        raise InputError(f"{said}{shown(name)}: expected seconds as '7/3'{other}, got {shown(text)}", field="plan")
    return Fraction(text)
