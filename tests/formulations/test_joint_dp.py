"""The exact dynamic programme over all levels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from bank.random_networks import random_document
from helpers import document, each, instance_of, linear_chain, problem_of

from formulations.joint_dp import tables
from formulations.joint_dp.elimination import min_fill
from hypar_opt.costgraph import Objective, Words
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.instance import load
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal

JOINT, BRUTE = load_formulation("joint-dp"), load_formulation("brute-force")


def forced(graph, variable, value):
    """Return the graph with one variable fixed at a value, or None if the value is not allowed."""
    words = graph.variables[variable].words
    if not words.mask[value]:
        return None
    fixed = Words(words.alphabet, words.length, words.limits, words.word(value))
    variables = list(graph.variables)
    variables[variable] = type(variables[variable])(variables[variable].name, words.size, fixed)
    return graph.replace(variables=tuple(variables))


def marginal(graph, variable, value):
    """Return by brute force the least cost with one variable at a value; the mark where there is none."""
    graph_with = forced(graph, variable, value)
    solution = None if graph_with is None else BRUTE.solve(graph_with, Run("brute-force"))
    return graph.forbidden if solution is None or solution.bound is None else solution.bound


def test_of_equal_plans_it_takes_dp_at_the_last_layer():
    plan = solve(instance_of(document(linear_chain(4), [4], batch=4)), "joint-dp")
    assert plan.strategies == {"fc1": "d"}


@each("seed", range(3000, 3040))
def test_min_marginals_are_what_forcing_a_value_costs(seed):
    graph = problem_of(random_document(seed, most_layers=4)).graph
    marginals = JOINT.min_marginals(graph, Run("joint-dp"))
    for variable, least in enumerate(marginals):
        expected = [marginal(graph, variable, value) for value in range(graph.variables[variable].size)]
        assert least.tolist() == expected


def test_the_least_min_marginal_of_every_variable_is_the_optimum():
    graph = NetworkProblem(load("resnet-18", levels=2)).graph
    marginals = JOINT.min_marginals(graph, Run("joint-dp"))
    optimum = JOINT.solve(graph, Run("joint-dp")).bound
    assert {int(least.min()) for least in marginals} == {optimum}


def test_min_marginals_of_two_separate_parts_count_both():
    layers = [
        {"name": "left", "linear": {"features": 3}, "inputs": ["input"]},
        {"name": "right", "linear": {"features": 5}, "inputs": ["input"]},
    ]
    graph = problem_of(document(layers, [4], batch=2, levels=2)).graph
    marginals = JOINT.min_marginals(graph, Run("joint-dp"))
    for variable, least in enumerate(marginals):
        assert least.tolist() == [marginal(graph, variable, value) for value in range(4)]


def test_a_chain_is_eliminated_from_its_beginning():
    graph = NetworkProblem(load("vgg-e")).graph
    steps = [(step.variable, step.scope) for step in min_fill(graph)]
    assert steps == [(i, (i + 1,)) for i in range(18)] + [(18, ())]


def test_the_tables_of_a_chain_have_one_entry_a_word():
    plan = solve(load("vgg-e"), "joint-dp")
    assert dict(plan.statistics) == {"largest_message": 16, "width": 1}


def test_every_variable_is_eliminated_once_with_its_later_neighbours():
    graph = NetworkProblem(load("resnet-50")).graph
    steps = min_fill(graph)
    rank = {step.variable: i for i, step in enumerate(steps)}
    assert sorted(rank) == list(range(len(graph.variables)))
    for step in steps:
        assert all(rank[other] > rank[step.variable] for other in step.scope)
        later = {other for other in graph.neighbours[step.variable] if rank[other] > rank[step.variable]}
        assert later <= set(step.scope)


def test_a_chain_of_ten_levels_is_solved():
    # words of up to ten letters: uniform ones bound the optimum from above
    problem = NetworkProblem(load("vgg-a", levels=10))
    plan = solve(problem, "joint-dp")
    uniform = [solve(problem, name).objective for name in ("data-parallel", "one-weird-trick", "hypar-dp")]
    assert plan.status == "OPTIMAL"
    assert plan.objective <= min(uniform)


def test_too_large_tables_are_declined_with_numbers_and_alternatives():
    graph = NetworkProblem(load("resnet-18", levels=8)).graph
    reason = JOINT.accepts(graph, Run("joint-dp", Limits(memory_bytes=2**20)))
    largest = 256**2
    assert f"the largest has {largest:,} entries" in reason
    assert "the memory limit is 0.000977 GiB" in reason
    assert "or cp-sat" in reason


def test_solve_refuses_what_the_formulation_declines():
    with pytest.raises(Refusal, match=r"joint-dp declines: its tables need about .* GiB"):
        solve(load("resnet-18"), "joint-dp", limits=Limits(memory_bytes=1000))


def test_given_strategies_are_kept_at_any_cost():
    whole = document(linear_chain(8, 4), [8], batch=8, levels=2, fix={"fc1": "mm", "fc2": "dm"})
    assert solve(instance_of(whole), "joint-dp").strategies == {"fc1": "mm", "fc2": "dm"}


def test_no_allowed_word_anywhere_is_infeasible():
    whole = document(linear_chain(3, 5), [2], batch=1, levels=2, splits="divisible")
    plan = solve(instance_of(whole), "joint-dp")
    assert (plan.status, plan.strategies, plan.bound) == ("INFEASIBLE", None, None)


def test_a_network_without_decisions_costs_nothing():
    layers = [{"name": "pool", "pool": {"kernel": 2}}]
    plan = solve(instance_of(document(layers, [1, 4, 4])), "joint-dp")
    assert (plan.status, plan.strategies, plan.communication_bytes) == ("OPTIMAL", {}, 0)


def test_costs_beyond_63_bits_stay_exact():
    size = 2**30
    whole = document(linear_chain(size, size), [size], batch=2**40 - 1, levels=3)
    problem = problem_of(whole)
    joint, brute = solve(problem, "joint-dp"), solve(problem, "brute-force")
    assert problem.graph.dtype is object
    assert joint.communication_bytes == brute.communication_bytes > 0
    assert joint.status == brute.status == "OPTIMAL"


def test_costs_beyond_63_bits_of_more_words_than_are_swept_at_a_time(monkeypatch):
    """The last layer's minimum over all its words has no axes left."""
    monkeypatch.setattr(tables, "CELLS", 4)
    problem = problem_of(document(linear_chain(2**30, 2**30), [2**30], batch=2**40 - 1, levels=3))
    joint, brute = solve(problem, "joint-dp"), solve(problem, "brute-force")
    assert problem.graph.dtype is object
    assert (joint.status, joint.objective) == ("OPTIMAL", brute.objective), joint.native_status


def test_a_stop_ends_it_without_a_claim():
    graph = NetworkProblem(load("lenet-c")).graph
    limits = Limits()
    limits.stop.set()
    solution = JOINT.solve(graph, Run("joint-dp", limits))
    assert (solution.status, solution.choices, solution.bound) == ("NO_SOLUTION", None, None)


def test_int64_and_python_integers_give_the_same_plan():
    graph = NetworkProblem(load("sfc", accounting="receiver")).graph
    large = graph.replace(objective=Objective({COMMUNICATION: Fraction(2**40)}))
    assert (graph.dtype, large.dtype) == (np.int64, object)
    one, other = JOINT.solve(graph, Run("joint-dp")), JOINT.solve(large, Run("joint-dp"))
    assert (one.choices, one.bound * 2**40) == (other.choices, other.bound)


def far_beyond_64_bits(objective):
    """Return a network whose bytes, which the objective does not count, no 64 bits hold."""
    whole = document(
        [{"name": "one", "linear": {"features": 2**31}}, {"name": "two", "linear": {"features": 2**36 - 1}}],
        (4, 8, 8),
        batch=2**24 - 1,
        levels=2,
        objective=objective,
        accounting="published",
        choices=["mp", "op"],
        bytes_per_element=1024,
    )
    energy = {"add": 1, "multiply": 0, "sram": 5e-12, "dram": 0}
    accelerator = {"model": "as-evaluated", "grid": [1, 1], "clock": 1, "buffer": 4, "energy": energy}
    link = {"bandwidth": 1, "energy": 1}
    whole["array"] |= {"accelerator": accelerator, "link": link, "placement": "identity"}
    return problem_of(whole)


@pytest.mark.parametrize("name", ["joint-dp", "brute-force", "lagrangian", "milp-highs", "milp-cbc", "cp-sat"])
def test_bytes_that_do_not_count_need_not_fit_64_bits(name):
    graph = far_beyond_64_bits({"sram-energy": 1e-9}).graph
    assert graph.dtype is np.int64
    solution = load_formulation(name).solve(graph, Run(name))
    assert (solution.status, solution.bound) == ("OPTIMAL", 0)


def test_a_product_of_energies_that_do_not_count_bytes_is_solved():
    plan = solve(far_beyond_64_bits({"product": ["multiply-energy", "sram-energy"]}), "joint-dp")
    assert (plan.status, plan.objective) == ("OPTIMAL", 0)
