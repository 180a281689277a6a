"""Rounds of annealing keep their time, however long a sweep takes, and end cold."""

from __future__ import annotations

from itertools import count, pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from formulations.lagrangian import search as searching
from formulations.lagrangian.bounds import Bounds
from formulations.lagrangian.passing import penalised
from formulations.lagrangian.search import COOLING, AnnealingSearch, Schedule
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.solver.graph_problem import GraphProblem
from tests.instance.strategy_graph.wide import wide


class Watched(AnnealingSearch):
    """A search that keeps the temperatures of its sweeps, those of repairs left out."""

    def __init__(self, *given):
        super().__init__(*given)
        self.temperatures = []

    def _sweep(self, choices, prices, temperature):
        if temperature > 0.0:
            self.temperatures.append(temperature)
        super()._sweep(choices, prices, temperature)


def annealed(sweeps, pace):
    """Return the temperatures of rounds at a pace."""
    tables = GraphProblem(wide(1, 30, (4, 9))).graph.tables
    run = Run("lagrangian", Limits())
    search = Watched(penalised(tables), Incumbent(tables, run), Bounds(tables, run), run.limits, 0)
    search.rounds(np.zeros(tables.count, dtype=np.int64), np.zeros(tables.memory.rows), sweeps, pace)
    return search.temperatures


def by_the_clock(monkeypatch, readings):
    """Return a pace that is over when the clock has been read so often."""
    pace = Schedule(Limits().within(1e6), 1.0, 0)
    pace.seconds, pace.began = float(readings), 0.0
    monkeypatch.setattr(searching, "time", SimpleNamespace(monotonic=count().__next__))
    return pace


def test_a_round_that_takes_more_time_than_there_is_cools_down_in_what_there_is(monkeypatch):
    found = annealed(10**6, by_the_clock(monkeypatch, 200))
    assert 150 < len(found) <= 200
    assert all(later < sooner for sooner, later in pairwise(found))
    assert found[0] / found[-1] == pytest.approx(COOLING, rel=0.1)


def test_the_last_of_several_rounds_does_too(monkeypatch):
    found = annealed(100, by_the_clock(monkeypatch, 150))
    starts = [0, *(k + 1 for k, (sooner, later) in enumerate(pairwise(found)) if later > sooner)]
    assert (len(starts), starts[1]) == (2, 100)
    assert found[100] / found[-1] == pytest.approx(COOLING, rel=0.2)
    assert len(found) <= 150


def test_where_steps_count_all_sweeps_are_made_whatever_the_clock_says():
    found = annealed(50, Schedule(Limits(), 1.0, 2))
    assert len(found) == 100
    assert found[0] / found[49] == pytest.approx(COOLING ** (49 / 50))
