"""What is shown of a run, in words."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.errors import printable
from hypar_opt.report.gaps import percent
from hypar_opt.report.numbers import in_aim, in_units

if TYPE_CHECKING:
    from hypar_opt.aim import Aim
    from hypar_opt.cli.watching.state import Seen, Solver
    from hypar_opt.pace import Left, Progress

MINUTE, HOUR, DAY = 60, 3600, 86400
COARSE_S = 20
"""From here on seconds are told by fives."""


def left_in_words(left: Left | None) -> str:
    """Return how long it takes yet: about so long, a range, a limit, or nothing where nothing is known."""
    if left is None:
        return ""
    if left.likely_s is None or left.most_s is None:
        if left.most_s is not None:
            return f"at most {duration(left.most_s, up=True)} left"
        return f"at least {duration(left.least_s)} left" if left.least_s >= 1 else ""
    least, most = duration(left.least_s), duration(left.most_s, up=True)
    if least == most or left.most_s < 1:
        return f"about {most} left"
    (number, unit), (_, of_most) = least.split(" ", 1), most.split(" ", 1)
    return f"{number if unit == of_most else least}-{most} left"


def duration(seconds: float, *, up: bool = False) -> str:
    """Return a time as coarsely as it is told to people, rounded down or up."""
    turn = math.ceil if up else math.floor
    if turn(seconds) < COARSE_S:
        return f"{max(int(up), turn(seconds))} s"
    if 5 * turn(seconds / 5) < MINUTE:
        return f"{5 * turn(seconds / 5)} s"
    if turn(seconds / MINUTE) < MINUTE:
        return f"{turn(seconds / MINUTE)} min"
    if turn(seconds / HOUR) < 2 * DAY // HOUR:
        return f"{turn(10 * seconds / HOUR) / 10:g} h"
    return f"{turn(seconds / DAY)} days"


def clock(seconds: float) -> str:
    """Return a time since the beginning as 0:07, 12:34 or 1:23:45."""
    minutes, rest = divmod(int(seconds), MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def counted(progress: Progress) -> str:
    """Return what is done, of how much."""
    return f"{progress.done:,} {'' if progress.total is None else f'of {progress.total:,} '}{progress.unit}"


def doing(solver: Solver) -> str:
    """Return who does what."""
    who = ", ".join(filter(None, [solver.instance, solver.source]))
    return printable(f"{who}: {solver.phase}" if solver.phase else who)


def values(solver: Solver) -> list[str]:
    """Return the incumbent, the bound and the gap between them, with their units, as far as they are known."""
    found = []
    if solver.incumbent is not None:
        found.append(f"incumbent {_amount(solver.aim, solver.incumbent)}")
    if solver.bound is not None:
        found.append(f"bound {_amount(solver.aim, solver.bound)}")
    if solver.incumbent is not None and solver.bound is not None:
        found.append(_gap(solver.aim, solver.incumbent, solver.bound))
    return found


def _gap(aim: Aim | None, incumbent: int | Fraction, bound: int | Fraction) -> str:
    """Return how far the incumbent is above the bound, also as a share of the incumbent."""
    gap = max(incumbent - bound, 0)
    share = f" ({percent(Fraction(gap) / incumbent, 2)})" if gap and bound >= 0 else ""
    return f"gap {_amount(aim, gap)}{share}"


def _amount(aim: Aim | None, value: int | Fraction) -> str:
    return in_units(value) if aim is None else in_aim(aim, value)


def in_a_line(seen: Seen) -> str:
    """Return all of it as one line of a log."""
    counts = [counted(progress) for _, progress in seen.tracks]
    stopping = "stopping" if seen.stopping else left_in_words(seen.left)
    parts = [", ".join(filter(None, [*counts, f"{clock(seen.elapsed_s)} so far", stopping]))]
    if seen.solver is not None:
        parts.append(", ".join([doing(seen.solver), *values(seen.solver)]))
    return f"{printable(seen.title)}: {'; '.join(parts)}"
