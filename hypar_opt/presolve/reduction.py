"""What presolve returns: smaller tables, and the way back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array, Duals, Tables


class NoPlan(Exception):
    """Raised where presolve finds that nothing is allowed; its text says why."""


class Step(Protocol):
    """One reduction that was made: how assignments of the tables before and after it stand for each other.

    The tables after it have an assignment of the same cost for every one that the step keeps, and the step keeps a best
    one: the optimum and every lower bound of it are the same before and after.
    """

    @property
    def name(self) -> str:
        """What it did, for statistics."""

    @property
    def before(self) -> Tables:
        """What it was done to."""

    def expand(self, choices: Array) -> Array:
        """Return the assignment before that one after stands for; it costs as much and uses no more."""

    def contract(self, choices: Array) -> Array | None:
        """Return the assignment after for one before, or one that is no worse; None if it has none."""

    def lift(self, duals: Duals) -> Duals:
        """Return duals of the tables before whose bound is no lower than that of duals of those after.

        Raises
        ------
        NotImplementedError
            If there are none in general: the step makes the bound itself tighter.
        """


@dataclass(frozen=True, eq=False)
class Reduction:
    """Tables, what became of them, and the steps between.

    Parameters
    ----------
    original, tables
        Before and after.
    steps
        In the order in which they were made.
    """

    original: Tables
    tables: Tables
    steps: tuple[Step, ...] = ()

    def expand(self, choices: Sequence[int] | Array) -> Array:
        """Return the original's assignment that one of the reduced tables stands for."""
        found = np.asarray(choices, dtype=np.int64)
        for step in reversed(self.steps):
            found = step.expand(found)
        return found

    def contract(self, choices: Sequence[int] | Array) -> Array | None:
        """Return an assignment of the reduced tables for one of the original, or None."""
        found: Array | None = np.asarray(choices, dtype=np.int64)
        for step in self.steps:
            found = None if found is None else step.contract(found)
        return found
