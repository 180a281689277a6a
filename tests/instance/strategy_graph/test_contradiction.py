"""Why there is no plan, found by asking: checked by trying every plan."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from helpers import each

from hypar_opt.evaluation.strategy_graph import judge
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph
from hypar_opt.solver.infeasibility.conflict import OracleAnswer, contradiction
from tests.instance.strategy_graph.contradicting import (
    Everything,
    all_without_plan,
    check,
    rare_without_plan,
    star,
    table,
)


def test_there_are_conflicts_of_all_kinds():
    lengths = [len(contradiction(graph, Everything()).times) for graph in all_without_plan()]
    assert set(lengths) == {0, 1, 2}


def test_a_conflict_is_one_and_no_part_of_it_is():
    for graph in all_without_plan():
        conflict = contradiction(graph, Everything())
        check(graph, conflict)
        assert conflict.enough == bool(conflict.times), graph.name


@pytest.mark.parametrize("many", [1, 2, 3, 5, 9])
def test_all_times_that_it_takes_are_named(many):
    times = [int(one) for one in np.random.default_rng(many).permutation(np.arange(many) * 1000)]
    short = Everything()
    conflict = contradiction(star(times), short)
    assert conflict.times == tuple(sorted(times))
    assert (conflict.needed, conflict.available, conflict.enough) == (20, 10, True)


def test_of_many_nodes_few_are_named():
    chain = np.array([(node, node + 1) for node in range(30)])
    tie = [0, FORBIDDEN_COST, FORBIDDEN_COST, 0]
    costs = [0, 0] * 12 + [0, FORBIDDEN_COST] + [0, 0] * 2 + [FORBIDDEN_COST, 0] + [0, 0] * 15
    of_times = np.tile([0, 5], (31, 1))
    graph = StrategyGraph(
        "chain", "", of_times, np.full(31, 2), np.array(costs), np.zeros(62, int), chain, np.array(tie * 30), 0
    )

    @dataclass
    class Propagated(Everything):
        """Answers for chains of ties, whose plan its first node decides."""

        def __call__(self, part: StrategyGraph) -> OracleAnswer:
            self.asked.append(part)
            left = part.costs.reshape(-1, 2) < FORBIDDEN_COST
            for _ in range(part.nodes):
                for first, second in part.ends.tolist():
                    left[[first, second]] = left[first] & left[second]
            if left.any(axis=1).all():
                return OracleAnswer(tuple(left.argmax(axis=1).tolist()), 0)
            return OracleAnswer(nothing=True)

    asked = Propagated()
    conflict = contradiction(graph, asked)
    assert (conflict.times, conflict.nodes) == ((), (12, 13, 14, 15))
    assert conflict.text == "the forbidden costs of nodes 12, 13, 14 and 15 leave no plan, however much memory there is"
    assert len(asked.asked) < 31


@each("drawn", range(40), quick=13)
@pytest.mark.parametrize("most", range(6))
def test_whatever_is_known_when_it_ends_is_true(drawn, most):
    graph = rare_without_plan()[drawn]
    asked = Everything(most)
    conflict = contradiction(graph, asked)
    assert len(asked.asked) <= most
    if conflict is None:
        return
    _, allowed, _, used = table(graph)
    assert not (allowed & (used[:, list(conflict.times)] <= graph.usage_limit).all(axis=1)).any()
    assert conflict.needed is None or (conflict.needed > graph.usage_limit and most > 1)
    assert conflict.times or set(conflict.nodes) <= set(range(graph.nodes))


def test_what_is_not_known_is_not_said():
    assert contradiction(star([3, 4]), Everything(0)) is None
    known = contradiction(star([3, 4]), Everything(4))  # three for the times, one that drops none
    assert (known.times, known.needed) == ((3, 4), None)


def test_a_plan_that_there_is_comes_back():
    graph = replace(star([3, 4]), usage_limit=20)
    choices = contradiction(graph, Everything())
    judged = judge(graph, choices)
    assert (judged.fault, judged.peak) == (None, 20)


def test_a_bound_that_is_not_above_the_limit_is_left_out():
    class Weak(Everything):
        def __call__(self, graph: StrategyGraph) -> OracleAnswer:
            answer = super().__call__(graph)
            return answer if not answer.bound else replace(answer, bound=self.bound)

    asked = Weak()
    for asked.bound, expected in ((10, (None, False)), (11, (11, False)), (20, (20, True))):
        conflict = contradiction(star([3, 4]), asked)
        assert (conflict.needed, conflict.enough) == expected


def test_usages_as_large_as_forbidden_costs_are_not_measured():
    graph = star([3, 4])
    for largest, expected in ((FORBIDDEN_COST - 1, FORBIDDEN_COST - 1), (FORBIDDEN_COST, None)):
        large = replace(graph, usages=np.where(graph.usages == 20, largest, graph.usages))
        conflict = contradiction(large, Everything())
        assert (conflict.times, conflict.needed) == ((3, 4), expected)


def test_plans_that_break_the_limit_where_asked_not_to_end_it():
    class Wrong(Everything):
        def __call__(self, graph: StrategyGraph) -> OracleAnswer:
            return OracleAnswer((0, *[1] * (graph.nodes - 1)), 0)

    assert contradiction(star([3, 4]), Wrong()) is None


def test_an_edge_of_one_node_goes_with_its_node():
    values = np.zeros(4, dtype=np.int64)
    ends, costs = np.array([[0, -1], [1, -1]]), np.array([FORBIDDEN_COST, FORBIDDEN_COST, 0, 0])
    graph = StrategyGraph("loop", "", np.array([[0, 1]] * 2), np.full(2, 2), values, values, ends, costs, 0)
    assert contradiction(graph, Everything()).nodes == (0,)
