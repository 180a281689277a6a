"""The table of all assignments."""

from __future__ import annotations

from itertools import product

import pytest
from bank.random_networks import random_document
from helpers import document, each, linear_chain, problem_of

from hypar_opt.costgraph import Capacity
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.instance import load
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal

BRUTE = load_formulation("brute-force")


@each("seed", range(4000, 4030))
def test_it_finds_the_first_least_value_of_an_enumeration(seed):
    graph = problem_of(random_document(seed, most_layers=3)).graph
    every = list(product(*(range(variable.size) for variable in graph.variables)))
    allowed = [(graph.value(choices), choices) for choices in every if graph.feasible(choices)]
    solution = BRUTE.solve(graph, Run("brute-force"))
    assert (solution.bound, solution.choices) == min(allowed, default=(None, None))
    assert solution.status == ("OPTIMAL" if allowed else "INFEASIBLE")


def test_a_capacity_is_respected():
    # d on both costs least; allow one d only
    graph = problem_of(document(linear_chain(1, 1), [1], batch=64)).graph
    free = BRUTE.solve(graph, Run("brute-force"))
    one_d = graph.replace(capacities=(Capacity("one d", 1, {0: (1, 0), 1: (1, 0)}),))
    bounded = BRUTE.solve(one_d, Run("brute-force"))
    assert free.choices == (0, 0)
    assert bounded.choices in ((0, 1), (1, 0))
    assert bounded.bound == min(graph.value((0, 1)), graph.value((1, 0)), graph.value((1, 1)))


def test_capacities_that_nothing_meets_are_infeasible():
    graph = problem_of(document(linear_chain(1), [1])).graph
    none = graph.replace(capacities=(Capacity("less than any", 0, {0: (1, 2)}),))
    assert BRUTE.solve(none, Run("brute-force")).status == "INFEASIBLE"


def test_too_many_assignments_are_declined_with_numbers_and_an_alternative():
    with pytest.raises(Refusal, match=r"about 10\^13 assignments, its limit is 16,777,216; try joint-dp"):
        solve(load("vgg-a"), "brute-force")


def test_too_many_layers_are_declined():
    graph = problem_of(document(linear_chain(*[2] * 61), [2], levels=0)).graph
    assert BRUTE.accepts(graph, Run("brute-force")) == "61 layers, its limit is 60; try joint-dp"


def test_a_stop_ends_it_without_a_claim():
    graph = problem_of(document(linear_chain(2, 2), [2])).graph
    limits = Limits()
    limits.stop.set()
    solution = BRUTE.solve(graph, Run("brute-force", limits))
    assert (solution.status, solution.choices) == ("NO_SOLUTION", None)


def test_a_network_without_decisions_costs_nothing():
    layers = [{"name": "pool", "pool": {"kernel": 2}}]
    plan = solve(problem_of(document(layers, [1, 4, 4])), "brute-force")
    assert (plan.status, plan.strategies, plan.communication_bytes) == ("OPTIMAL", {}, 0)
