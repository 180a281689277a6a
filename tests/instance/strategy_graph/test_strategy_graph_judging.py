"""Judging plans: the contest's worked example, and a sum over all costs and times written down again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import each

from hypar_opt.evaluation.strategy_graph import Violation, judge, shortage
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, read_strategy_graph
from tests.instance.strategy_graph.drawing import TIMES, draw
from tests.instance.strategy_graph.files import example, shared, written


@pytest.fixture
def five(tmp_path):
    return read_strategy_graph(written(tmp_path / "example.json", example()))


def test_the_legal_plan_of_the_contest(five):
    judged = judge(five, [0, 1, 2, 0, 0])
    assert judged.total == (15 + 65 + 35 + 85 + 95) + (40 + 40 + 20 + 30 + 70) == 495
    assert (judged.peak, judged.peak_time, judged.fault) == (50, 50, None)


def test_the_plan_of_the_contest_that_uses_too_much(five):
    judged = judge(five, [0, 0, 1, 1, 0])
    assert judged.total == (15 + 55 + 45 + 75 + 95) + (30 + 10 + 10 + 20 + 60) == 415
    assert judged.violations == (Violation(50, 70, 50, 55),)
    assert judged.fault == "memory: at time 50 it uses 55 of 50; it uses more than there is from 50 to 70"
    assert judge(replace(five, usage_limit=55), [0, 0, 1, 1, 0]).fault is None


@pytest.mark.parametrize("choices", [[0] * 4, [0] * 6, [0, 0, -1, 0, 0], [0, 0, 4, 0, 0]])
def test_what_is_no_plan(five, choices):
    with pytest.raises(ValueError, match="for every node the index of one of its strategies"):
        judge(five, choices)


def by_definition(graph, choices):
    """Return the cost, and by time what is in use, one number after the other."""
    total = sum(int(graph.costs[graph.starts[node] + choice]) for node, choice in enumerate(choices))
    for edge, (first, second) in enumerate(graph.ends.tolist()):
        entry = choices[first] if second < 0 else choices[first] * int(graph.sizes[second]) + choices[second]
        total += int(graph.edge_costs[graph.edge_starts[edge] + entry])
    live = [range(start, end) for start, end in graph.intervals.tolist()]
    uses = [int(graph.usages[graph.starts[node] + choice]) for node, choice in enumerate(choices)]
    return total, [sum(use for use, times in zip(uses, live, strict=True) if time in times) for time in range(TIMES)]


@each("seed", range(60))
def test_plans_are_judged_as_by_definition(seed):
    graph = draw(seed)
    choices = np.random.default_rng(seed).integers(0, graph.sizes).tolist()
    judged, (total, used) = judge(graph, choices), by_definition(graph, choices)
    assert judged.total == total
    assert judged.peak == max(used)
    assert judged.peak_time == (used.index(max(used)) if max(used) else None)
    over = {time for time in range(TIMES) if used[time] > graph.usage_limit}
    assert {time for one in judged.violations for time in range(one.start, one.end)} == over
    assert all(used[one.time] == one.used for one in judged.violations)
    assert all(a.end < b.start for a, b in zip(judged.violations, judged.violations[1:], strict=False))
    assert bool(judged.forbidden) == (total >= FORBIDDEN_COST // 2)


@each("seed", range(60))
def test_a_shortage_is_the_most_of_the_least(seed):
    graph = draw(seed)
    least = [int(np.argmin(graph.usages[a:b])) for a, b in zip(graph.starts, graph.starts[1:], strict=False)]
    used = by_definition(graph, least)[1]
    assert shortage(replace(graph, usage_limit=max(used))) is None
    if not max(used):
        return
    short = shortage(replace(graph, usage_limit=max(used) - 1))
    assert (short.time, short.needed, short.available) == (used.index(max(used)), max(used), max(used) - 1)


def test_sums_beyond_64_bits(tmp_path):
    document = {
        "problem": {
            "nodes": {"intervals": [[0, 1]] * 3, "costs": [[2**63 - 1]] * 3, "usages": [[2**63 - 1]] * 3},
            "edges": {"nodes": [[0, 1], [2]], "costs": [[2**63 - 1], [-5]]},
            "usage_limit": 7,
        }
    }
    graph = read_strategy_graph(written(tmp_path / "large.json", document))
    judged = judge(graph, [0, 0, 0])
    assert judged.total == 4 * (2**63 - 1) - 5
    assert (judged.peak, shortage(graph).needed) == (3 * (2**63 - 1), 3 * (2**63 - 1))
    assert judged.fault == (
        "strategy 0 of node 0 is forbidden; strategy 0 of node 1 is forbidden; strategy 0 of node 2 is forbidden; "
        "1 more forbidden cost is used; memory: at time 0 it uses 27,670,116,110,564,327,421 of 7; "
        "it uses more than there is from 0 to 1"
    )
    assert str(judged.forbidden[3]) == "edge 0 forbids 0 of node 0 and 0 of node 1"


def test_a_shortage_in_words(five):
    assert shortage(replace(five, usage_limit=49)).text == (
        "memory: at time 50 any plan uses at least 50, and there are 49; 1 more would be enough for that time"
    )


def test_nothing_in_use(tmp_path):
    empty = {"nodes": {"intervals": [], "costs": [], "usages": []}, "edges": {"nodes": [], "costs": []}}
    graph = read_strategy_graph(written(tmp_path / "empty.json", {"problem": {**empty, "usage_limit": 0}}))
    judged = judge(graph, [])
    assert (judged.total, judged.peak, judged.peak_time, judged.fault) == (0, 0, None, None)
    assert shortage(graph) is None


def test_the_largest_is_judged_at_once():
    graph = read_strategy_graph(shared("P"))
    judged = judge(graph, [0] * graph.nodes)
    assert judged.total == 2202302096509
    assert judged.fault is None
