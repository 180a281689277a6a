"""What is known of a problem while it is searched: the best plan and the best bound, both exact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from formulations.polytope import Best

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph import Array, Priced, Tables
    from hypar_opt.run import Run


@dataclass
class Known:
    """The best plan and bound so far.

    Parameters
    ----------
    tables, run
        The problem, and who hears of what is better.
    best
        The plan.
    priced
        The bound, or None.
    others
        Asked now and then for a plan that somebody else has found.
    """

    tables: Tables
    run: Run
    best: Best
    priced: Priced | None = None
    others: Callable[[], tuple[int, ...] | None] | None = None

    @staticmethod
    def of(tables: Tables, run: Run, others: Callable[[], tuple[int, ...] | None] | None = None) -> Known:
        """Begin with the run's start, if that is a plan."""
        return Known(tables, run, Best.of(tables, run), others=others)

    @property
    def value(self) -> int | None:
        """What the best plan costs; None without one."""
        return self.best.value

    @property
    def bound(self) -> int | None:
        """What no plan costs less than."""
        return None if self.priced is None else math.ceil(self.priced.bound)

    @property
    def proven(self) -> bool:
        """Whether the bound reaches the plan."""
        return self.value is not None and self.bound is not None and self.bound >= self.value

    def offer(self, choices: Array) -> None:
        """Keep and tell of a plan if it is feasible and better."""
        self.best.offer(tuple(choices.tolist()))

    def ask(self) -> None:
        """Take what others have found."""
        found = None if self.others is None else self.others()
        if found is not None:
            self.best.offer(found)

    def prove(self, priced: Priced) -> None:
        """Keep and tell of a bound if it is better."""
        before = self.bound
        if self.priced is not None and priced.bound <= self.priced.bound:
            return
        self.priced = priced
        if self.bound is not None and (before is None or self.bound > before):
            self.run.bound(self.bound)
        if self.run.proof is not None:
            self.run.proof(priced.duals)
