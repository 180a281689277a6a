"""Without overlap and contention a step takes exactly what the analytic model says; with them, what it must."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from bank.random_networks import random_document
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.evaluation.communication import LEAF_EXACT
from hypar_opt.instance import load, shipped_names
from hypar_opt.instance.hardware import Shape, Wire, machine_of
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.simulation import Compute, Options, TaskGraph, simulate, simulate_plan
from tests.evaluation.links.machines import graphs, measure, ring
from tests.studies.simulation.steps import random_words, seconds_of, step_of

NETWORKS = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
TOPOLOGIES = (
    "h-tree", "binary-tree", "torus", "mesh", "ring", "hypercube", "fully-connected", "star", "fat-tree", "bigraph",
)  # fmt: skip
ANALYTIC = Options("none", contention=False)
HELD = (
    {"contention": False}, {"acquire": "together"}, {"acquire": "ordered"}, {"acquire": "together", "hold": "whole"},
)  # fmt: skip


def links_of(problem, words, array, placed):
    breakdown = problem.bytes_of(words)
    return measure(array, placed, [breakdown.level(h) for h in range(problem.instance.levels)])


def test_the_networks_are_the_ten():
    assert set(NETWORKS) <= set(shipped_names())
    assert len(NETWORKS) == 10


@pytest.mark.sampled(50)
@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("name", NETWORKS)
def test_the_ten_networks_on_several_arrays(name, topology):
    problem = NetworkProblem(load(name))
    words, seconds = random_words(problem, 7), seconds_of(problem.work)
    array = machine_of(topology, Shape(4, wire=Wire(bandwidth=Fraction(10**9, 7))))
    placed = (3, 1, 0, 2, *range(15, 3, -1))
    found = simulate(step_of(problem, words, placed, seconds), array, ANALYTIC)
    expected = sum(seconds.values()) + links_of(problem, words, array, placed).comm_time
    assert found.time == expected
    assert sum(step.end - step.begin for step in found.critical_path) == found.end


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.data())
def test_random_networks_on_random_arrays(seed, data):
    problem = problem_without_leaves(seed)
    count = 1 << problem.instance.levels
    array = data.draw(graphs(most=10).filter(lambda one: len(one.accelerators) >= count))
    placed = data.draw(st.permutations(range(len(array.accelerators))))[:count]
    words, seconds = random_words(problem, seed), seconds_of(problem.work, seed)
    graph, links = step_of(problem, words, placed, seconds), links_of(problem, words, array, placed)
    computed = sum(seconds.values())
    exact = simulate(graph, array, ANALYTIC)
    assert exact.time == computed + links.comm_time
    # every link is busy with exactly the bytes that cross it, whatever overlaps
    at_once = simulate(graph, array, Options("full", contention=False))
    for found in (exact, at_once):
        busy = {found.field.resources[use.resource]: use.busy for use in found.uses}
        on_links = {one.nodes: seconds for one, seconds in busy.items() if one.kind == "link"}
        assert {hop: load / array.link_of[hop].bandwidth for hop, load in links.loads.items()} == {
            hop: time for hop, time in on_links.items() if time
        }
        assert {time for one, time in busy.items() if one.kind == "accelerator"} == {computed}
    # that no order is shorter; but first come first served can be longer than one after the other
    assert at_once.floor == exact.floor <= at_once.time
    # whoever holds whole routes takes no less
    assert simulate(graph, array, Options("none", contention=True)).time >= exact.time


def problem_without_leaves(seed, **array):
    from helpers import problem_of

    whole = random_document(seed, most_levels=2)
    whole["array"] |= array
    if whole["cost"]["accounting"] == LEAF_EXACT:
        whole["cost"]["accounting"] = "published"
    return problem_of(whole)


@settings(max_examples=80)
@given(
    st.integers(0, 10**6), st.sampled_from(TOPOLOGIES), st.integers(1, 10**4), st.integers(1, 10**4),
    st.sampled_from(HELD), st.randoms(use_true_random=False),
)  # fmt: skip
def test_nothing_is_shorter_than_perfect_overlap(seed, topology, bandwidth, rate, held, rng):
    problem = problem_without_leaves(
        seed,
        topology=topology,
        link={"bandwidth": bandwidth},
        accelerator={"model": "as-evaluated", "rate": rate},
    )
    words, placed = random_words(problem, seed), list(range(1 << problem.instance.levels))
    rng.shuffle(placed)
    step = problem.step(problem.bytes_of(words), placed)
    found = simulate_plan(problem, words, placed, Options("full", **held)).simulation
    assert found.time >= found.floor == step.together.perfect == max(step.compute_time, busiest(step))
    assert step.together.perfect <= step.together.none
    # and with memory ports no order is shorter either
    ports = Options("full", **held, memory_bandwidth=Fraction(bandwidth))
    assert simulate_plan(problem, words, placed, ports).simulation.time >= step.together.perfect


def busiest(step):
    links = step.measured.machine.link_of
    return max((load / links[hop].bandwidth for hop, load in step.measured.loads.items()), default=0)


def test_a_bound_that_is_too_high_is_noticed():
    # the bound is reached where nothing is exchanged: a second more would be wrong
    problem = problem_without_leaves(
        3, topology="ring", levels=0, link={"bandwidth": 1}, accelerator={"model": "as-evaluated", "rate": 1}
    )
    words = random_words(problem, 3)
    step = problem.step(problem.bytes_of(words), (0,))
    found = simulate_plan(problem, words, (0,), Options("full")).simulation
    assert 0 < step.together.perfect == found.time < step.together.perfect + 1


def test_a_byte_more_is_noticed():
    problem = NetworkProblem(load("lenet-c"))
    words, seconds = random_words(problem, 7), seconds_of(problem.work)
    array, placed = ring(16, dims=(16,)), tuple(range(16))
    graph = step_of(problem, words, placed, seconds)
    expected = sum(seconds.values()) + links_of(problem, words, array, placed).comm_time
    assert simulate(graph, array, ANALYTIC).time == expected
    at = next(i for i, one in enumerate(graph.tasks) if not isinstance(one, Compute))
    more = replace(graph.tasks[at], amount=graph.tasks[at].amount + 10**6)
    other = TaskGraph((*graph.tasks[:at], more, *graph.tasks[at + 1 :]))
    assert simulate(other, array, ANALYTIC).time > expected
    # and of computing a second more on one accelerator is a second more of the step
    more = replace(graph.tasks[0], seconds=graph.tasks[0].seconds + 1)
    assert simulate(TaskGraph((more, *graph.tasks[1:])), array, ANALYTIC).time == expected + 1


def test_levels_that_use_different_links_overlap_so_that_the_sum_of_levels_is_no_bound():
    # 2 x 2 torus: level 1 crosses rows, level 2 columns. Two gradients are exchanged at once on different links
    from helpers import document, linear_chain, problem_of

    problem = problem_of(document(linear_chain(64, 64, 64), [64], batch=4, levels=2))
    words = {"fc1": "dm", "fc2": "md", "fc3": "dm"}
    array = machine_of("torus", Shape(2, wire=Wire(bandwidth=Fraction(1))))
    seconds = dict.fromkeys(seconds_of(problem.work), Fraction(0))
    graph = step_of(problem, words, range(4), seconds)
    found = simulate(graph, array, Options("full", contention=False))
    assert found.floor <= found.time < links_of(problem, words, array, range(4)).comm_time
