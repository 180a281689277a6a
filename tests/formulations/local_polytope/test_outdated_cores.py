"""A core that others have made much too large is left, and a smaller one searched to the same end."""

from __future__ import annotations

import pytest
from helpers import each
from random_tables import assignments, random_tables

from formulations.local_polytope import search as searching
from formulations.local_polytope.engine import HighsEngine, HighsOutcome
from formulations.local_polytope.known import Knowledge
from formulations.local_polytope.search import CoreSearch
from hypar_opt.formulation.run import Hint, Limits, Run

pytestmark = pytest.mark.usefixtures("unrounded")


class Halved:
    """An engine whose searches are interrupted as soon as somebody else has found the best plan."""

    def __init__(self, best, run):
        self.best, self.run, self.interrupted, self.searches = best, run, 0, 0

    def patch(self, monkeypatch):
        solve = HighsEngine.solve

        def solved(engine):
            if not engine.integral:
                return solve(engine)
            self.searches += 1
            self.run["hint"] = Hint(self.best)
            if engine._done():
                self.interrupted += 1
                return HighsOutcome("kInterrupt")
            return solve(engine)

        monkeypatch.setattr(searching, "POLL_S", -1.0)
        monkeypatch.setattr(HighsEngine, "solve", solved)


def searched(tables, start, hints):
    run = Run("milp-highs", Limits(workers=1), start, others=lambda: hints["hint"])
    search = CoreSearch.of(Knowledge.of(tables, run))
    search.run()
    return search


@each("seed", range(20))
def test_a_core_is_left_for_a_smaller_one_and_the_end_is_the_same(seed):
    tables = random_tables(seed)
    plans = sorted((one for one in assignments(tables) if tables.feasible(one)), key=tables.value)
    if not plans:
        return
    best, worst = tuple(map(int, plans[0])), tuple(map(int, plans[-1]))
    hints = {"hint": Hint()}
    engine = Halved(best, hints)
    with pytest.MonkeyPatch.context() as patch:
        engine.patch(patch)
        search = searched(tables, worst, hints)
    assert search.known.value == tables.value(plans[0])
    assert search.exhausted or search.closed or search.known.proven
    assert not search.failed
    assert engine.interrupted <= engine.searches


def test_some_core_is_left():
    left = 0
    for seed in range(20):
        tables = random_tables(seed)
        plans = sorted((one for one in assignments(tables) if tables.feasible(one)), key=tables.value)
        if plans:
            hints = {"hint": Hint()}
            engine = Halved(tuple(map(int, plans[0])), hints)
            with pytest.MonkeyPatch.context() as patch:
                engine.patch(patch)
                searched(tables, tuple(map(int, plans[-1])), hints)
            left += engine.interrupted
    assert left > 0


def test_a_core_is_outdated_once_the_gap_is_half_of_what_it_was_by_whomever(monkeypatch):
    monkeypatch.setattr(searching, "POLL_S", -1.0)
    tables = random_tables(4, variables=6, forbidden=0.0, room=1000)
    plans = sorted(assignments(tables), key=tables.value)
    best, worst = tuple(map(int, plans[0])), tuple(map(int, plans[-1]))
    hints = {"hint": Hint()}

    def begun():
        return CoreSearch.of(Knowledge.of(tables, Run("milp-highs", Limits(), worst, others=lambda: hints["hint"])))

    search = begun()
    gap = search.gap
    far = next(one for one in reversed(plans) if tables.value(one) < tables.value(plans[-1]))
    near = next(one for one in reversed(plans) if tables.value(one) - search.priced.bound < gap / 2)
    assert tables.value(far) - search.priced.bound >= gap / 2

    watch = searching._GapWatch(search)
    search.known.offer(far)
    assert not watch.outdated()
    search.known.offer(near)
    assert watch.outdated()
    assert search.outdated

    other = begun()
    watch = searching._GapWatch(other)
    hints["hint"] = Hint(best)
    assert watch.outdated()
