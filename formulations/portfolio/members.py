"""The members of a portfolio, a thread each."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING

from formulations.local_polytope import CoreSearch, Knowledge, begun, concluded
from formulations.portfolio.exchange import DECOMPOSITION, MILP, PROVEN, TREE, Exchange
from hypar_opt.costgraph.reduced_cost import size
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import EitherFlag, Limits, Run
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from hypar_opt.costgraph import CostGraph

MOST = 1_000_000
"""The values and pairs of values of which a programme is drawn up."""
LITTLE = 100_000
"""Of so few one is drawn up at once; of more, when there are hardly fewer than at the last look."""
HARDLY = 0.9
SAMPLE, SAMPLE_S = 500_000, 20.0
"""The size of a sample of what is left while the programme waits, and how long it is searched."""
PATIENCE_S = 2.0
"""How long the programme waits before it looks anew at how much there is."""
POLL_S = 0.02
GRACE_S = 1.0
"""How long members get to end when the run is over; then they are left behind."""
EXTRA_S = 10.0
"""How long the programme may go on at most to certify what a tree has proven, where somebody wants a certificate."""


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
    lent
        Set as long as the programme has one of the decomposition's workers.
    sampled
        The gap between plan and bound when a sample was searched last.
    second
        Who searches beside the programme: the tree where that is small from the start, else the decomposition alone.
    """

    graph: CostGraph
    exchange: Exchange
    solutions: dict[str, Solution] = field(default_factory=dict)
    stop: Flag = field(default_factory=Flag)
    lent: EitherFlag = field(init=False)
    sampled: Fraction | None = None
    second: str = DECOMPOSITION

    def __post_init__(self) -> None:
        self.lent = EitherFlag(self.exchange.run.limits.lent)

    def search(self) -> None:
        """Run the members until there is a proof, all have ended, or the run is over."""
        small = size(self.graph.tables) <= MOST
        self.second = TREE if small else DECOMPOSITION
        if self.exchange.run.limits.workers > 1:
            self._beside(small)
        else:
            self._in_turn(small)

    def _beside(self, small: bool) -> None:
        """Run the members at once: each with half of the workers, or the programme with what it takes now and then."""
        limits = self.exchange.run.limits
        half = replace(limits, workers=limits.workers // 2)
        self._await(self._started(MILP, half), self._started(self.second, half if small else limits))

    def _in_turn(self, small: bool) -> None:
        """Run one member and then the other, where there is one worker.

        A small programme goes first, for at most half of the time; a large one goes when the decomposition has ended.
        """
        limits = self.exchange.run.limits
        left = limits.remaining_s()
        first = limits if left is None else limits.within(left / 2)
        turns = ((MILP, first), (TREE, limits)) if small else ((DECOMPOSITION, limits), (MILP, limits))
        for name, own in turns:
            if not (self._settled or limits.over):
                self._await(self._started(name, own))

    def _await(self, *threads: Thread) -> None:
        """Wait until the members have ended; if the run ends before, they get a moment to do so, too."""
        while not (self._settled or self.exchange.run.limits.over):
            running = next((thread for thread in threads if thread.is_alive()), None)
            if running is None:
                break
            running.join(POLL_S)
        self._certify([thread for thread in threads if thread.name == MILP])
        if any(thread.is_alive() for thread in threads):
            self.stop.set()
        until = time.monotonic() + GRACE_S
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _certify(self, threads: list[Thread]) -> None:
        """Let the programme go on from a tree's proof, for as long again, where somebody wants a certificate.

        Of small graphs both prove the same within a second of one another, but only prices go into a certificate.
        """
        run = self.exchange.run
        if run.proof is None or self.second != TREE or self.exchange.best.choices is None or not self._settled:
            return
        now = time.monotonic()
        until = now + min(EXTRA_S, now - run.began)
        for thread in threads:
            while thread.is_alive() and not (self.exchange.certified or run.limits.over or time.monotonic() > until):
                thread.join(10 * POLL_S)  # a look at all prices takes as long as many polls

    @property
    def _settled(self) -> bool:
        return self.exchange.closed or any(one.status in PROVEN for one in self.solutions.copy().values())

    def _started(self, name: str, limits: Limits) -> Thread:
        """Start a member in a thread of its own, from the best plan so far."""
        whole, exchange = self.exchange.run, self.exchange
        run = Run(
            name,
            replace(limits, stop=self.stop, lent=self.lent),
            whole.start if exchange.best.choices is None else exchange.best.choices,
            exchange.hear,
            partial(exchange.keep, name),
            partial(exchange.hint, name),
        )
        search = self._programme if name == MILP else self._decomposition
        thread = Thread(target=self._ended, args=(name, search, run), name=name, daemon=True)
        thread.start()
        return thread

    def _ended(self, name: str, search: Callable[[Run], Solution], run: Run) -> None:
        try:
            self.solutions[name] = search(run)
        except Exception as error:  # noqa: BLE001 - the other member goes on
            self.solutions[name] = Solution(Status.ERROR, native_status=f"{type(error).__name__}: {error}")

    def _decomposition(self, run: Run) -> Solution:
        return load_formulation(self.second).solve(self.graph, run)

    def _programme(self, run: Run) -> Solution:
        """Wait until little enough is left, then draw up the programme of it."""
        known = Knowledge.of(self.graph.tables, run)
        found = begun(known)
        if isinstance(found, Solution):
            return found
        left = math.inf if self.exchange.run.limits.workers > 1 else 0  # nobody else makes it smaller
        while not run.limits.over:
            found.narrow()
            before, left = left, size(found.tables)
            if self.second in self.solutions or (left <= MOST and (left <= LITTLE or left >= HARDLY * before)):
                self._run(found)
                break
            looked, seen = time.monotonic(), (known.value, known.bound)
            self._sample(found)
            self._wait(known, looked, seen, once=left <= MOST)
        return concluded(found)

    def _run(self, found: CoreSearch) -> None:
        """Search the programme, with a worker of the decomposition, if that has all: by now the proof waits for it."""
        if self.second == DECOMPOSITION:
            self.lent.set()
        try:
            found.run()
        finally:
            self.lent.clear()

    def _sample(self, found: CoreSearch) -> None:
        """Look for a better plan near the bound, each time the two have come twice as near."""
        gap = found.gap
        if gap is not None and (self.sampled is None or 2 * gap <= self.sampled):
            self.sampled = gap
            found.sample(SAMPLE, SAMPLE_S)

    def _wait(self, known: Knowledge, looked: float, seen: tuple[int | None, int | None], once: bool) -> None:
        """Wait until `PATIENCE_S` have passed since a look; then, unless once only, as long again and again.

        The wait is over when plan or bound are not those that were seen at the look, or the other member has ended.
        """
        rest = looked + PATIENCE_S - time.monotonic()
        while self.second not in self.solutions:
            if self.stop.wait(max(0.0, rest)) or known.run.limits.over:
                return
            known.ask()
            if once or (known.value, known.bound) != seen:
                return
            rest = PATIENCE_S
