"""The decomposition on graphs small enough to try every plan of: nothing is claimed that is not so."""

from __future__ import annotations

import time

import numpy as np
import pytest
from helpers import each

from formulations.lagrangian import Lagrangian
from formulations.lagrangian import bounds as bounding
from formulations.lagrangian.bounds import Bounds
from formulations.lagrangian.search import Schedule
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import FORBIDDEN, CostGraph, Memory, Priced, Tables, graph_of, offsets
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.graph_problem import GraphProblem
from hypar_opt.solver.network_problem import NetworkProblem
from tests.instance.strategy_graph.drawing import best, draw

SHORT = Lagrangian(passes=60, sweeps=30, rounds=2)


def tables(sizes, unary, ends=(), edges=(), usages=(), room=()):
    """Return tables; every variable has an item in every row, if there are rows."""
    sizes, room = np.array(sizes, dtype=np.int64), np.array(room, dtype=np.int64)
    holders = np.arange(len(sizes) if len(room) else 0)
    spans = np.tile(np.array([0, len(room)], dtype=np.int64), (len(holders), 1))
    starts = offsets(sizes[holders])
    memory = Memory(holders, spans, starts, np.array(usages, dtype=np.int64), room, np.arange(len(room)))
    whole = [np.array(one, dtype=np.int64) for one in (unary, ends, edges)]
    return Tables(sizes, whole[0], whole[1].reshape(-1, 2), whole[2], memory)


def solved(problem, formulation=SHORT, **limits):
    graph, shift = graph_of(problem)
    return formulation.solve(graph, Run("lagrangian", Limits(**limits))), shift


@each("seed", range(80), quick=5)
def test_what_is_claimed_holds_of_every_plan(seed):
    graph = draw(seed, hard=True)
    problem = compile_graph(graph)
    known = best(graph)
    solution, shift = solved(problem)
    if solution.status in (Status.OPTIMAL, Status.FEASIBLE):
        assert problem.feasible(solution.choices)
        found = problem.value(solution.choices)
        assert solution.bound + shift <= known[0] <= found
        assert solution.status is not Status.OPTIMAL or found == known[0]
    else:
        assert known is None or solution.status is Status.NO_SOLUTION


@pytest.mark.slow
def test_most_small_graphs_are_solved():
    feasible = found = best_found = 0
    for seed in range(60):
        graph = draw(seed, hard=True)
        known = best(graph)
        solution, _ = solved(compile_graph(graph))
        feasible += known is not None
        found += solution.choices is not None
        best_found += solution.choices is not None and compile_graph(graph).value(solution.choices) == known[0]
    assert feasible > 30
    assert found >= 0.9 * feasible
    assert best_found >= 0.8 * feasible


def test_that_nothing_fits_is_proven_by_the_bound():
    problem = tables((2, 2), (0, 10, 0, 5), (0, 1), (0, 0, 0, 0), (4, 1, 4, 1), (1,))
    assert solved(problem)[0].status is Status.INFEASIBLE
    assert solved(problem.replace(memory=tables((2, 2), (), (), (), (4, 1, 4, 1), (2,)).memory))[0].choices == (1, 1)


NO, LINK = FORBIDDEN, (0, 1)


@pytest.mark.parametrize(
    "problem",
    [
        tables((2,), (NO, NO)),
        tables((2, 2), (0, 0, NO, NO + 3), LINK, (0, 0, 0, 0)),
        tables((2, 2), (0, 0, 0, 0), LINK, (NO, NO, NO, NO)),
        tables((2, 2), (0, NO, 0, NO), LINK, (NO, 0, 0, 0)),
        tables((2, 2, 1), (0, 0, 0, 0, 0), (0, 1, 1, 2), (NO, 0, NO, 0, 0, NO)),
    ],
)
def test_that_nothing_is_allowed_is_said(problem):
    told = []
    graph, _ = graph_of(problem)
    solution = SHORT.solve(graph, Run("lagrangian", Limits(), listener=told.append))
    assert (solution.status, solution.choices) == (Status.INFEASIBLE, None)
    assert solution.native_status == "a variable has no value that every edge allows"
    assert not [event for event in told if event.kind == "bound"]


@each("seed", range(40))
def test_without_presolve_it_refutes_only_what_has_no_plan(seed):
    graph = draw(seed)
    problem = GraphProblem(graph, presolved=False)
    solution = SHORT.solve(problem.graph, Run("lagrangian", Limits()))
    assert solution.status is not Status.INFEASIBLE or best(graph) is None


@pytest.mark.parametrize(
    ("problem", "choices"),
    [
        (tables((), ()), ()),
        (tables((1,), (7,)), (0,)),
        (tables((3,), (5, 3, 4)), (1,)),
        (tables((3,), (5, 3, 4), usages=(1, 2, 1), room=(1,)), (2,)),
        (tables((2, 2), (0, 1, 0, 1), (0, 1), (9, 0, 9, 9)), (0, 1)),
        (tables((2, 2), (0, 10, 0, 5), (), (), (4, 0, 4, 0), (0,)), (1, 1)),
    ],
)
def test_the_smallest_graphs(problem, choices):
    solution, _ = solved(problem)
    assert solution.status is Status.OPTIMAL
    assert solution.choices == choices


def test_the_same_seed_and_steps_give_the_same():
    problem = compile_graph(draw(3, most_nodes=40, most_strategies=6, hard=True))
    first, second = (solved(problem, seed=5)[0] for _ in range(2))
    assert first == second


def test_a_plan_to_start_from_is_kept_or_beaten():
    graph = draw(11, hard=True)
    problem = compile_graph(graph)
    _, plan = best(graph)
    compiled, _ = graph_of(problem)
    told = []
    run = Run("lagrangian", Limits(), tuple(plan.tolist()), told.append)
    assert Lagrangian(1, 1, 1).solve(compiled, run).choices is not None
    values = [event.value for event in told if event.kind == "incumbent"]
    assert values == sorted(set(values), reverse=True)
    assert values[-1] == compiled.tables.value(plan)


def test_bounds_rise_and_their_prices_are_handed_over():
    compiled, _ = graph_of(compile_graph(draw(8, most_nodes=30, hard=True)))
    told, proofs = [], []
    solution = SHORT.solve(compiled, Run("lagrangian", Limits(), listener=told.append, proof=proofs.append))
    bounds = [event.value for event in told if event.kind == "bound"]
    assert bounds == sorted(set(bounds))
    assert bounds[-1] == solution.bound
    assert -(-Priced(compiled.tables, proofs[-1]).bound // 1) == solution.bound


def test_a_network_is_declined_before_its_tables_are_written_down(monkeypatch):
    def written(self):
        pytest.fail("the tables of words were written down")

    small, large = (NetworkProblem(load("vgg-e", levels=levels)).graph for levels in (2, 12))
    assert SHORT.accepts(small, Run("lagrangian")) is None
    monkeypatch.setattr(CostGraph, "tables", property(written))
    assert "costs, its limit is" in SHORT.accepts(large, Run("lagrangian"))


def test_what_costs_as_much_as_can_be_is_not_refuted():
    assert Bounds(tables((1,), (7,)), Run("lagrangian")).refutation is None


def test_what_edges_leave_nothing_of_is_seen_in_so_many_looks(monkeypatch):
    ties = [0, FORBIDDEN, FORBIDDEN, 0]
    path = tables((2,) * 3, (FORBIDDEN, 0, 0, 0, 0, FORBIDDEN), ((0, 1), (1, 2)), ties * 2)
    assert Bounds(path, Run("lagrangian")).refutation == "a variable has no value that every edge allows"
    limits = Limits()
    limits.stop.set()
    assert Bounds(path, Run("lagrangian", limits)).consistent
    monkeypatch.setattr(bounding, "LOOKS", 0)
    assert Bounds(path, Run("lagrangian")).consistent


def test_a_stop_is_heeded():
    limits = Limits()
    pace = Schedule(limits, 1.0, 10)
    assert pace.step() == 0.0
    limits.stop.set()
    assert pace.step() is None


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_deadline_is_kept(workers):
    problem = compile_graph(draw(6, most_nodes=300, most_strategies=8, hard=True))
    solved(problem)  # whatever is compiled is compiled, windows too, which there are with a deadline only
    solved(problem, deadline=time.monotonic() + 1.0, workers=workers)
    solution, _ = solved(problem, deadline=time.monotonic() + 1.0, workers=workers)
    assert solution.status is not Status.OPTIMAL, "what it stops with is proven of nothing"
    assert solution.bound is not None
