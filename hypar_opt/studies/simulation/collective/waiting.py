"""How long sends waited for links that others had."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.studies.simulation.result import Simulation


@dataclass(frozen=True)
class LinkWaiting:
    """What waiting for links comes to.

    Parameters
    ----------
    sends
        How many had to wait.
    total, longest
        Seconds: of all together, and the most that one waited.
    """

    sends: int
    total: Fraction
    longest: Fraction


def link_waiting(found: Simulation, *, lockstep: bool) -> LinkWaiting:
    """Return how long sends waited whose input was there, in lockstep whose step had begun."""
    ends, begins = found.ends, found.begins
    there = found.released if lockstep else [_there(found, number) for number in range(len(ends))]
    waited = [begin - since for begin, since in zip(begins, there, strict=True) if begin > since]
    seconds = found.field.clock.seconds
    return LinkWaiting(len(waited), seconds(sum(waited)), seconds(max(waited, default=0)))


def _there(found: Simulation, number: int) -> int:
    """Return when all was there that a send carries."""
    return max((found.ends[other] for other in found.graph.tasks[number].waits_for), default=0)
