"""What presolve returns: smaller tables, and the way back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import Array, Duals, Priced, Tables
from hypar_opt.costgraph.presolve.components import count_components

if TYPE_CHECKING:
    from collections.abc import Sequence


class NoPlan(Exception):
    """Raised where presolve finds that nothing is allowed; its text says why."""


class NoValue(Exception):
    """Raised by a reduction that finds a variable without a value that is allowed.

    Parameters
    ----------
    variable
        Its number in the tables that are reduced.
    reason
        A sentence.
    """

    def __init__(self, variable: int, reason: str) -> None:
        super().__init__(reason)
        self.variable = variable


@dataclass(frozen=True, eq=False)
class ReductionStep:
    """One reduction that was made: how assignments of the tables before and after it stand for each other.

    The tables after it have an assignment of the same cost for every one that the step keeps, and the step keeps a best
    one: the optimum is the same before and after. As it stands here it changes no variables, values or edges.

    Parameters
    ----------
    before
        The tables that it was made on.
    name
        What it takes away, for statistics.
    gone
        By variable, value, edge or row, whichever it takes away: whether it does.
    """

    before: Tables
    name: str
    gone: Array

    @property
    def removed(self) -> int:
        """How many of those it took away."""
        return int(np.count_nonzero(self.gone))

    @property
    def variables(self) -> Array:
        """By variable after, its number before."""
        return np.arange(self.before.count)

    def expand(self, choices: Array) -> Array:
        """Return the assignment before that one after stands for; it costs as much and uses no more."""
        return choices

    def contract(self, choices: Array) -> Array | None:
        """Return the assignment after for one before, or one that is no worse; None if it has none."""
        return choices

    def lift(self, duals: Duals) -> Duals:
        """Return duals of the tables before whose bound is no lower than that of duals of those after.

        Raises
        ------
        NotImplementedError
            If there are none in general: the step makes the bound itself tighter.
        """
        return duals


@dataclass(frozen=True, eq=False)
class VariableRemoval(ReductionStep):
    """A step that takes variables away."""

    @property
    def variables(self) -> Array:
        """The others."""
        return np.flatnonzero(~self.gone)

    def contract(self, choices: Array) -> Array | None:
        """Return the others' values."""
        found: Array = choices[self.variables]
        return found


@dataclass(frozen=True, eq=False)
class Reduction:
    """Tables, what became of them, and the steps between.

    Parameters
    ----------
    original, tables
        Before and after.
    steps
        In the order in which they were made.
    liftable
        Number of the first step from which on all steps lift duals.
    """

    original: Tables
    tables: Tables
    steps: tuple[ReductionStep, ...] = ()
    liftable: int = 0

    @property
    def leaders(self) -> Tables:
        """The tables whose bound a certificate is of: followers merged, what can't fit forbidden, nothing else."""
        return self.steps[self.liftable].before if self.liftable < len(self.steps) else self.tables

    @property
    def variables(self) -> Array:
        """By variable of the reduced tables, its number in the original."""
        found = np.arange(self.original.count)
        for step in self.steps:
            found = found[step.variables]
        return found

    @property
    def statistics(self) -> dict[str, int]:
        """What steps took away, by their names, and what is left."""
        counts: Counter[str] = Counter()
        for step in self.steps:
            counts[step.name] += step.removed
        left = self.tables
        return {
            **counts,
            "variables left": left.count,
            "values left": len(left.unary),
            "edges left": len(left.ends),
            "entries left": len(left.edges),
            "rows left": left.memory.rows,
            "components left": count_components(left),
        }

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


def lifted(reduction: Reduction, duals: Duals) -> Duals:
    """Return duals of `reduction.leaders` whose bound is no lower than that of duals of the reduced tables.

    Where sums would leave 64 bits the duals are made coarser first, which may cost some units of 2^-scale.

    Raises
    ------
    NotImplementedError
        If variables of two neighbours were eliminated.
    ValueError
        If the costs leave no room for duals.
    """
    for scale in range(duals.scale, -1, -1):
        coarse = duals.coarser(duals.scale - scale)
        found = coarse
        for step in reversed(reduction.steps[reduction.liftable :]):
            found = step.lift(found)
        priced, reduced = Priced(reduction.leaders, found), Priced(reduction.tables, coarse)
        # sums that wrapped around give duals that are sound, and bound nothing
        if priced.fault is None and reduced.fault is None and priced.bound >= reduced.bound:
            return found
    raise ValueError("the duals can't be lifted within 64 bits")
