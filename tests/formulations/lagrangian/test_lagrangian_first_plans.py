"""A first plan comes at once, however little time there is for prices to grow."""

from __future__ import annotations

from threading import Event

import numpy as np
from helpers import each

from formulations.lagrangian import Lagrangian
from formulations.lagrangian.parts import Parts
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import FORBIDDEN
from hypar_opt.costgraph.first_plan import least_users
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.graph_problem import GraphProblem
from tests.instance.strategy_graph.drawing import draw
from tests.instance.strategy_graph.extremes import large


def one_row():
    """Return a chain of 3,000 nodes under one limit that the choices without prices are far beyond."""
    return GraphProblem(large()["one row"]()).graph.tables


def test_choices_of_the_first_pass_are_repaired_where_nothing_has_a_price():
    tables = one_row()
    parts = Parts(tables, Run("lagrangian", Limits()), 1, 1, 1)
    use = parts.dual.advance()
    assert not parts.dual.prices.any()
    assert (use > tables.memory.room).all()
    assert parts.searches[0].repair(parts.dual.choices, parts.dual.prices)
    assert parts.incumbent.value == tables.value(np.array(parts.incumbent.choices))


def test_a_run_that_is_stopped_before_it_begins_has_a_plan():
    stop = Event()
    stop.set()
    graph = GraphProblem(large()["one row"]()).graph
    solution = Lagrangian().solve(graph, Run("lagrangian", Limits(stop=stop)))
    assert solution.status is Status.FEASIBLE
    assert graph.feasible(solution.choices)


@each("seed", range(60), quick=20)
def test_every_variable_takes_as_little_over_all_rows_as_any_allowed_value_of_its(seed):
    tables = compile_graph(draw(seed, hard=True))
    found = least_users(tables)
    for one in range(tables.count):
        taken = []
        for value in range(tables.sizes[one]):
            choices = found.copy()
            choices[one] = value
            taken.append((tables.own(one)[value] >= FORBIDDEN, int(tables.memory.used(choices).sum())))
        assert taken[found[one]] == min(taken)
