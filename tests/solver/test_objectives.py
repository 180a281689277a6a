"""Objectives of time and energy: every formulation against trying all plans."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from bank.random_networks import random_document
from helpers import document, each, exact_names, linear_chain, problem_of
from machines import random_array

from hypar_opt.costgraph import (
    CostGraph,
    Differences,
    Edge,
    Objective,
    TableEdge,
    TableUnary,
    Variable,
    differences,
)
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.plan import write_plan
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification import read_claim, verify

TOGETHER = ("product:time,energy", "product:communication,dram-energy", "lexicographic:energy,time",
            "lexicographic:compute-time,dram-energy,communication")  # fmt: skip
SUMS = ("time", "energy", "time=2,energy=0.125,communication=0.5", "sram-energy=1,dram-energy=3")
MOST_PLANS = 3000


def small_problem(seed, objective, **array):
    for attempt in range(seed, 10_000, 997):
        whole = random_document(attempt, most_layers=4, most_levels=2)
        if whole["cost"]["accounting"] == "leaf-exact":
            whole["cost"]["accounting"] = "receiver"
        whole["array"] = random_array(attempt, whole["array"]["levels"], **array)
        problem = problem_of(whole, objective=objective)
        plans = 1
        for variable in problem.base.variables:
            plans *= variable.size if variable.mask is None else int(variable.mask.sum())
        if 0 < plans <= MOST_PLANS:
            return problem
    raise AssertionError("no small problem")


def all_plans(problem):
    """Every allowed plan's costs, slice by slice and route by route."""
    masks = [variable.mask for variable in problem.base.variables]
    allowed = (
        [i for i in range(variable.size) if mask is None or mask[i]]
        for variable, mask in zip(problem.base.variables, masks, strict=True)
    )
    for choices in product(*allowed):
        strategies = problem.strategies(choices)
        yield strategies, problem.costs(problem.bytes_of(strategies), problem.sites)


def least(problem):
    """The least objective, by its definition."""
    objective = problem.objective
    every = [costs for _, costs in all_plans(problem)]
    if objective.kind == "sum":
        return min(sum(weight * costs[name] for name, weight in objective.weights.items()) for costs in every)
    if objective.kind == "product":
        first, second = objective.components
        return min(costs[first] * costs[second] for costs in every)
    return min(tuple(costs[name] for name in objective.components) for costs in every)


def reached(problem, plan):
    if problem.objective.kind == "lexicographic":
        return tuple(plan.costs[name] for name in problem.objective.components)
    return plan.objective


@pytest.mark.parametrize("objective", [*SUMS, *TOGETHER])
@each("seed", range(8), quick=4)
def test_joint_dp_finds_the_least_of_all(seed, objective):
    problem = small_problem(seed, objective)
    plan = solve(problem, "joint-dp")
    assert plan.status is Status.OPTIMAL, plan.native_status
    assert reached(problem, plan) == least(problem)
    assert plan.bound == plan.objective


@pytest.mark.parametrize("name", [name for name in exact_names() if name != "joint-dp"])
@pytest.mark.parametrize("objective", [SUMS[2], TOGETHER[0], TOGETHER[2]])
@each("seed", range(3), quick=1)
def test_every_exact_formulation_finds_the_least_of_all(seed, objective, name):
    problem = small_problem(100 + seed, objective)
    try:
        plan = solve(problem, name)
    except Refusal as error:
        assert "floating point" in str(error) or "64 bits" in str(error)
        return
    assert plan.status is Status.OPTIMAL, plan.native_status
    assert reached(problem, plan) == least(problem)


@pytest.mark.parametrize("objective", [*SUMS, *TOGETHER])
def test_a_greedy_plan_claims_nothing_and_is_no_better(objective):
    problem = small_problem(3, objective)
    best = solve(problem, "joint-dp")
    for name in ("hypar-dp", "data-parallel"):
        try:
            plan = solve(problem, name)
        except Refusal:
            continue
        if plan.strategies is not None:
            assert reached(problem, plan) >= reached(problem, best)
            assert plan.status is Status.FEASIBLE or plan.objective == best.objective


@each("seed", range(20), quick=6)
def test_the_product_of_a_front_that_bends_inwards(seed):
    """The least product is at a vertex of the convex hull, though most of the front is not."""
    problem = small_problem(500 + seed, "product:time,dram-energy")
    assert solve(problem).objective == least(problem)


@pytest.mark.parametrize("order", ["time,energy", "energy,time"])
def test_the_order_of_a_lexicographic_objective_counts(order):
    problem = NetworkProblem(load("lenet-c", array="hypar-row-stationary-16", objective=f"lexicographic:{order}"))
    first, second = order.split(",")
    plan = solve(problem)
    alone = solve(load("lenet-c", array="hypar-row-stationary-16", objective=first))
    assert plan.costs[first] == alone.objective
    other = solve(load("lenet-c", array="hypar-row-stationary-16", objective=second))
    assert plan.costs[second] > other.objective


@pytest.mark.parametrize("names", [("time", "energy"), ("communication", "dram-energy"), ("energy", "time")])
@each("seed", range(10), quick=3)
def test_the_weights_of_a_lexicographic_objective_let_nothing_later_outweigh_a_step(seed, names):
    first, second = names
    problem = small_problem(700 + seed, f"lexicographic:{first},{second}")
    found = [(costs[first], costs[second]) for _, costs in all_plans(problem)]
    most = max(b for _, b in found) - min(b for _, b in found)
    steps = {abs(a - found[0][0]) for a, _ in found} - {0}
    assert all(problem.weights[first] * step > problem.weights[second] * most for step in steps)


@pytest.mark.parametrize("component", ["time", "energy", "communication", "sram-energy"])
@each("seed", range(10), quick=3)
def test_how_much_and_in_which_steps_plans_differ(seed, component):
    problem = small_problem(800 + seed, "time")
    graph = problem.weighing({component: Fraction(1)})
    between = differences(graph)
    values = [graph.value(problem.choices(strategies)) for strategies, _ in all_plans(problem)]
    assert max(values) - min(values) <= between.most
    assert all((one - values[0]) % between.step == 0 if between.step else one == values[0] for one in values)


def test_costs_in_tables_differ_too():
    unary = ({"a": TableUnary(np.array([3, 9]))}, {"a": TableUnary(np.array([5, 5]))})
    edge = Edge(0, 1, {"a": TableEdge(np.array([[0, 12], [4, 0]]))})
    graph = CostGraph((Variable("x", 2), Variable("y", 2)), unary, (edge,), Objective({"a": Fraction(1)}))
    assert differences(graph) == Differences(6 + 12, 2)


def test_what_a_wrong_cost_model_becomes(monkeypatch):
    """The energies that plans are optimised by are not those that they are judged by."""
    monkeypatch.setattr("hypar_opt.cost.weights.EXCHANGED", {"dram-energy": lambda _: Fraction(0)})
    plan = solve(load("lenet-c", array="hypar-16", objective="energy"), "joint-dp")
    assert plan.status is Status.ERROR
    assert "boxes and routes give" in plan.native_status


def test_what_a_product_says_of_itself():
    plan = solve(load("vgg-a", array="hypar-row-stationary-16", objective="product:time,energy"))
    assert plan.status is Status.OPTIMAL
    assert plan.statistics["weighted_sums"] >= 3
    assert plan.objective == plan.costs["time"] * plan.costs["energy"]
    assert dict(plan.overrides)["objective"] == "product:time,energy"


@pytest.mark.parametrize("pair", ["communication,time", "energy,communication", "communication,compute-time"])
def test_a_product_of_which_one_depends_on_the_placement(pair):
    problem = NetworkProblem(load("sfc", array="hypar-16", objective=f"product:{pair}"))
    plan = solve(problem)
    assert (plan.placement is not None) == problem.instance.is_placed
    assert verify(problem, plan).outcome == "confirmed"


class Stopping:
    """joint-dp, but some of its answers are what a test says."""

    name, summary = "stopping", ""
    capabilities = load_formulation("joint-dp").capabilities

    def __init__(self, answers):
        self.answers = list(answers)

    def accepts(self, graph, run):
        if self.answers and isinstance(self.answers[0], str):
            return self.answers.pop(0)
        return None

    def solve(self, graph, run):
        answer = self.answers.pop(0) if self.answers else None
        return load_formulation("joint-dp").solve(graph, run) if answer is None else answer(graph, run)


def stopped(graph, run):
    return Solution(Status.NO_SOLUTION, native_status="stopped")


def wrong(graph, run):
    solution = load_formulation("joint-dp").solve(graph, run)
    return replace(solution, bound=solution.bound - 1)


@pytest.mark.parametrize(
    ("answers", "status", "native"),
    [
        ([stopped], Status.NO_SOLUTION, "stopped"),
        ([None, stopped], Status.FEASIBLE, "some vertices are missing"),
        ([None, "declines: too large"], Status.FEASIBLE, "some vertices are missing"),
        ([None, None, stopped], Status.FEASIBLE, "some vertices are missing"),
        ([None, None, wrong], Status.ERROR, "claims OPTIMAL with cost"),
        ([wrong], Status.ERROR, "claims OPTIMAL with cost"),
    ],
)
def test_what_becomes_of_a_product_when_a_weighted_sum_fails(monkeypatch, answers, status, native):
    problem = NetworkProblem(load("vgg-a", array="hypar-row-stationary-16", objective="product:time,dram-energy"))
    stopping = Stopping(answers)
    monkeypatch.setattr("hypar_opt.solver.solve.load_formulation", lambda _: stopping)
    plan = solve(problem, "stopping")
    assert plan.status is status and native in plan.native_status
    if status in (Status.NO_SOLUTION, Status.ERROR):
        assert (plan.objective, plan.bound) == (None, None)
    if status is Status.FEASIBLE:
        assert plan.strategies is not None and plan.objective >= solve_again(problem)
        assert plan.bound is None or plan.bound < plan.objective


def solve_again(problem):
    found = pareto_front(problem, problem.objective.components)
    return min(one.values[0] * one.values[1] for one in found.points)


def test_a_lexicographic_plan_of_many_components_can_be_read_back(tmp_path):
    every = "energy,time,communication,hop-bytes,comm-time,comm-energy,compute-time,sram-energy,dram-energy"
    problem = NetworkProblem(load("lenet-c", array="hypar-row-stationary-16", objective=f"lexicographic:{every}"))
    plan = solve(problem)
    write_plan(plan, tmp_path / "plan.json")
    assert read_claim(tmp_path / "plan.json").objective == plan.objective


def test_no_placement_to_decide_with_time():
    with pytest.raises(Refusal, match="placements are decided for weighted bytes only"):
        solve(load("sfc", array="hypar-16", objective="time", placement="free"))


def test_a_component_that_the_array_does_not_know():
    problem = NetworkProblem(load("sfc"))
    with pytest.raises(InputError, match="missing, and time needs it"):
        problem.weighing({"time": Fraction(1)})


def test_no_certificate_of_time():
    with pytest.raises(Refusal, match="certificates are of weighted bytes"):
        solve(load("sfc", array="hypar-16", objective="time"), "joint-dp", proof=lambda _: None)


def test_random_arrays_are_the_same_again():
    assert random_array(5, 2) == random_array(5, 2)
    assert Random("machine 5").random() == Random("machine 5").random()


def test_linear_layers_have_no_update_as_evaluated():
    whole = document(linear_chain(3), [2], levels=1, accounting="receiver")
    whole["array"] = random_array(1, 1, model="as-evaluated")
    problem = problem_of(whole)
    step = problem.step(problem.bytes_of({"fc1": "d"}), problem.sites)
    assert step.stages[-1].seconds == 0
