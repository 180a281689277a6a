"""Presolve that is told to end: what it has reduced by then has the graph's optimum, and both ways lead to it."""

from __future__ import annotations

from itertools import count

import pytest
from presolve_checks import assignments, optimum

from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import Duals, Priced
from hypar_opt.costgraph.presolve import NoPlan, lifted, presolve
from tests.instance.strategy_graph.drawing import best, cost, draw


def after(asked):
    """Return what says so from the next question on after so many."""
    questions = count()
    return lambda: next(questions) >= asked


def ended(graph):
    """Yield what is left after one question, two, and so on, until it is no less than what is left in the end."""
    tables = compile_graph(graph)
    steps = len(presolve(tables).steps)
    for asked in count():
        reduction = presolve(tables, over=after(asked))
        yield reduction
        if len(reduction.steps) == steps:
            return


@pytest.mark.sampled(1)
@pytest.mark.parametrize("hard", [False, True])
def test_any_beginning_of_it_has_the_same_optimum(hard):
    lengths = set()
    for seed in range(25):
        graph = draw(seed, 4, hard=hard)
        found = best(graph)
        if found is None:
            continue
        for reduction in ended(graph):
            left = reduction.tables
            lengths.add(len(reduction.steps))
            assert optimum(left) == found[0]
            there = reduction.contract(found[1])
            assert there is not None and left.value(there) == found[0]
            cheapest = min((left.value(one), tuple(one)) for one in assignments(left) if left.feasible(one))[1]
            assert cost(graph, reduction.expand(cheapest)) == found[0]
            duals = Duals.zero(left)
            assert Priced(left, duals).bound <= Priced(reduction.leaders, lifted(reduction, duals)).bound <= found[0]
    assert lengths >= {0, 1, 2, 3}


def test_nothing_is_done_once_it_is_over():
    tables = compile_graph(draw(3, 9, 4, hard=True))
    assert presolve(tables).steps
    left = presolve(tables, over=lambda: True)
    assert (left.steps, left.liftable) == ((), 0)
    assert left.tables is left.leaders is tables


def test_it_is_asked_before_every_reduction():
    """The last of them finds nothing more to do, and all found as much when they were not asked."""
    tables, asked = compile_graph(draw(3, 9, 4, hard=True)), []
    reduction = presolve(tables, over=lambda: asked.append(None) is not None)
    assert len(asked) > len(reduction.steps) > 1
    assert [step.name for step in reduction.steps] == [step.name for step in presolve(tables).steps]


def test_that_there_is_no_plan_may_be_found_or_not():
    tables = next(compile_graph(graph) for graph in map(draw, range(100)) if best(graph) is None and _refuted(graph))
    assert presolve(tables, over=lambda: True).tables is tables


def _refuted(graph):
    try:
        presolve(compile_graph(graph))
    except NoPlan:
        return True
    return False
