"""Times of jobs as Slurm has them."""

from __future__ import annotations

import math
import re
from typing import Final

PARTING_S: Final = 120
"""How long before its job's time is up a worker leaves: it began later than the job, and what it runs takes a while to
be told to others. Half of the time at most."""


def in_hours(seconds: float) -> str:
    """Return a time as Slurm has it, hours, minutes and seconds, rounded up to a minute."""
    minutes = math.ceil(seconds / 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:00"


def lifetime_s(walltime: str) -> int:
    """Return the seconds after which a worker leaves whose job has a time as Slurm has it; 0 where that is none."""
    found = re.fullmatch(r"(?:(?P<days>\d+)-)?(?P<times>\d+(?::\d+){0,2})", walltime.strip())
    if found is None:
        return 0
    # minutes, with seconds behind them, with hours before them; behind days hours come first
    times = [*map(int, found["times"].split(":"))]
    first = 60 if found["days"] is None and len(times) < 3 else 3600
    parts = (one * first // (1, 60, 3600)[place] for place, one in enumerate(times))
    total = int(found["days"] or 0) * 86400 + sum(parts)
    return max(total - PARTING_S, total // 2)
