"""AccPar's released code: its plans and what it takes them to cost, recomputed from the shipped instances."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from formulations.accpar_dp import released_level
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve

FILE = Path(__file__).parents[2] / "reports" / "published" / "accpar_code.yaml"
PRINTED = yaml.safe_load(FILE.read_text(encoding="utf-8"))
CHOICES = {"hypar": "dp,mp", "accpar": "dp,mp,op"}
CASES = [(network, mode) for network, modes in PRINTED.items() for mode in modes]
LOST = {"alexnet": {3: 5.96, 7: 6.58}, "vgg-11": {3: 2.82, 7: 8.64}}
"""Percent by network and levels that the greedy search loses, all groups' elements counted."""


def problem_of(network, mode):
    return NetworkProblem(load(f"accpar-{network}", choices=CHOICES[mode], as_released=True))


def elements(count, problem, h):
    """Return what one side of one group reads at level h, of the bytes of all."""
    return count / (2 * problem.instance.bytes_per_element * 2**h)


@pytest.mark.parametrize(("network", "mode"), CASES)
def test_its_types_and_what_it_reckons_its_plans_to_cost(network, mode):
    problem = problem_of(network, mode)
    plan = solve(problem, "accpar-dp")
    words = [["012"["dmo".index(letter)] for letter in word] for word in plan.strategies.values()]
    assert ["".join(level) for level in zip(*words, strict=True)] == PRINTED[network][mode]["types"]
    bytes_of = problem.bytes_of(plan.strategies)
    levels = range(problem.instance.levels)
    assert [elements(bytes_of.level(h), problem, h) for h in levels] == PRINTED[network][mode]["reckoned"]


@pytest.mark.parametrize(("network", "mode"), CASES)
def test_what_its_search_takes_a_level_to_cost(network, mode):
    problem = problem_of(network, mode)
    words = [variable.words for variable in problem.graph.variables]
    prefixes, found = [()] * len(words), []
    for h in range(problem.instance.levels):
        cost, letters = released_level(problem.graph, words, h, prefixes)
        found.append(elements(cost, problem, h))
        prefixes = [(*prefix, letter) for prefix, letter in zip(prefixes, letters, strict=True)]
    assert found == PRINTED[network][mode]["searched"]


@pytest.mark.parametrize(("network", "levels"), [(name, h) for name, lost in LOST.items() for h in lost])
def test_what_the_greedy_search_loses_to_the_joint_optimum(network, levels):
    instance = load(f"accpar-{network}", levels=levels)
    greedy, best = solve(instance, "accpar-dp"), solve(instance, "joint-dp")
    assert best.status == "OPTIMAL"
    assert round(float(100 * (greedy.objective / best.objective - 1)), 2) == LOST[network][levels]


@pytest.mark.parametrize("network", ["resnet-18", "resnet-50"])
def test_where_adds_are_decided_its_plan_completed_is_not_better_than_the_optimum(network):
    released = solve(problem_of(network, "accpar"), "accpar-dp")
    instance = load(f"accpar-{network}")
    completed = solve(instance.replace(fix=dict(released.strategies)))
    best = solve(instance)
    assert (completed.status, best.status) == ("OPTIMAL", "OPTIMAL")
    assert completed.objective > best.objective
