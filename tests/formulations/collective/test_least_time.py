"""Least time: against all schedules of tiny arrays, proven where links differ, and by steps where they do not."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from hypar_opt import solve
from hypar_opt.cost.collective import compile_collective
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of
from tests.helpers import each

LINK = {"bandwidth": 7, "latency": 3}


def drawn(random, count, more):
    """Return a connected graph whose links have one of three bandwidths and latencies."""
    pairs = {(random.randrange(node), node) for node in range(1, count)}
    pairs |= {tuple(sorted(random.sample(range(count), 2))) for _ in range(more)}
    links = [
        {"ends": [f"n{one}", f"n{other}"], "bandwidth": random.randint(1, 3), "latency": random.randint(0, 2)}
        for one, other in sorted(pairs)
    ]
    return {"nodes": [{"name": f"n{node}"} for node in range(count)], "links": links}


def least_of_all(graph):
    """Return the least time of all schedules: sends in the order of their begins, each as soon as it can be."""
    best = sum(link.latency + link.transfer for link in graph.links) * len(graph.demands)
    wanted = {(c, n) for c, one in enumerate(graph.demands) for n in one.targets if n not in one.sources}

    def go(there, free, last, until):
        nonlocal best
        if not wanted - there.keys():
            best = min(best, until)
            return
        for chunk in range(len(graph.demands)):
            for link in graph.links:
                start, end = link.ends
                if (chunk, start) not in there or (chunk, end) in there:
                    continue
                begin = max(there[chunk, start], free.get(link.ends, 0))
                arrival = begin + link.latency + link.transfer
                if begin >= last and max(until, arrival) < best:
                    go({**there, (chunk, end): arrival}, {**free, link.ends: arrival}, begin, max(until, arrival))

    go({(chunk, one.sources[0]): 0 for chunk, one in enumerate(graph.demands)}, {}, 0, 0)
    return best


@each("seed", range(16), quick=3)
def test_none_of_all_schedules_is_sooner(seed):
    random = Random(seed)
    collective = random.choice(["all-gather", "broadcast", "all-to-all"])
    count = 4 if seed % 8 == 7 and collective != "all-to-all" else 3
    root = {"root": "n0", "chunks": 2} if collective == "broadcast" else {}
    array = drawn(random, count, 1 if count == 3 else 0)
    instance = collective_of("custom", collective, graph=array, objective="time", bytes=72, **root)
    graph, plan = compile_collective(instance), solve(instance, "collective-cp-sat")
    assert plan.status is Status.OPTIMAL
    assert plan.objective == Fraction(least_of_all(graph), graph.unit)
    if plan.objective <= 25:
        flows = solve(instance, "collective-milp")
        assert (flows.status, flows.objective) == (Status.OPTIMAL, plan.objective)


@each("seed", range(12), quick=2)
def test_a_reduction_takes_as_long_as_a_gathering(seed):
    array = drawn(Random(seed), 5, 3)
    plans = [
        solve(collective_of("custom", one, graph=array, objective="time", bytes=30), "collective-cp-sat")
        for one in ("all-gather", "reduce-scatter")
    ]
    assert [plan.status for plan in plans] == [Status.OPTIMAL] * 2
    assert plans[0].objective == plans[1].objective


@pytest.mark.parametrize(
    ("topology", "dims", "steps"), [("mesh", [3, 3], 4), ("torus", [4, 4], 4), ("mesh", [5, 5], 12)]
)
def test_where_links_are_alike_time_is_that_of_the_fewest_steps(topology, dims, steps):
    instance = collective_of(topology, dims=dims, objective="time", link=LINK, bytes=14 * dims[0] ** 2)
    plan = solve(instance, "collective-cp-sat")
    assert (plan.status, plan.objective) == (Status.OPTIMAL, steps * (3 + Fraction(14, 7)))


def test_an_all_reduce_in_time_says_what_it_is_the_best_of():
    instance = collective_of("mesh", "all-reduce", dims=[4, 4], objective="time", link=LINK)
    plan = solve(instance, "collective-cp-sat")
    assert plan.status is Status.FEASIBLE
    assert "first add up and then gather" in plan.note


def test_too_many_sends_are_declined():
    links = [{"ends": [f"n{i}", f"n{i + 1}"], "bandwidth": 1 + i % 2} for i in range(199)]
    array = {"nodes": [{"name": f"n{i}"} for i in range(200)], "links": links}
    instance = collective_of("custom", graph=array, objective="time")
    with pytest.raises(Refusal, match="at most 20,000 are built; try link-matching"):
        solve(instance, "collective-cp-sat")
