"""milp-highs on graphs that come from tables."""

from __future__ import annotations

import time
from dataclasses import replace
from threading import Timer

import numpy as np
import pytest
from helpers import each
from random_tables import assignments, least, random_tables

from formulations.local_polytope import WORD, Knowledge, begun, concluded, rows, search
from formulations.local_polytope.engine import HighsEngine, HighsOutcome
from hypar_opt.costgraph import FORBIDDEN, Memory, Priced, Tables, graph_of
from hypar_opt.formulation.registry import load_formulation, require
from hypar_opt.formulation.run import Hint, Limits, Run
from hypar_opt.formulation.solution import Status

HIGHS, CBC = load_formulation("milp-highs"), load_formulation("milp-cbc")


def solved(tables, seconds=None, **others):
    """Return the events, the graph, what it costs besides, and the solution."""
    graph, shift = graph_of(tables)
    deadline = None if seconds is None else time.monotonic() + seconds
    events = []
    run = Run("milp-highs", Limits(deadline, workers=1), listener=events.append, **others)
    require(HIGHS, graph, run)
    return events, graph, shift, HIGHS.solve(graph, run)


def hard(seed=0, variables=160, values=12):
    """Return tables that take long: dense random costs on a random graph, and tight memory."""
    rng = np.random.default_rng(seed)
    pairs = np.unique(np.sort(rng.integers(0, variables, (5 * variables, 2)), axis=1), axis=0)
    ends = pairs[pairs[:, 0] != pairs[:, 1]]
    base = random_tables(seed, variables=variables, most=values, room=10**6)
    sizes = np.full(variables, values)
    memory = replace(
        base.memory,
        starts=np.arange(variables + 1) * values,
        usages=rng.integers(0, 9, variables * values),
        room=np.full(3, variables),
    )
    return Tables(
        sizes, rng.integers(0, 100, variables * values), ends, rng.integers(0, 100, len(ends) * values**2), memory
    )


def proves(tables, solution, shift):
    expected = least(tables)
    if expected is None:
        return solution.status is Status.INFEASIBLE and solution.bound is None
    return solution.status is Status.OPTIMAL and solution.bound + shift == expected


@each("seed", range(60))
def test_it_agrees_with_trying_everything(seed):
    tables = random_tables(seed)
    _, graph, shift, solution = solved(tables)
    assert proves(tables, solution, shift)
    if solution.choices is not None:
        assert tables.feasible(solution.choices)
        assert graph.value(solution.choices) == solution.bound


@each("seed", range(30))
def test_what_it_tells_is_exact_and_gets_better(seed):
    tables = random_tables(seed, forbidden=0.0, room=14)
    proofs = []
    events, graph, shift, solution = solved(tables, proof=proofs.append)
    bounds = [event.value for event in events if event.kind == "bound"]
    values = [event.value for event in events if event.kind == "incumbent"]
    assert bounds == sorted(set(bounds))
    assert values == sorted(set(values), reverse=True)
    assert all(graph.tables.value(event.choices) == event.value for event in events if event.kind == "incumbent")
    assert not bounds or least(tables) is None or bounds[-1] + shift <= least(tables)
    assert not bounds or -(-Priced(graph.tables, proofs[-1]).bound // 1) in bounds  # the others rest on rounded rows
    assert proves(tables, solution, shift)


@each("seed", range(25))
def test_a_start_and_a_hint_are_taken(seed):
    tables = random_tables(seed, forbidden=0.0)
    plans = [tuple(one.tolist()) for one in assignments(tables) if tables.feasible(one)]
    if not plans:
        return
    events, _, shift, solution = solved(tables, start=plans[-1])
    assert events[0].choices == plans[-1]
    assert proves(tables, solution, shift)
    best = min(plans, key=tables.value)
    events, _, _, solution = solved(tables, start=plans[-1], others=lambda: Hint(best))
    told = [event.choices for event in events if event.kind == "incumbent"]
    assert told == [plans[-1], best][-len(told) :]
    assert proves(tables, solution, shift)


@each("seed", range(30))
def test_rows_that_a_solver_keeps_within_its_tolerance_only_are_kept_exactly(seed, monkeypatch):
    def lenient(programme, number):
        row = rows.row_of(programme, number)
        return replace(row, most=row.most + 2)

    monkeypatch.setattr(search, "row_of", lenient)
    tables = random_tables(seed, forbidden=0.0, room=10)
    _, _, shift, solution = solved(tables)
    assert proves(tables, solution, shift)


def bounds_off_by(much, monkeypatch):
    def false(self):
        found = honest(self)
        return found if found.bound is None else replace(found, bound=found.bound + much)

    honest = HighsEngine.solve
    monkeypatch.setattr(HighsEngine, "solve", false)
    return random_tables(4, variables=6, forbidden=0.0, room=11)


@pytest.mark.usefixtures("unrounded")
def test_a_claim_that_a_plan_contradicts_is_none(monkeypatch):
    solution = solved(bounds_off_by(2.0**40, monkeypatch))[3]
    assert solution.status is Status.FEASIBLE
    assert solution.note == search.INEXACT


@pytest.mark.usefixtures("unrounded")
def test_a_bound_that_does_not_reach_the_plan_is_looked_behind(monkeypatch):
    tables = bounds_off_by(-(2.0**30), monkeypatch)
    left_out, real = [], search.all_but
    monkeypatch.setattr(search, "all_but", lambda *given: left_out.append(given) or real(*given))
    _, _, shift, solution = solved(tables)
    assert left_out
    assert proves(tables, solution, shift)


@pytest.mark.usefixtures("unrounded")
def test_what_remains_beside_more_than_can_be_looked_at_is_not_proven(monkeypatch):
    monkeypatch.setattr(search, "ROUNDS", 1)
    solution = solved(bounds_off_by(-(2.0**40), monkeypatch))[3]
    assert (solution.status, solution.note) == (Status.FEASIBLE, search.INEXACT)


@pytest.mark.usefixtures("unrounded")
def test_a_solver_that_denies_a_plan_is_in_error(monkeypatch):
    def false(self):
        return HighsOutcome("kInfeasible") if self.integral else honest(self)

    honest = HighsEngine.solve
    monkeypatch.setattr(HighsEngine, "solve", false)
    tables = random_tables(4, variables=6, forbidden=0.0, room=11)
    start = next(tuple(one.tolist()) for one in assignments(tables) if tables.feasible(one))
    solution = solved(tables, start=start)[3]
    assert (solution.status, solution.note) == (Status.ERROR, search.CONTRADICTION)


def test_what_nothing_fits_is_said_in_numbers():
    solution = solved(random_tables(2, forbidden=0.0, room=-1))[3]
    assert solution.status is Status.INFEASIBLE
    assert "is needed, and -1 available" in solution.native_status


def twins(forbidden):
    """Return two variables that take the same value, or by what is forbidden none; either way 6 of 5 are needed."""
    usages, row = np.array([0, 6, 6, 0]), np.array([[0, 1], [0, 1]])
    memory = Memory(np.arange(2), row, np.array([0, 2, 4]), usages, np.array([5]), np.array([0]))
    return Tables(np.array([2, 2]), np.zeros(4, dtype=np.int64), np.array([[0, 1]]), np.array(forbidden), memory)


@pytest.mark.parametrize(
    ("edge", "note"), [([0, FORBIDDEN, FORBIDDEN, 0], WORD), ([FORBIDDEN] * 4, "")], ids=["memory", "forbidden"]
)
def test_whose_word_it_is_that_there_is_no_plan(edge, note):
    solution = solved(twins(edge))[3]
    assert (solution.status, solution.note) == (Status.INFEASIBLE, note)


def test_prices_are_handed_over_even_if_they_say_nothing():
    tables = random_tables(4, variables=6, forbidden=0.0, room=30)
    proofs = []
    costless = tables.replace(unary=tables.unary * 0, edges=tables.edges * 0)
    _, graph, _, solution = solved(costless, proof=proofs.append)
    assert solution.status is Status.OPTIMAL
    assert Priced(graph.tables, proofs[-1]).bound == solution.bound == 0


def test_a_core_without_plans_says_nothing_of_the_whole(monkeypatch):
    monkeypatch.setattr(search, "SHARES", (0.0,))
    tables = random_tables(4, variables=6, forbidden=0.0, room=11)
    start = max((tuple(one.tolist()) for one in assignments(tables) if tables.feasible(one)), key=tables.value)
    monkeypatch.setattr(search.CoreSearch, "closed", False)
    solution = solved(tables, start=start)[3]
    assert solution.status is Status.FEASIBLE
    assert solution.native_status != search.IMPOSSIBLE


def test_a_limit_is_not_said_twice():
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    found = begun(Knowledge.of(graph.tables, Run("milp-highs")))
    found.native = found.failed = "kTimeLimit"
    assert (concluded(found).native_status, concluded(found).note) == ("stopped at the time limit", "")


def test_a_deadline_is_kept():
    _, graph, _, solution = solved(hard(), seconds=1.0)
    assert solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)
    assert solution.bound is not None
    assert solution.choices is None or graph.tables.feasible(solution.choices)


def test_it_stops_when_asked_to():
    graph, _ = graph_of(hard(1))
    run = Run("milp-highs", Limits(workers=1))
    timer = Timer(0.5, run.limits.stop.set)
    timer.start()
    solution = HIGHS.solve(graph, run)
    assert solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)


def test_cbc_declines_what_is_large():
    graph, _ = graph_of(hard(variables=400, values=30))
    assert HIGHS.accepts(graph, Run("milp-highs")) is None
    assert "arcs" in CBC.accepts(graph, Run("milp-cbc"))


@each("seed", range(20), quick=5)
def test_a_sample_finds_plans_near_the_bound_and_claims_nothing(seed):
    graph, _ = graph_of(random_tables(seed, variables=6, forbidden=0.0, room=14))
    plans = [tuple(one.tolist()) for one in assignments(graph.tables) if graph.tables.feasible(one)]
    if not plans:
        return
    worst = max(plans, key=graph.value)
    found = begun(Knowledge.of(graph.tables, Run("milp-highs", start=worst)))
    assert isinstance(found, search.CoreSearch)
    found.narrow()
    found.sample(1000, 5.0)
    assert not found.exhausted
    assert not found.failed
    assert not found.facts.get("cores") or found.native.endswith("of a sample near the bound")
    assert found.known.value <= graph.value(worst)
    native = found.native
    found.sample(1000, 0.0)
    assert found.native == native
    found.run()
    assert found.known.value == min(map(graph.value, plans))


def test_there_is_no_sample_of_nothing():
    graph, _ = graph_of(random_tables(3, variables=6, forbidden=0.0, room=14))
    found = begun(Knowledge.of(graph.tables, Run("milp-highs")))
    found.sample(1000, 5.0)
    assert found.facts == {}
