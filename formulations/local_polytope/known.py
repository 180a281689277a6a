"""What is known of a problem while it is searched: the best plan and the best bound, both exact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.costgraph import Array, Duals, Priced, Tables
from hypar_opt.formulation.incumbent import Incumbent

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Run


@dataclass
class Knowledge:
    """The best plan and bound so far.

    Parameters
    ----------
    tables, run
        The problem, and who hears of what is better.
    best
        The plan.
    priced
        The bound.
    heard
        The last prices that somebody else has found.
    told
        The highest bound that was told: of prices, or of one that knows more; None before the first.
    """

    tables: Tables
    run: Run
    best: Incumbent
    priced: Priced
    heard: Duals | None = None
    told: int | None = None

    @staticmethod
    def of(tables: Tables, run: Run) -> Knowledge:
        """Begin with the run's start, if that is a plan, and without prices."""
        return Knowledge(tables, run, Incumbent.of(tables, run), Priced(tables, Duals.zero(tables)))

    @property
    def value(self) -> int | None:
        """What the best plan costs; None without one."""
        return self.best.value

    @property
    def bound(self) -> int:
        """What no plan costs less than."""
        return math.ceil(self.priced.bound)

    @property
    def proven(self) -> bool:
        """Whether the bound reaches the plan."""
        return self.best.met_by(self.priced.bound)

    def offer(self, choices: Array) -> None:
        """Keep and tell of a plan if it is feasible and better."""
        self.best.offer(tuple(choices.tolist()))

    def ask(self) -> None:
        """Take what others have found."""
        hint = self.run.hint()
        if hint.choices is not None:
            self.best.offer(hint.choices)
        if hint.duals is not None and hint.duals is not self.heard:
            self.heard = hint.duals
            self.prove(Priced(self.tables, hint.duals))

    def prove(self, priced: Priced) -> None:
        """Keep and tell of a bound if it is better."""
        if priced.bound <= self.priced.bound:
            return
        before, self.priced = self.bound, priced
        if self.bound > before:
            self.tell(self.bound)
        if self.run.proof is not None:
            self.run.proof(priced.duals)

    def tell(self, bound: int) -> None:
        """Tell of a bound, whatever it rests on, if it is better than all that were told."""
        if self.told is None or bound > self.told:
            self.told = bound
            self.run.bound(bound)
