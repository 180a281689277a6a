"""portfolio: two searches that tell each other what they find."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass, field, replace
from threading import Timer
from types import SimpleNamespace

import pytest
from helpers import each

from formulations.local_polytope import CoreSearch, Knowledge
from formulations.portfolio import members
from formulations.portfolio.exchange import FALSE, Exchange
from hypar_opt.costgraph import Duals, Priced, graph_of
from hypar_opt.costgraph.presolve import NoPlan
from hypar_opt.formulation.registry import load_formulation, require
from hypar_opt.formulation.run import Event, Hint, Limits, Run
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance import load
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.util.errors import Refusal
from tests.formulations.local_polytope.random_tables import assignments, least, random_tables
from tests.instance.strategy_graph.drawing import best, draw

PORTFOLIO = load_formulation("portfolio")


@dataclass
class Fake:
    """A member that tells what it is made to tell, and what it is told."""

    plan: tuple[int, ...] | None = None
    bound: int | None = None
    duals: Duals | None = None
    waits: bool = False
    fails: bool = False
    hints: list = field(default_factory=list)
    runs: list = field(default_factory=list)
    alive: list = field(default_factory=list)

    def solve(self, graph, run):
        self.runs.append(run)
        self.alive.append(searching())
        if self.fails:
            raise RuntimeError("out of order")
        if self.plan is not None:
            run.incumbent(graph.value(self.plan), self.plan)
        if self.bound is not None:
            run.bound(self.bound)
        if self.duals is not None:
            run.proof(self.duals)
        while self.waits and not run.limits.over:
            self.hints.append(run.hint())
            time.sleep(0.01)
        return Solution(Status.NO_SOLUTION, native_status="gave up")


def searching():
    """Return the members whose threads are alive."""
    return {thread.name for thread in threading.enumerate()} & {members.MILP, members.DECOMPOSITION, members.TREE}


def solved(graph, limits=None, **others):
    events = []
    run = Run("portfolio", limits or Limits(), listener=events.append, **others)
    require(PORTFOLIO, graph, run)
    return events, PORTFOLIO.solve(graph, run)


def beside(monkeypatch, fake):
    """Let a fake member search beside the programme."""
    monkeypatch.setattr(members, "load_formulation", lambda name: fake)
    return fake


def feasible(tables):
    """Return the feasible assignments, the best one first."""
    found = [tuple(one.tolist()) for one in assignments(tables) if tables.feasible(one)]
    return sorted(found, key=tables.value)


@pytest.mark.parametrize("presolved", [True, False])
@each("seed", range(25))
def test_it_agrees_with_trying_every_plan(seed, presolved):
    problem = GraphProblem(draw(seed), presolved)
    expected = best(problem.instance)
    try:
        graph = problem.graph
    except NoPlan:
        assert expected is None
        return
    _, solution = solved(graph)
    if expected is None:
        assert solution.status is Status.INFEASIBLE
        return
    assert (solution.status, solution.bound + problem.shift) == (Status.OPTIMAL, expected[0])
    assert graph.tables.feasible(solution.choices)


@each("seed", range(15))
def test_a_member_out_of_order_does_not_keep_the_other_from_its_proof(seed, monkeypatch):
    beside(monkeypatch, Fake(fails=True))
    tables = random_tables(seed)
    graph, shift = graph_of(tables)
    _, solution = solved(graph)
    expected = least(tables)
    assert solution.status is (Status.INFEASIBLE if expected is None else Status.OPTIMAL)
    assert expected is None or solution.bound + shift == expected


def test_a_bound_that_reaches_a_plan_ends_the_run(monkeypatch):
    monkeypatch.setattr(members, "MOST", 0)
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=30))
    plan = feasible(graph.tables)[0]
    beside(monkeypatch, Fake(plan, graph.value(plan), waits=True))
    events, solution = solved(graph)
    assert (solution.status, solution.choices, solution.bound) == (Status.OPTIMAL, plan, graph.value(plan))
    assert solution.native_status == "the bound of lagrangian reaches the plan of lagrangian"
    assert [event.source for event in events] == ["portfolio"] * len(events)


def test_only_what_is_better_goes_on(monkeypatch):
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    beside(monkeypatch, Fake(feasible(graph.tables)[-1], 0))
    for _ in range(5):
        events, _ = solved(graph)
        values = [event.value for event in events if event.kind == "incumbent"]
        bounds = [event.value for event in events if event.kind == "bound"]
        assert values == sorted(set(values), reverse=True)
        assert bounds == sorted(set(bounds))


def test_a_large_programme_waits_until_the_decomposition_has_ended_or_little_is_left(monkeypatch):
    monkeypatch.setattr(members, "MOST", 0)
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    fake = beside(monkeypatch, Fake(waits=True))
    _, solution = solved(graph, Limits(time.monotonic() + 0.3, workers=2))
    assert (solution.status, fake.runs[0].limits.workers) == (Status.NO_SOLUTION, 2)
    beside(monkeypatch, Fake())
    monkeypatch.setattr(members, "PATIENCE_S", 0.01)
    assert solved(graph)[1].status is Status.OPTIMAL


def test_a_programme_waits_while_it_becomes_much_smaller(monkeypatch):
    monkeypatch.setattr(members, "LITTLE", 0)
    monkeypatch.setattr(members, "PATIENCE_S", 0.01)
    sizes = [100, 100, 80, 50, 46, 45]  # the first is asked for to share the cores
    monkeypatch.setattr(members, "size", lambda tables: sizes.pop(0))
    beside(monkeypatch, Fake(waits=True))
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    assert solved(graph)[1].status is Status.OPTIMAL
    assert sizes == [45]


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("large", [True, False])
def test_the_programme_is_lent_a_worker_as_long_as_it_is_searched(large, fails, monkeypatch):
    """Where the graph is small from the start each member has half of them as it is."""
    left, seen = [members.MOST + large, 1], []  # when the cores are shared, and at the first look
    monkeypatch.setattr(members, "size", lambda tables: left.pop(0))
    fake, limits = beside(monkeypatch, Fake(waits=True)), Limits(time.monotonic() + 600, workers=2)
    true = CoreSearch.run

    def run(search):
        seen.append(search.known.run.limits.lent.is_set())  # one flag of all members
        if fails:
            Timer(0.2, limits.stop.set).start()
            raise MemoryError
        true(search)

    monkeypatch.setattr(CoreSearch, "run", run)
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    solved(graph, limits)
    assert seen == [large]
    assert not fake.runs[0].limits.lent.is_set()
    assert fake.runs[0].limits.workers == (2 if large else 1)


def test_members_lend_what_the_run_has_lent(monkeypatch):
    fake = beside(monkeypatch, Fake())
    limits = Limits(workers=2)
    limits.lent.set()
    solved(graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))[0], limits)
    assert fake.runs[0].limits.lent.is_set()


class Times:
    """The waits of a programme that is never small, which a plan ends, or after three the run."""

    def __init__(self, monkeypatch):
        monkeypatch.setattr(members, "MOST", 0)
        graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
        self.run = Run("portfolio", Limits(time.monotonic() + 60))
        self.members = members.Members(graph, Exchange(graph.tables, self.run))
        self.known = Knowledge.of(graph.tables, Run("milp-highs", Limits()))
        self.waited = []
        monkeypatch.setattr(self.members.stop, "wait", self.wait)

    def wait(self, seconds):
        assert not self.members.lent.is_set()  # nor is anything lent before the programme begins
        self.waited.append(seconds)
        if len(self.waited) == 3:
            self.members.stop.set()
        return self.members.stop.is_set()


@pytest.mark.parametrize(
    ("once", "changed", "waits"), [(True, False, [0.0]), (False, True, [0.0]), (False, False, [0.0, 2.0, 2.0])]
)
def test_a_wait_counts_from_the_look(once, changed, waits, monkeypatch):
    """What took longer than the wait is not waited after; then comes one wait after another until something changes."""
    times = Times(monkeypatch)
    seen = (0, 0) if changed else (times.known.value, times.known.bound)
    times.members._wait(times.known, time.monotonic() - 10, seen, once=once)
    assert times.waited == waits


def test_a_wait_learns_of_the_plans_of_others(monkeypatch):
    times = Times(monkeypatch)
    plan = feasible(times.known.tables)[0]
    times.known = Knowledge.of(times.known.tables, Run("milp-highs", Limits(), others=lambda: Hint(plan)))
    seen = (None, times.known.bound)
    times.members._wait(times.known, time.monotonic() - 10, seen, once=False)
    assert (times.waited, times.known.best.choices) == ([0.0], plan)


def test_nobody_is_waited_for_who_has_ended(monkeypatch):
    times = Times(monkeypatch)
    times.members.solutions[times.members.second] = Solution(Status.NO_SOLUTION)
    times.members._wait(times.known, time.monotonic(), (times.known.value, times.known.bound), once=False)
    assert times.waited == []


def test_a_sample_counts_as_waiting(monkeypatch):
    """The clock stands still but for samples, which take half of the wait."""
    times = Times(monkeypatch)
    clock = [0.0]
    monkeypatch.setattr(members, "time", SimpleNamespace(monotonic=lambda: clock[0]))

    def sample(found):
        clock[0] += members.PATIENCE_S / 2

    monkeypatch.setattr(times.members, "_sample", sample)
    times.members._programme(Run("milp-highs", replace(times.run.limits, stop=times.members.stop)))
    assert times.waited == [members.PATIENCE_S / 2, members.PATIENCE_S, members.PATIENCE_S]


def test_one_worker_waits_for_nobody(monkeypatch):
    monkeypatch.setattr(members, "LITTLE", 0)
    monkeypatch.setattr(members, "PATIENCE_S", 60.0)
    fake = beside(monkeypatch, Fake())
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    assert solved(graph, Limits(time.monotonic() + 20, workers=1))[1].status is Status.OPTIMAL
    assert fake.runs == []


def test_a_small_programme_shares_the_cores(monkeypatch):
    fake = beside(monkeypatch, Fake())
    solved(graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))[0], Limits(workers=2))
    assert fake.runs[0].limits.workers == 1


@pytest.mark.parametrize("most", [0, members.MOST])
def test_one_worker_searches_one_thing_at_a_time(most, monkeypatch):
    monkeypatch.setattr(members, "MOST", most)
    alive = []

    def begun(known):
        alive.append(searching())
        return Solution(Status.NO_SOLUTION, native_status="gave up")

    monkeypatch.setattr(members, "begun", begun)
    fake = beside(monkeypatch, Fake())
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    _, solution = solved(graph, Limits(workers=1))
    assert solution.status is Status.NO_SOLUTION
    second = members.TREE if most else members.DECOMPOSITION
    assert (fake.alive, alive) == ([{second}], [{members.MILP}])
    assert fake.runs[0].limits.workers == 1


def test_one_worker_solves_what_is_small_by_the_programme_alone(monkeypatch):
    fake = beside(monkeypatch, Fake())
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    _, solution = solved(graph, Limits(workers=1))
    assert (solution.status, fake.runs) == (Status.OPTIMAL, [])


def test_one_worker_gives_a_small_programme_half_of_the_time_and_goes_on_from_its_plan(monkeypatch):
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=30))
    plan = feasible(graph.tables)[-1]

    def begun(known):
        known.best.offer(plan)
        while not known.run.limits.over:
            time.sleep(0.01)
        return Solution(Status.FEASIBLE, plan, 0, "out of time")

    monkeypatch.setattr(members, "begun", begun)
    fake = beside(monkeypatch, Fake(waits=True))
    deadline = time.monotonic() + 1.0
    _, solution = solved(graph, Limits(deadline, workers=1))
    assert (solution.status, solution.choices) == (Status.FEASIBLE, plan)
    assert [(run.start, run.limits.deadline) for run in fake.runs] == [(plan, deadline)]
    assert fake.hints[0].choices == plan


def test_one_worker_leaves_what_is_large_to_the_decomposition_until_that_ends(monkeypatch):
    monkeypatch.setattr(members, "MOST", 0)
    monkeypatch.setattr(members, "begun", lambda known: pytest.fail("a programme"))
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    fake = beside(monkeypatch, Fake(waits=True))
    _, solution = solved(graph, Limits(time.monotonic() + 0.3, workers=1))
    assert (solution.status, len(fake.runs)) == (Status.NO_SOLUTION, 1)
    assert "programme" not in solution.native_status


def test_members_are_told_plans_and_prices_of_the_others(monkeypatch):
    graph, _ = graph_of(random_tables(9, variables=6, forbidden=0.0, room=11))
    start = feasible(graph.tables)[-1]
    fake = beside(monkeypatch, Fake(start, waits=True))
    _, solution = solved(graph)
    assert solution.status is Status.OPTIMAL
    assert fake.hints[0].choices is not None


def test_the_prices_of_the_best_bound_are_handed_over(monkeypatch):
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    bad = Duals.zero(graph.tables)
    bad = Duals(0, bad.first - 5, bad.second, bad.prices + 1)
    beside(monkeypatch, Fake(duals=bad))
    proofs = []
    events, _ = solved(graph, proof=proofs.append)
    bounds = [event.value for event in events if event.kind == "bound"]
    assert len(proofs) == 1
    assert math.ceil(Priced(graph.tables, proofs[0]).bound) in bounds  # what is above it rests on rounded rows
    assert math.ceil(Priced(graph.tables, proofs[0]).bound) > math.ceil(Priced(graph.tables, bad).bound)


def test_it_stops_when_asked_to_with_the_best_plan(monkeypatch):
    monkeypatch.setattr(members, "MOST", 0)
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    plan = feasible(graph.tables)[-1]
    beside(monkeypatch, Fake(plan, waits=True))
    limits = Limits()
    timer = Timer(0.2, limits.stop.set)
    timer.start()
    _, solution = solved(graph, limits)
    assert solution.status is Status.FEASIBLE
    # the decomposition may have found a better one meanwhile
    assert graph.tables.feasible(solution.choices)
    assert graph.value(solution.choices) <= graph.value(plan)


def test_a_plan_that_is_none_is_not_taken(monkeypatch):
    graph, _ = graph_of(random_tables(2, forbidden=0.0, room=-1))
    beside(monkeypatch, Fake((0, 0, 0, 0, 0)))
    events, solution = solved(graph)
    assert solution.status is Status.INFEASIBLE
    assert not [event for event in events if event.kind == "incumbent"]


def test_a_proof_that_a_better_plan_contradicts_is_none():
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    best, *_, worst = feasible(graph.tables)
    exchange = Exchange(graph.tables, Run("portfolio"))
    exchange.hear(Event("incumbent", 0.0, "lagrangian", graph.value(best), best))
    claims = {
        "milp-highs": Solution(Status.OPTIMAL, worst, graph.value(worst), "kOptimal"),
        "lagrangian": Solution(Status.INFEASIBLE),
    }
    solution = exchange.concluded(claims)
    assert (solution.status, solution.choices) == (Status.FEASIBLE, best)
    assert solution.note == f"milp-highs says OPTIMAL, and {FALSE}; lagrangian says INFEASIBLE, and {FALSE}"


def test_members_out_of_order_are_an_error():
    failed = Solution(Status.ERROR, native_status="RuntimeError: out of order")
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    solution = Exchange(graph.tables, Run("portfolio")).concluded({"milp-highs": failed, "lagrangian": failed})
    assert solution.status is Status.ERROR
    assert solution.native_status.count("out of order") == 2


def test_prices_that_say_nothing_are_handed_over_where_there_are_no_others():
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    proofs = []
    Exchange(graph.tables, Run("portfolio", proof=proofs.append)).concluded({})
    assert [Priced(graph.tables, one).bound for one in proofs] == [0]


def test_who_is_left_behind_has_nothing_more_to_tell():
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    plan, events = feasible(graph.tables)[0], []
    exchange = Exchange(graph.tables, Run("portfolio", listener=events.append))
    exchange.concluded({})
    for kind, choices in (("incumbent", plan), ("bound", None), ("phase", None)):
        exchange.hear(Event(kind, 0.0, "lagrangian", 0, choices))
    assert not events


def test_a_network_is_declined():
    graph = NetworkProblem(load("lenet-c")).graph
    with pytest.raises(Refusal, match="portfolio is for strategy graphs; try joint-dp or cp-sat"):
        require(PORTFOLIO, graph, Run("portfolio"))
