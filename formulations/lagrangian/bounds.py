"""What is proven of a search: the best exact bound and the messages and prices that it comes from."""

from __future__ import annotations

import math
from threading import Lock
from typing import TYPE_CHECKING

from hypar_opt.costgraph import Duals, Priced

if TYPE_CHECKING:
    from hypar_opt.costgraph import Tables
    from hypar_opt.run import Run


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
        self._lock = Lock()
        least = Priced(tables, self.duals).bound
        self.most = math.ceil(least) + tables.span
        """No allowed assignment costs more."""
        self.value = math.ceil(least)
        run.bound(min(self.value, self.most))

    @property
    def refutes(self) -> bool:
        """Whether it is proven that nothing is allowed."""
        return self.value > self.most

    def offer(self, duals: Duals) -> None:
        """Take a bound if it is better than all before; costs are integers, so that it is rounded up."""
        value = math.ceil(Priced(self.tables, duals).bound)
        with self._lock:
            if value > self.value:
                self.value, self.duals = value, duals
                self.run.bound(min(value, self.most))
                if self.run.proof is not None:
                    self.run.proof(duals)
