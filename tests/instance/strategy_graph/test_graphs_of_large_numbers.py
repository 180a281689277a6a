"""Numbers near the ends of 64 bits: solved exactly, or refused, never wrapped around."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import each

from hypar_opt import load
from hypar_opt.cost.strategy_graph import _most_apart, compile_graph
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST
from hypar_opt.util.errors import InputError
from tests.instance.strategy_graph.files import written

LARGEST = 2**63 - 1


def graph(tmp_path, costs, usages, limit, intervals=None, edges=((), ())):
    nodes = {"intervals": intervals or [[0, 1]] * len(costs), "costs": costs, "usages": usages}
    problem = {"nodes": nodes, "edges": {"nodes": edges[0], "costs": edges[1]}, "usage_limit": limit}
    return load(written(tmp_path / "large.json", {"problem": problem}))


def test_usages_that_are_each_too_much_sum_to_too_much(tmp_path):
    tables = compile_graph(graph(tmp_path, [[0, 1]] * 3, [[LARGEST, 2]] * 3, 5))
    assert [tables.fits(choices) for choices in ([0, 0, 0], [0, 0, 1], [1, 1, 1])] == [False, False, False]
    tables = compile_graph(graph(tmp_path, [[0, 1]] * 3, [[LARGEST, 2]] * 3, 6))
    assert [tables.fits(choices) for choices in ([0, 0, 0], [0, 1, 1], [1, 1, 1])] == [False, False, True]


def test_a_usage_that_is_too_much_stays_so_where_it_is_alone(tmp_path):
    tables = compile_graph(graph(tmp_path, [[0, 1]] * 2, [[LARGEST, 5]] * 2, 5, intervals=[[0, 1], [1, 2]]))
    assert [tables.fits(choices) for choices in ([0, 1], [1, 0], [1, 1])] == [False, False, True]


def test_usages_of_which_each_fits_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"large.json: the usages of one plan may sum to 2\^63 or more"):
        compile_graph(graph(tmp_path, [[0]] * 2, [[LARGEST]] * 2, LARGEST))
    compile_graph(graph(tmp_path, [[0]], [[LARGEST]], LARGEST))


def test_allowed_costs_are_never_summed_to_the_mark(tmp_path):
    below = 10**18 - 1
    edges = [[0, 1], [1, 0]], [[below], [below]]
    assert compile_graph(graph(tmp_path, [[0]] * 2, [[0]] * 2, 5, edges=edges)).value([0, 0]) == 2 * below
    with pytest.raises(InputError, match=r"the costs below 10\^18 of two plans may be 3e\+18 apart; expected less"):
        compile_graph(graph(tmp_path, [[-below], [0]], [[0]] * 2, 5, edges=edges))


def test_differences_of_allowed_costs_are_never_the_mark(tmp_path):
    """Each plan costs less than 2^61; the dearest pair of the two edges' sum would not, less the cheapest."""
    below = 10**18 - 1
    edges = [[0, 1], [1, 0]], [[-below, below, below, below]] * 2
    with pytest.raises(InputError, match=r"of two plans may be 4e\+18 apart; expected less"):
        compile_graph(graph(tmp_path, [[0, 0]] * 2, [[2, 3], [3, 1]], 3, edges=edges))


@each("seed", range(60), quick=20)
def test_how_far_plans_may_be_apart_is_what_their_parts_may_be(seed):
    """By part, from the least cost that is allowed, or 0, to the largest, or 0."""
    rng = np.random.default_rng(seed)
    parts = [rng.integers(-9 * (seed % 2), 10, rng.integers(1, 5)) for _ in range(rng.integers(1, 6))]
    if seed % 3:
        parts = [np.where(rng.random(len(part)) < 0.3, FORBIDDEN_COST, part) for part in parts]
    allowed = [[0, *(cost for cost in part.tolist() if cost < FORBIDDEN_COST)] for part in parts]
    starts = np.cumsum([0, *(len(part) for part in parts)])
    assert _most_apart(np.concatenate(parts), starts) == sum(max(costs) - min(costs) for costs in allowed)


def test_where_there_are_no_parts_nothing_is_apart():
    assert _most_apart(np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64)) == 0


def test_the_longest_interval_counts(tmp_path):
    intervals = [[-(2**63), LARGEST], [3, 4]]
    tables = compile_graph(graph(tmp_path, [[0]] * 2, [[2], [3]], 4, intervals=intervals))
    assert not tables.fits([0, 0])
