"""What is proven of a search: the best exact bound and the messages and prices that it comes from."""

from __future__ import annotations

import math
from itertools import count
from threading import RLock
from typing import TYPE_CHECKING, Final

from hypar_opt.costgraph import Duals, Priced, Tables
from hypar_opt.costgraph.duals import EdgeIndex
from hypar_opt.costgraph.reduced_cost import consistent, possible

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Run


LOOKS: Final = 100
"""At all edges, for values that they leave none of; presolve has no such limit."""


class Bounds:
    """The best bound so far; threads share it.

    Parameters
    ----------
    tables
        What is bounded.
    run
        Told of every better one, and handed its messages and prices.
    """

    def __init__(self, tables: Tables, run: Run) -> None:
        self.tables, self.run = tables, run
        self.duals = Duals.zero(tables)
        self._lock = RLock()
        least = Priced(tables, self.duals).bound
        self.most = math.ceil(least) + tables.span
        """No allowed assignment costs more."""
        self.value = math.ceil(least)
        self._refuted: str | None = None
        self.told: int | None = None
        """The highest that was told: of prices, or of a tree that knows more."""
        looks = count(1)
        left = consistent(tables, EdgeIndex.of(tables), lambda: run.limits.over or next(looks) > LOOKS)
        self.consistent = possible(left)
        """Whether every variable has a value with an allowed pair on each of its edges, as far as that is seen."""
        if self.consistent:
            self.tell(self.value)

    @property
    def refutation(self) -> str | None:
        """Why it is proven that nothing is allowed; or None."""
        if not self.consistent:
            return "a variable has no value that every edge allows"
        return "the bound is above every allowed cost" if self.value > self.most else self._refuted

    def refute(self, reason: str) -> None:
        """Take a proof that nothing is allowed."""
        self._refuted = reason

    def tell(self, value: int) -> None:
        """Tell of a bound, whoever proved it, if it is better than all that were told."""
        value = min(value, self.most)
        with self._lock:
            if self.told is None or value > self.told:
                self.told = value
                self.run.bound(value)

    def offer(self, duals: Duals) -> None:
        """Take a bound if it is better than all before; costs are integers, so that it is rounded up."""
        value = math.ceil(Priced(self.tables, duals).bound)
        with self._lock:
            if value > self.value:
                self.value, self.duals = value, duals
                self.tell(value)
                if self.run.proof is not None:
                    self.run.proof(duals)


EXACT: Final = "a tree of bounds in exact integers"
