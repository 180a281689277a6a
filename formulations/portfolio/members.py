"""The members of a portfolio, a thread each."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING

from formulations.local_polytope import Known, begun, concluded
from formulations.local_polytope.core import size
from formulations.portfolio.exchange import PROVEN
from hypar_opt.formulation import load_formulation
from hypar_opt.plan import Solution, Status
from hypar_opt.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from formulations.local_polytope import Search
    from formulations.portfolio.exchange import Exchange
    from hypar_opt.costgraph import CostGraph

MOST = 1_000_000
"""The values and pairs of values of which a programme is drawn up."""
SAMPLE, SAMPLE_S = 500_000, 20.0
"""The size of a sample of what is too large for the programme, and how long it is searched."""
PATIENCE_S = 2.0
"""How long the programme waits before it looks anew at how much there is."""
POLL_S = 0.02
GRACE_S = 1.0
"""How long members get to end when the run is over; then they are left behind."""
MILP, DECOMPOSITION = "milp-highs", "lagrangian"


@dataclass
class Members:
    """The members, and how they end.

    Parameters
    ----------
    graph
        What they search.
    exchange
        What they have found.
    solutions
        Of those that have ended, by name.
    stop
        Set when they are to end.
    sampled
        The gap between plan and bound when a sample was searched last.
    """

    graph: CostGraph
    exchange: Exchange
    solutions: dict[str, Solution] = field(default_factory=dict)
    stop: Flag = field(default_factory=Flag)
    sampled: Fraction | None = None

    def search(self) -> None:
        """Run all members until there is a proof, all have ended, or the run is over."""
        limits = self.exchange.run.limits
        half = max(1, limits.workers // 2)
        small = size(self.graph.tables) <= MOST
        threads = [
            self._started(MILP, self._programme, half),
            self._started(DECOMPOSITION, self._decomposition, half if small else limits.workers),
        ]
        while any(thread.is_alive() for thread in threads) and not self._settled and not limits.over:
            time.sleep(POLL_S)
        self.stop.set()
        until = time.monotonic() + GRACE_S
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    @property
    def _settled(self) -> bool:
        return self.exchange.closed or any(one.status in PROVEN for one in self.solutions.copy().values())

    def _started(self, name: str, search: Callable[[Run], Solution], workers: int) -> Thread:
        """Start a member in a thread of its own."""
        whole, exchange = self.exchange.run, self.exchange
        run = Run(
            name,
            replace(whole.limits, workers=workers, stop=self.stop),
            whole.start,
            exchange.hear,
            partial(exchange.keep, name),
            partial(exchange.hint, name),
        )
        thread = Thread(target=self._ended, args=(name, search, run), name=name, daemon=True)
        thread.start()
        return thread

    def _ended(self, name: str, search: Callable[[Run], Solution], run: Run) -> None:
        try:
            self.solutions[name] = search(run)
        except Exception as error:  # noqa: BLE001 - the other member goes on
            self.solutions[name] = Solution(Status.ERROR, native_status=f"{type(error).__name__}: {error}")

    def _decomposition(self, run: Run) -> Solution:
        return load_formulation(DECOMPOSITION).solve(self.graph, run)

    def _programme(self, run: Run) -> Solution:
        """Wait until little enough is left, then draw up the programme of it."""
        known = Known.of(self.graph.tables, run)
        found = begun(known)
        if isinstance(found, Solution):
            return found
        while not run.limits.over:
            found.narrow()
            if size(found.tables) <= MOST or DECOMPOSITION in self.solutions:
                found.run()
                break
            self._sample(found)
            self._wait(known)
        return concluded(found)

    def _sample(self, found: Search) -> None:
        """Look for a better plan near the bound, each time the two have come twice as near."""
        gap = found.gap
        if gap is not None and (self.sampled is None or 2 * gap <= self.sampled):
            self.sampled = gap
            found.sample(SAMPLE, SAMPLE_S)

    def _wait(self, known: Known) -> None:
        """Wait until there is a better plan or bound."""
        before = known.value, known.bound
        while (known.value, known.bound) == before and DECOMPOSITION not in self.solutions:
            if self.stop.wait(PATIENCE_S) or known.run.limits.over:
                return
            known.ask()
