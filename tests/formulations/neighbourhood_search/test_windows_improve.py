"""Windows against every assignment of small tables."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import each

from formulations.neighbourhood_search import improve, rounds
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import FORBIDDEN, Memory, Tables, offsets
from hypar_opt.formulation.run import Limits
from tests.instance.strategy_graph.drawing import draw, plans


def never() -> bool:
    return False


def improved(tables: Tables, start: np.ndarray, seed: int = 0, workers: int = 1) -> tuple[np.ndarray, list[int]]:
    told: list[int] = []

    def tell(value: int, choices: np.ndarray) -> None:
        assert tables.feasible(choices)
        assert tables.value(choices) == value
        told.append(value)

    return improve(tables, start, never, Limits(seed=seed, workers=workers), tell), told


@each("seed", range(25), quick=5)
def test_an_assignment_stays_feasible_and_gets_no_worse(seed):
    graph = draw(seed, hard=True)
    tables = compile_graph(graph)
    feasible = [one for one in plans(graph) if tables.feasible(one)]
    for start in feasible[:: max(1, len(feasible) // 3)]:
        before = start.copy()
        found, told = improved(tables, start)
        assert (start == before).all()
        assert tables.feasible(found)
        assert tables.value(found) <= tables.value(start)
        assert told == sorted(set(told), reverse=True)
        assert tables.value(found) == ([tables.value(start), *told])[-1]


def tree(seed: int, variables: int = 6, size: int = 3) -> Tables:
    """Return a random tree without memory, some of it forbidden."""
    rng = np.random.default_rng(seed)
    ends = [(int(rng.integers(0, one)), one) for one in range(1, variables)]
    edges = rng.integers(0, 30, (variables - 1, size, size))
    edges[rng.random(edges.shape) < 0.1] = FORBIDDEN
    edges[:, 0, 0] = 40
    unary = rng.integers(0, 30, variables * size)
    return Tables(np.full(variables, size), unary, np.array(ends), edges.reshape(-1))


@each("seed", range(20), quick=5)
def test_a_tree_without_memory_is_solved(seed):
    tables = tree(seed)
    every = np.indices(tuple(tables.sizes)).reshape(tables.count, -1).T
    least = min(tables.value(one) for one in every if tables.allowed(one))
    found, _ = improved(tables, np.zeros(tables.count, dtype=np.int64))
    assert tables.value(found) == least


def swap() -> Tables:
    """Return two variables of which one may take the memory: the wrong one has it, and no single change helps."""
    one_row = np.array([[0, 1], [0, 1]])
    memory = Memory(
        np.array([0, 1]), one_row, offsets(np.array([2, 2])), np.array([0, 5, 0, 5]), np.array([5]), np.array([0])
    )
    return Tables(np.array([2, 2]), np.array([4, 0, 9, 0]), np.array([[0, 1]]), np.zeros(4, dtype=np.int64), memory)


def test_memory_passes_from_one_variable_to_another():
    found, told = improved(swap(), np.array([1, 0]))
    assert found.tolist() == [0, 1]
    assert told == [4]


def test_the_same_seed_finds_the_same_and_threads_agree_on_a_best():
    tables = compile_graph(draw(7, most_nodes=6, hard=True))
    start = next(one for one in plans(draw(7, most_nodes=6, hard=True)) if tables.feasible(one))
    assert improved(tables, start, 3)[1] == improved(tables, start, 3)[1]
    assert tables.feasible(improved(tables, start, 3, workers=2)[0])


def test_a_worker_that_is_lent_has_no_windows_as_long_as_it_is(monkeypatch):
    tables, limits, threads = tree(0), Limits(workers=2), []
    true = rounds.fused

    def fused(tables, plans, limits):
        threads.append(len(plans) - 1)  # besides the best one so far
        if len(threads) == 2:
            limits.lent.set()
        if len(threads) == 4:
            limits.lent.clear()
        return true(tables, plans, limits)

    monkeypatch.setattr(rounds, "fused", fused)
    improve(tables, np.zeros(tables.count, dtype=np.int64), lambda: len(threads) == 6, limits, lambda *_: None)
    assert threads == [2, 2, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("workers", "lent", "left"), [(1, False, 1), (1, True, 1), (2, False, 2), (2, True, 1), (4, True, 3)]
)
def test_one_worker_is_lent_but_never_the_last(workers, lent, left):
    limits = Limits(workers=workers)
    if lent:
        limits.lent.set()
    assert limits.workers_left == left
    assert (limits, hash(limits)) == (Limits(workers=workers), hash(Limits(workers=workers)))


def test_nothing_is_tried_when_time_is_over():
    tables = tree(0)
    start = np.zeros(tables.count, dtype=np.int64)
    assert improve(tables, start, lambda: True, Limits(), lambda *_: pytest.fail("told")).tolist() == start.tolist()


def test_nothing_to_choose():
    empty = np.zeros(0, dtype=np.int64)
    tables = Tables(empty, empty, empty.reshape(0, 2), empty)
    assert improved(tables, empty)[0].tolist() == []


def test_plans_that_do_not_fit_are_left_out():
    tables = swap()
    found = improve(tables, np.array([1, 0]), lambda: True, Limits(), lambda *_: None, others=[np.array([1, 1])])
    assert found.tolist() == [1, 0]
    with pytest.raises(ValueError, match="feasible"):
        improve(tables, np.array([1, 1]), never, Limits(), lambda *_: None)
