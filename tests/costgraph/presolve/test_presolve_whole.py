"""All steps together: against trying every plan, and on the public instances."""

from __future__ import annotations

import numpy as np
import pytest
from presolve_checks import assignments, optimum

from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import graph_of
from hypar_opt.costgraph.presolve import NoPlan, presolve
from hypar_opt.instance.strategy_graph import read_strategy_graph
from tests.instance.strategy_graph.drawing import best, cost, draw, plans
from tests.instance.strategy_graph.files import shared


def agrees(graph, reduction):
    """Return whether what is left has the graph's optimum, and both ways lead to it."""
    found, left = best(graph), reduction.tables
    if optimum(left) != (None if found is None else found[0]):
        return False
    if found is None:
        return True
    there = reduction.contract(found[1])
    cheapest = min((left.value(one), tuple(one)) for one in assignments(left) if left.feasible(one))[1]
    return there is not None and left.value(there) == found[0] == cost(graph, reduction.expand(cheapest))


def reduced(graph, triangles):
    """Return the reduction; None if presolve finds that there is no plan, which has to be so."""
    try:
        return presolve(compile_graph(graph), triangles)
    except NoPlan:
        assert best(graph) is None
        return None


@pytest.mark.sampled(1)
@pytest.mark.parametrize("triangles", [False, True])
@pytest.mark.parametrize("start", range(0, 500, 125))
def test_presolved_graphs_have_the_same_optimum(start, triangles):
    left = [0, 0]
    for seed in range(start, start + 125):
        graph = draw(seed)
        reduction = reduced(graph, triangles)
        if reduction is not None:
            assert agrees(graph, reduction)
        left[reduction is None] += 1
    assert min(left) > 10


def test_hard_graphs_have_the_same_optimum():
    left = []
    for seed in range(30):
        graph = draw(seed, 5, hard=True)
        reduction = reduced(graph, False)
        if reduction is not None:
            assert agrees(graph, reduction)
            left.append(reduction.tables.count)
    assert sum(count >= 3 for count in left) >= 5


def test_every_plan_becomes_one_that_is_no_worse():
    for seed in range(60):
        graph = draw(seed, 4)
        reduction = reduced(graph, False)
        for plan in plans(graph) if reduction is not None else ():
            total, less = cost(graph, plan), reduction.contract(plan)
            assert total is None or (less is not None and reduction.tables.value(less) <= total)


def test_what_is_left_is_left_by_a_second_presolve_too():
    for seed in range(60):
        reduction = reduced(draw(seed, 9, 4), False)
        assert reduction is None or presolve(reduction.tables).steps == ()


def test_variables_and_statistics_say_what_became_of_them():
    reduction = presolve(compile_graph(draw(3, 9, 4, hard=True)))
    tables, counts = reduction.tables, reduction.statistics
    assert len(reduction.variables) == tables.count == counts["variables left"] > 1
    assert counts["values left"] == len(tables.unary)
    gone = counts.get("followers", 0) + counts.get("isolated variables", 0) + counts.get("eliminated variables", 0)
    assert gone == reduction.original.count - tables.count
    whole = reduction.expand(np.zeros(tables.count, dtype=np.int64))
    assert (whole < reduction.original.sizes).all()


def test_tables_compiled_say_what_the_graph_says():
    """Forbidden stays forbidden, also where an entry below 0 is added to it."""
    for seed in range(100):
        graph = draw(seed, 4)
        tables = compile_graph(graph)
        for plan in plans(graph):
            total = cost(graph, plan)
            assert tables.feasible(plan) == (total is not None)
            assert total is None or tables.value(plan) == total


@pytest.mark.parametrize(
    ("name", "followers"),
    [
        pytest.param("A", 34645, marks=pytest.mark.slow),
        ("B", 586),
        ("G", 472),
        pytest.param("P", 65137, marks=pytest.mark.slow),
    ],
)
def test_followers_of_public_instances(name, followers):
    """A keeps 287 of its 34,932 nodes and P 198 of its 65,335."""
    tables = compile_graph(read_strategy_graph(shared(name)))
    reduction = presolve(tables)
    assert reduction.statistics["followers"] == followers
    left = reduction.tables
    cheapest = np.array([left.own(i).argmin() for i in range(left.count)])
    whole = reduction.expand(cheapest)
    assert tables.feasible(whole) == left.feasible(cheapest)
    assert tables.value(whole) == left.value(cheapest) == graph_of(left)[0].value(cheapest) + graph_of(left)[1]
