"""What is known of units that several workers run beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


@dataclass
class Parallel:
    """How many units are run beside each other, and how much of the workers' time is spent on them.

    The rest of their time goes by between units: handing them out, keeping what came of them. It counts from when the
    first units end, for workers take a while to start.

    Parameters
    ----------
    running
        Units that are run now.
    at_once
        How many could be; 1 where nobody runs any beside others.
    failed
        Units that have no result.
    together
        How many were counted at once the last time.
    """

    running: int = 0
    at_once: int = 1
    failed: int = 0
    together: int | None = None
    _since: float | None = None
    _there_s: float = 0.0
    _spent_s: float = 0.0

    def count(self, now: float, seconds: Collection[float], running: int, failed: int) -> None:
        """Take in how long units took that ended now."""
        if self._since is not None:
            self._there_s += self.at_once * (now - self._since)
            self._spent_s += sum(seconds)
        self._since, self.running, self.together = now, running, max(1, len(seconds))
        self.failed += failed

    def share(self, mean_s: float) -> float:
        """Return how much of the workers' time is spent on units, above 0 and at most 1.

        Parameters
        ----------
        mean_s
            What a unit takes: of those that are run now half of it is taken for spent.
        """
        spent = self._spent_s + self.running * (self.together or 1) * mean_s / 2
        return min(1.0, spent / self._there_s) if spent and self._there_s else 1.0
