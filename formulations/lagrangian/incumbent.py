"""The best plan of a search: what is told is checked exactly first."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables
    from hypar_opt.run import Run


class Incumbent:
    """The best feasible assignment so far; threads share it.

    Parameters
    ----------
    tables
        What an assignment is checked against.
    run
        Told of every better one.
    """

    def __init__(self, tables: Tables, run: Run) -> None:
        self.tables = tables
        self.run = run
        self.value: int | None = None
        self.choices: Array | None = None
        self._lock = Lock()

    def offer(self, choices: Array) -> int | None:
        """Take an assignment if it is feasible and better than all before; return what it costs if it is feasible."""
        if not self.tables.feasible(choices):
            return None
        value = self.tables.value(choices)
        with self._lock:
            if self.value is None or value < self.value:
                self.value, self.choices = value, np.array(choices, dtype=np.int64)
                self.run.incumbent(value, tuple(self.choices.tolist()))
        return value

    def ask(self) -> None:
        """Take what those have found that search beside this run."""
        found = self.run.hint().choices
        if found is not None:
            self.offer(np.array(found, dtype=np.int64))
