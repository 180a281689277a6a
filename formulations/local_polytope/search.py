"""Cores solved one after the other, each within a wider reach of the bound, until the best plan lies in reach."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from formulations.local_polytope.coarse import Coarse
from formulations.local_polytope.engine import INFEASIBLE, HighsEngine, HighsOutcome
from formulations.local_polytope.programme import LinearProgramme, programme_of
from formulations.local_polytope.root import relaxed
from formulations.local_polytope.rows import all_but, broken, cover_of, row_of, taken_by
from hypar_opt.costgraph import FORBIDDEN, Array, Priced, Tables
from hypar_opt.costgraph.duals import EdgeIndex
from hypar_opt.costgraph.reduced_cost import Excess, possible, size

if TYPE_CHECKING:
    from collections.abc import Iterable

    from formulations.local_polytope.known import Knowledge
    from hypar_opt.formulation.run import Limits

SHARES = (0.05, 0.2, 0.5, 1.0)
"""The shares of the gap that cores reach, one after the other; of the values that they keep where no plan is known."""
NEARLY = 0.9
"""Of what is left in all: a core that has more of it is not worth a search of its own."""
NARROWER, POLL_S = 0.5, 2.0
"""A search is begun anew where the gap is so much of what it was; and how often that is looked at."""
ROUNDS = 100
"""After so many relaxations of one core it is left at the bound."""
IMPOSSIBLE = "no assignment is allowed"
INEXACT = "HiGHS's optimum does not stand up to recomputation: its tolerances do not hold here"
CONTRADICTION = "HiGHS says that there is no plan where one is known: its tolerances do not hold here"


@dataclass
class CoreSearch:
    """A problem, and how far it has been searched.

    Parameters
    ----------
    known
        The best plan and the best bound.
    tables, priced
        What is left of its tables, and the bound of that: nothing better than the best plan was left out.
    layout
        Of its tables.
    rows
        Of the memory, that were broken so far.
    native
        HiGHS's last word.
    exhausted
        Whether it has proven that there is no plan better than the best, or none at all.
    failed
        Why the search cannot go on; "" where it can.
    outdated
        Whether the last core was left, because by now it would be much smaller.
    facts
        For the statistics.
    """

    known: Knowledge
    tables: Tables
    priced: Priced
    layout: EdgeIndex
    rows: set[int] = field(default_factory=set)
    native: str = ""
    exhausted: bool = False
    failed: str = ""
    outdated: bool = False
    facts: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def of(known: Knowledge) -> CoreSearch:
        """Return a search from what is known."""
        return CoreSearch(known, known.tables, known.priced, EdgeIndex.of(known.tables))

    @property
    def closed(self) -> bool:
        """Whether the bound of what is left reaches the best plan."""
        return self.known.best.met_by(self.priced.bound)

    @property
    def over(self) -> bool:
        """Whether nothing remains to be done, or no time to do it."""
        return self.exhausted or self.closed or self.known.proven or bool(self.failed) or self.known.run.limits.over

    def run(self) -> None:
        """Solve the linear programme, then the cores: none that reaches no further than one before it."""
        self.narrow()
        self._relax()
        searched: Fraction | float = self.priced.bound
        for share in SHARES:
            while not self.over:
                self.narrow()
                reach = self._reach(share)
                core = self._core(reach)
                whole = math.inf if reach is None else self.priced.bound + Fraction(reach, 2**self.priced.duals.scale)
                if share < 1.0 and (whole <= searched or size(core) > NEARLY * size(self.tables)):
                    break
                self._solve(core, reach)
                if not self.outdated:
                    searched = whole
                    break

    def narrow(self) -> None:
        """Leave out what no plan has that is as good as the best."""
        self.outdated = False
        self.known.ask()
        if self.known.priced.bound > self.priced.bound:
            self.priced = Priced(self.tables, self.known.priced.duals.padded(self.tables.memory.rows))
        self.tables = self._core(self._gap())

    def _core(self, reach: int | None) -> Tables:
        return self._excess.core(self.tables, self.layout, reach)

    @property
    def _excess(self) -> Excess:
        return Excess.of(self.priced, self.layout)

    @property
    def gap(self) -> Fraction | None:
        """What the best plan costs above the bound; None without one."""
        return None if self.known.value is None else self.known.value - self.priced.bound

    def _gap(self) -> int | None:
        """Return the reach within which every plan lies that is no worse than the best; None without one."""
        return None if self.gap is None else math.floor(self.gap * 2**self.priced.duals.scale) + 1

    def _reach(self, share: float) -> int | None:
        """Return a share of the gap; without a plan, the reach that keeps a share of the values; None for all."""
        gap = self._gap()
        if share == 1.0:
            return gap
        if gap is not None:
            return math.ceil(gap * share)
        excess = self._excess.values[self.tables.unary < FORBIDDEN]
        return int(np.quantile(excess, share, method="higher")) + 1

    def _relax(self) -> None:
        if not possible(self.tables):
            self.native, self.exhausted = IMPOSSIBLE, True
            return
        self.known.run.phase("solving the linear programme")
        # what has a price in the bound that is known binds: without it the programme would begin far from it
        self.rows |= set(np.flatnonzero(self.priced.duals.prices).tolist())
        found = relaxed(self.known, self.layout, Priced(self.tables, self.priced.duals), self.rows)
        self.tables, self.priced, self.native = found.tables, found.priced, found.ended
        if self.native in INFEASIBLE:
            self.exhausted = self.known.value is None
            self.failed = "" if self.exhausted else CONTRADICTION
        else:
            # what is left has all that is better than the best plan, or all that there is
            self.known.tell(self.known.best.of_all(math.ceil(self.priced.bound)))

    def _solve(self, core: Tables, reach: int | None) -> None:
        """Solve a core, which has what lies within a reach, to the end."""
        if not possible(core):
            if reach is None:
                self.native, self.exhausted = IMPOSSIBLE, True
            return
        seen: list[Array] = []
        for _ in range(ROUNDS):
            coarse = Coarse.of(core, self.priced.duals, self.known.value)
            programme = programme_of(coarse.tables)
            outcome = self._searched(programme, self.known.run.limits, seen)
            if outcome is None or self.outdated or not self._open(coarse, programme, outcome, reach, bool(seen)):
                return
            if outcome.columns is None:
                break
            if Coarse.of(core, self.priced.duals, self.known.value).size == coarse.size:
                seen.append(programme.choices(outcome.columns))
        self.failed = INEXACT

    def sample(self, most: int, seconds: float) -> None:
        """Look for a better plan in a core of at most so many values and pairs, for so long."""
        core = self._small(most)
        if core is not None:
            said, self.native = self.native, ""
            self._searched(programme_of(core), self.known.run.limits.within(seconds))
            self.native = f"{self.native}, of a sample near the bound" if self.native else said

    def _small(self, most: int) -> Tables | None:
        """Return the least core of the gap's half, quarter, ... that leaves every variable a value, if it is small."""
        gap, excess, found = self._gap(), self._excess, None
        while gap:
            gap //= 2
            core = excess.core(self.tables, self.layout, gap)
            if not possible(core):
                break
            found = core
        return found if found is not None and size(found) <= most else None

    def _searched(self, programme: LinearProgramme, limits: Limits, seen: Iterable[Array] = ()) -> HighsOutcome | None:
        """Return how the search of a programme ended that breaks no row any more; None where it was over before.

        Parameters
        ----------
        seen
            Assignments that are left out.
        """
        self._note(programme)
        engine = HighsEngine(programme, limits, integral=True)
        watch = _GapWatch(self)
        engine.leave_when(watch.outdated)
        engine.on_solution(lambda columns: self.known.offer(programme.choices(columns)))
        engine.add(row_of(programme, row) for row in sorted(self.rows))
        engine.add(all_but(programme, choices) for choices in seen)
        while not (self.over or self.outdated or limits.over):
            self._start(engine, programme)
            outcome = engine.solve()
            self.native = outcome.status
            if not self._again(engine, programme, outcome):
                return outcome
        return None

    def _note(self, programme: LinearProgramme) -> None:
        columns = len(programme.costs)
        self.known.run.phase(f"searching {programme.values} values and {columns - programme.values} pairs of them")
        self.facts |= {"cores": self.facts.get("cores", 0) + 1, "columns": columns}

    def _start(self, engine: HighsEngine, programme: LinearProgramme) -> None:
        """Begin with the best plan, if it is in the core."""
        best = self.known.best.choices
        if best is None or not programme.tables.allowed(best):
            return
        columns = programme.columns[programme.tables.starts[:-1] + np.array(best, dtype=np.int64)]
        values = np.zeros(programme.values)
        values[columns[columns >= 0]] = 1.0
        engine.start(values)

    def _again(self, engine: HighsEngine, programme: LinearProgramme, outcome: HighsOutcome) -> bool:
        """Take a solution; return whether it breaks rows, which are added."""
        if outcome.columns is None:
            return False
        choices = programme.choices(outcome.columns)
        self.known.offer(choices)
        new = broken(programme.tables.memory, taken_by(programme.tables, choices)).tolist()
        # a row that is there and broken is broken by less than the tolerance
        engine.add(cover_of(programme, row, choices) if row in self.rows else row_of(programme, row) for row in new)
        self.rows |= set(new)
        return bool(new)

    def _open(
        self, coarse: Coarse, programme: LinearProgramme, outcome: HighsOutcome, reach: int | None, seen: bool
    ) -> bool:
        """Say what the end of a core means; return whether a better plan may still be in it."""
        gap, value = self._gap(), self.known.value
        whole = reach is None or (gap is not None and gap <= reach)
        if outcome.status in INFEASIBLE:
            # nothing is left, or nothing besides what was seen
            self.exhausted = whole if seen else reach is None and gap is None
            self.failed = CONTRADICTION if whole and not self.exhausted else ""
            return False
        if outcome.status != "kOptimal":
            self.failed = outcome.status
            return False
        lower = coarse.lower(None if outcome.bound is None else outcome.bound + programme.constant)
        if value is None or (lower > value and not seen):
            self.failed = INEXACT if whole else ""
            return False
        self.exhausted = whole and lower >= value
        return whole and not self.exhausted


class _GapWatch:
    """Whether the gap has been halved since a core's search began, by whomever.

    HiGHS knows no plan of others, and what a plan of its own would leave out it fixes at the root only: begun anew,
    with the plan for a start, a smaller core for the same share of the gap is sooner through.
    """

    def __init__(self, search: CoreSearch) -> None:
        self.search, self.gap, self.looked = search, search.gap, time.monotonic()

    def outdated(self) -> bool:
        """Look now and then; the search then says so, too."""
        search = self.search
        if not search.outdated and time.monotonic() > self.looked + POLL_S:
            self.looked = time.monotonic()
            search.known.ask()
            gap = search.gap
            search.outdated = gap is not None and (self.gap is None or gap < NARROWER * self.gap)
        return search.outdated
