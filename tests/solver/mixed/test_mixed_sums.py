"""Joules, hops and bytes of plans on several kinds of accelerators: weighed, recounted, and least of all."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil
from operator import le
from random import Random

import pytest
from helpers import each, instance_of
from mixed_brute_force import words_of
from solver.mixed.random_mixed import random_mixed

from hypar_opt import Instance, pareto_front, solve
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMPONENTS, SUMMED
from hypar_opt.report.content.mixed_plan import NamedMixedPlan
from hypar_opt.report.mixed.links import placed_array
from hypar_opt.solver.kinds import problem_of
from hypar_opt.util.errors import InputError, Refusal

NETWORK = {
    "input": [4, 2, 2],
    "layers": [
        {"name": "conv1", "conv": {"filters": 4, "kernel": 1}},
        {"name": "fc1", "linear": {"features": 6}},
        {"name": "fc2", "linear": {"features": 2}},
    ],
}
JOULES = {"add": 0.5, "multiply": 2, "sram": 1, "dram": 3}
LINK = {"bandwidth": 7, "energy": 0.25}
TOPOLOGIES = ("h-tree", "hypercube", "torus", "ring", "star")


def chip(rng, **joules):
    energy = {name: rng.randint(1, 9) for name in ("add", "multiply", "sram", "dram")} | joules
    return {"model": "as-evaluated", "rate": rng.choice((50, 100)), "energy": energy}


def spending(seed, **sizes):
    """Return the problem of a random array whose kinds and links say what they spend, by a random weighted sum."""
    rng, whole = Random(seed), random_mixed(seed, **sizes)
    array = whole["array"]
    for kind in array["accelerators"]:
        kind["accelerator"] = chip(rng) | {"memory": kind["accelerator"].get("memory", {})}
    sites = [f"a{i}" for i in range(2 ** array["levels"])]
    rng.shuffle(sites)
    link = {"energy": rng.randint(0, 3)} | ({"bandwidth": 5} if rng.random() < 0.5 else {})
    array |= {"topology": rng.choice(TOPOLOGIES), "link": link, "placement": rng.choice((sites, "identity"))}
    divisible, parts = rng.choice(((False, 12), (False, 12), (True, 4)))
    first = rng.randrange(1, parts)
    whole["cost"]["shares"] = [f"{first}/{parts}", f"{parts - first}/{parts}"]
    whole["cost"]["splits"] = "divisible" if divisible else "any"
    whole["objective"] = {name: rng.randint(1, 5) for name in rng.sample(SUMMED, rng.randint(1, 3))}
    try:
        return problem_of(instance_of(whole))
    except InputError:  # a memory that no plan fits into
        for kind in array["accelerators"]:
            kind["accelerator"]["memory"] = {}
        return problem_of(instance_of(whole))


@each("seed", range(24), quick=4)
def test_what_is_weighed_is_what_is_recounted(seed):
    problem, rng = spending(seed, most_layers=4), Random(seed)
    graph = problem.graph
    allowed = [[i for i in range(words.size) if words.mask[i]] for words in problem.compiled.words.values()]
    for _ in range(3 if all(allowed) else 0):
        choices = tuple(map(rng.choice, allowed))
        costs = problem.costs(problem.strategies(choices), problem.box.low)
        assert Fraction(graph.value(choices), graph.objective.denominator) == problem.combined(costs)


@each("seed", range(100, 112), quick=2)
def test_the_least_sum_is_that_of_all_plans(seed):
    problem = spending(seed, most_layers=3, most_plans=400)
    found, best = solve(problem), min(map(problem.combined, every_plan(problem)), default=None)
    assert (found.objective, found.status) == (best, Status.INFEASIBLE if best is None else Status.OPTIMAL)


def every_plan(problem):
    """Return what all plans cost that are allowed but for bounds, by component."""
    words = [words_of(layer, problem.judged_by, problem.rules) for layer in problem.work.layers]
    names, shares = [layer.name for layer in problem.work.layers], problem.box.low
    plans = [dict(zip(names, chosen, strict=True)) for chosen in product(*words)]
    return [problem.costs(plan, shares) for plan in plans if problem.fault_of(plan, shares) is None]


@each("seed", range(200, 208), quick=1)
def test_the_least_of_what_keeps_to_bounds(seed):
    """Bounds between the least and the most of a component, on sums and on the time of a step."""
    rng, problem = Random(seed), spending(seed, most_layers=3, most_plans=400)
    costs = every_plan(problem)
    if not costs:
        return
    asked, bounded = rng.choice(("time", "energy", "hop-bytes")), rng.sample(("time", "energy", "communication"), 2)
    mosts = {name: rng.choice([one[name] for one in costs]) * Fraction(rng.choice((1, 1, 2)), 1) for name in bounded}
    whole = problem.instance.to_dict()
    whole["cost"]["barrier"] = "step"
    whole["objective"], whole["subject_to"] = {asked: 1}, {name: ceil(most) for name, most in mosts.items()}
    problem = problem_of(Instance.from_dict(whole))
    unbound = problem_of(problem.instance.changed(subject_to={}))
    kept = [
        one for one in every_plan(unbound) if all(one[name] <= most for name, most in problem.instance.bounds.items())
    ]
    found, best = solve(problem), min((one[asked] for one in kept), default=None)
    assert (found.objective, found.status) == (best, Status.INFEASIBLE if best is None else Status.OPTIMAL)


@each("seed", range(300, 306), quick=2)
def test_fronts_are_what_no_plan_dominates(seed):
    rng, problem = Random(seed), spending(seed, most_layers=3, most_plans=300)
    names = rng.sample(("communication", "energy", "hop-bytes", "dram-energy"), rng.choice((2, 2, 3)))
    points = {tuple(one[name] for name in names) for one in every_plan(problem)}
    best = {one for one in points if not any(other != one and all(map(le, other, one)) for other in points)}
    front = pareto_front(problem, names)
    assert (front.complete, {point.values for point in front.points}) == (True, best)


def test_fronts_of_what_equal_halves_alone_have_are_refused():
    with pytest.raises(Refusal, match="'turned' is counted on equal accelerators alone; try communication"):
        pareto_front(spending(300, most_layers=1, most_plans=10), ("communication", "turned"))


def equal(accelerators, *, levels, topology, **more):
    array = {"topology": topology, "levels": levels, "link": LINK, "placement": "identity", **accelerators}
    cost = {"accounting": "published", "choices": ["dp", "mp", "op"], "splits": "any"} | more
    whole = {"schema": "hypar-opt/instance/1", "name": "equal", "batch": 16, "network": NETWORK, "array": array}
    return problem_of(instance_of(whole | {"cost": cost, "objective": {"energy": 1}}))


@pytest.mark.parametrize(("topology", "levels", "accounting"), [("torus", 3, "published"), ("star", 2, "receiver")])
def test_accelerators_of_one_kind_cost_what_equal_ones_do(topology, levels, accounting):
    accelerator = {"model": "as-evaluated", "rate": 100, "energy": JOULES}
    kind = {"kind": "all", "count": 2**levels, "bandwidth": 3, "accelerator": accelerator}
    said = {"levels": levels, "topology": topology, "accounting": accounting, "input_error": False}
    one, many = equal({"accelerator": accelerator}, **said), equal({"accelerators": [kind]}, **said)
    rng = Random(levels)
    for _ in range(4):
        words = {layer.name: "".join(rng.choice("dmo") for _ in range(levels)) for layer in one.work.layers}
        expected, found = one.costs(one.bytes_of(words), one.instance.placement), many.costs(words, ())
        times = {name for name in COMPONENTS if name not in SUMMED} - {"comm-time"}
        assert {name: cost for name, cost in expected.items() if name not in times} == {
            name: cost for name, cost in found.items() if name not in times
        }
    assert solve(one).objective == solve(many).objective


def test_two_machines_by_hand():
    """A layer of 6 x 4 weights; the first machine takes 3/4 of the batch, and both read all gradients."""
    joules = [dict.fromkeys(("add", "multiply", "sram", "dram"), one) for one in (1, 10)]
    kinds = [
        {"kind": name, "count": 1, "bandwidth": 1, "accelerator": {"model": "as-evaluated", "rate": 1, "energy": each}}
        for name, each in zip(("cheap", "dear"), joules, strict=True)
    ]
    network = {"input": [6], "layers": [{"name": "fc1", "linear": {"features": 4}}]}
    whole = {
        "schema": "hypar-opt/instance/1", "name": "two", "batch": 8, "network": network,
        "array": {"topology": "ring", "levels": 1, "accelerators": kinds, "link": {"energy": 100, "bandwidth": 16}},
        "cost": {"choices": ["dp"], "shares": ["3/4", "1/4"], "accounting": "published"},
        "objective": {"energy": 1},
    }  # fmt: skip
    plan = solve(problem_of(instance_of(whole)))
    macs, read = 3 * 8 * 6 * 4, 24 * 4
    held = 3 * (24 + Fraction(3, 4) * 8 * (6 + 4)), 3 * (24 + Fraction(1, 4) * 8 * (6 + 4))
    computed = Fraction(3, 4) * 2 * macs + 10 * Fraction(1, 4) * 2 * macs
    memory = held[0] + 10 * held[1] + 3 * read / 4 * (1 + 10)
    assert plan.costs["hop-bytes"] == plan.costs["communication"] == 2 * read
    assert (plan.costs["comm-energy"], plan.costs["comm-time"]) == (100 * 2 * read, Fraction(read, 16))
    assert plan.objective == computed + memory + 100 * 2 * read


@each("seed", range(10), quick=2)
def test_what_is_shown_of_links_is_what_crosses_them(seed):
    problem = spending(seed, most_layers=3)
    plan = solve(problem)
    if plan.strategies is not None:
        shown = placed_array(NamedMixedPlan("best", problem, plan))
        assert sum(shown.measured.loads.values()) == shown.costs["hop-bytes"]
        assert {name: plan.costs[name] for name in shown.costs} == shown.costs
        assert shown.measured.communication == sum(sum(part.levels) for part in shown.traffic.parts)


def test_shares_of_the_fewest_joules_are_not_free():
    chips = {"model": "as-evaluated", "rate": 1, "energy": JOULES}
    kinds = [{"kind": name, "count": 2, "bandwidth": 3, "accelerator": chips} for name in "ab"]
    with pytest.raises(InputError, match="of the fewest joules a share would run to an end"):
        equal({"accelerators": kinds}, levels=2, topology="ring", shares={"parts": 4})
