"""What a baseline has to show, kept in a file, so that it may be ended at any time."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.util.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.costgraph import Array, Tables

RESERVE_S: Final = 1.0
"""What a solver leaves of the limit, for its answer to be written."""
IMPROVEMENTS: Final = "improvements.jsonl"
"""Beside the report: a line for every better plan and bound, as it comes, in the words of `hypar-opt solve --log`."""


class NotBuilt(Exception):
    """Raised where the time is up before the solver could begin."""


@dataclass
class Report:
    """The best plan and bound so far, and how far the run came.

    Parameters
    ----------
    path
        Rewritten with everything that is new.
    tables
        What is solved, without any reduction.
    began, limit_s
        When the process did, on the clock of `time.monotonic`, and how long it may run.
    seed, workers
        For the solver.
    known
        What is in the file.
    """

    path: Path
    tables: Tables
    began: float
    limit_s: float
    seed: int = 0
    workers: int = 2
    known: dict[str, Any] = field(default_factory=dict)

    @property
    def remaining_s(self) -> float:
        """What a solver may still use."""
        return max(0.0, self.began + self.limit_s - RESERVE_S - time.monotonic())

    def check(self) -> None:
        """Raise `NotBuilt` if the time is up."""
        if self.remaining_s == 0.0:
            raise NotBuilt

    def built(self) -> None:
        """Tell that the model is complete, and the solver has it."""
        self.check()
        self._save(built=True)

    def incumbent(self, choices: Array) -> None:
        """Tell of a plan; one that is not allowed, does not fit or is no better is passed over."""
        if self.tables.feasible(choices):
            cost = self.tables.value(choices)
            if cost < self.known.get("cost", cost + 1):
                found_s = round(self._tell("incumbent", cost), 2)
                self._save(cost=cost, choices=choices.tolist(), found_s=found_s)

    def bound(self, bound: int) -> None:
        """Tell of a bound, as the solver says."""
        if bound > self.known.get("bound", bound - 1):
            self._tell("bound", bound)
            self._save(bound=bound)

    def ended(self, status: str) -> None:
        """Tell how it ended, in the solver's word or this benchmark's."""
        self._save(status=status)

    def _tell(self, event: str, value: int) -> float:
        """Append a line about what is better; return the seconds since the process began."""
        time_s = round(time.monotonic() - self.began, 4)
        with self.path.with_name(IMPROVEMENTS).open("a") as stream:
            stream.write(json.dumps({"event": event, "time_s": time_s, "value": value}) + "\n")
        return time_s

    def _save(self, **news: Any) -> None:
        self.known |= news
        write_atomically(self.path, json.dumps(self.known))
