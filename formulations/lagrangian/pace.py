"""How far a search is: by the clock where there is a deadline, by its steps where there is none."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Limits


@dataclass
class Pace:
    """A part of a run, from 0 to 1.

    Parameters
    ----------
    limits
        Of the run.
    share
        Of the time that is left when it begins.
    steps
        What it takes where there is no deadline, or where the result is to be repeatable.
    by_steps
        Whether steps count even if there is a deadline.
    """

    limits: Limits
    share: float
    steps: int
    by_steps: bool = False
    done: int = 0
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        left = self.limits.remaining_s()
        self.seconds = None if left is None or self.by_steps else left * self.share

    def step(self) -> float | None:
        """Count a step; return how far it is, or None at the end."""
        self.done += 1
        far = (self.done - 1) / self.steps if self.seconds is None else self.elapsed
        return None if far >= 1.0 or self.limits.over else far

    @property
    def elapsed(self) -> float:
        """How much of its time is over, from 0 to 1; 0 where steps count."""
        if self.seconds is None:
            return 0.0
        return min(1.0, (time.monotonic() - self.began) / self.seconds) if self.seconds else 1.0
