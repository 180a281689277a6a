"""First plans: allowed and fitting where there is one at all, by brute force; each thing that is mended, alone."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import each
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import FORBIDDEN, first_plan
from hypar_opt.costgraph.presolve import NoPlan, merged
from hypar_opt.evaluation.strategy_graph import judge
from tests.costgraph.presolve.presolve_checks import tables_of
from tests.instance.strategy_graph.drawing import best, draw


def found_in(graph):
    """Return a first plan of a graph's nodes, or None."""
    try:
        begun = merged(compile_graph(graph))
    except NoPlan:
        return None
    choices = first_plan.first_plan(begun.tables)
    return None if choices is None else begun.expand(choices)


@each("seed", range(240), quick=40)
def test_a_first_plan_is_allowed_and_is_found_where_there_is_a_plan(seed):
    graph = draw(seed, hard=seed % 2 == 1)
    choices = found_in(graph)
    assert (choices is None) is (best(graph) is None)
    assert choices is None or judge(graph, choices.tolist()).fault is None


@settings(max_examples=20)
@given(st.integers(0, 2**31), st.integers(2, 9), st.integers(1, 4))
def test_without_merging_a_first_plan_is_allowed_if_there_is_one(seed, nodes, strategies):
    graph = draw(seed, nodes, strategies)
    choices = first_plan.first_plan(compile_graph(graph))
    assert choices is None or judge(graph, choices.tolist()).fault is None


MENDED = {
    "a forbidden value": tables_of([2], [[FORBIDDEN, 7]], items=[(0, 0, 1, [0, 1])], room=[1]),
    "a forbidden pair": tables_of([2, 2], [[0, 0]] * 2, [(0, 1, [[FORBIDDEN, FORBIDDEN], [FORBIDDEN, 1]])]),
    "a row that is too full": tables_of([2], [[0, 0]], items=[(0, 0, 1, [3, 0]), (0, 1, 2, [0, 4])], room=[2, 4]),
    "a pair that fits": tables_of(
        [2, 2], [[0, 0]] * 2, [(0, 1, [[FORBIDDEN, 1], [1, 1]])], [(0, 0, 1, [1, 9]), (1, 0, 1, [1, 2])], [3]
    ),
}


@pytest.mark.parametrize("what", MENDED)
def test_each_is_mended_alone(what, monkeypatch):
    tables = MENDED[what]
    choices = first_plan.first_plan(tables)
    assert choices is not None
    assert tables.feasible(choices)
    monkeypatch.setattr(first_plan, "_wrong", lambda *_: np.zeros(0, dtype=np.int64))
    unmended = first_plan.first_plan(tables)
    assert tables.feasible(unmended) is (what == "a forbidden value")


def test_nothing_is_mended_when_time_is_over():
    assert first_plan.first_plan(MENDED["a forbidden pair"], lambda: True) is None
    assert first_plan.first_plan(MENDED["a forbidden value"], lambda: True).tolist() == [1]


def test_what_has_no_plan_is_given_up():
    pair = [[FORBIDDEN] * 2] * 2
    assert first_plan.first_plan(tables_of([2, 2], [[0, 0]] * 2, [(0, 1, pair)])) is None
    assert first_plan.first_plan(tables_of([1], [[0]], items=[(0, 0, 1, [2])], room=[1])) is None


def test_nothing_to_choose_is_a_plan():
    assert first_plan.first_plan(tables_of([], [])).tolist() == []
