"""The best of all constructions: what is found where no formulation is named is never worse than any of them."""

from __future__ import annotations

from random import Random

import pytest

from formulations.collective import constructions as asking
from hypar_opt import solve
from hypar_opt.formulation.registry import constructions, formulations
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of
from tests.helpers import each

UNLIKE = {
    "nodes": [{"name": "a0"}, {"name": "a1"}, {"name": "a2"}],
    "links": [
        {"ends": ["a0", "a1"], "bandwidth": 3, "latency": 1},
        {"ends": ["a0", "a2"], "bandwidth": 1, "latency": 5},
    ],
}


def drawn(random):
    """Draw a small array with unlike links, and an all-reduce or reduce-scatter in steps, time or joined messages."""
    count = random.randint(2, 4)
    pairs = {(random.randrange(node), node) for node in range(1, count)}
    pairs.add(tuple(sorted(random.sample(range(count), 2))))
    links = [
        {"ends": [f"a{one}", f"a{other}"], "bandwidth": random.choice([1, 3]), "latency": random.choice([0, 1, 5])}
        for one, other in sorted(pairs)
    ]
    graph = {"nodes": [{"name": f"a{node}"} for node in range(count)], "links": links}
    goal = random.choice([{"objective": "steps"}, {"objective": "time"}, {"objective": "time", "messages": "joined"}])
    collective = random.choice(["all-reduce", "all-reduce", "reduce-scatter"])
    return collective_of("custom", collective, graph=graph, bytes=36, **goal)


@each("seed", range(30), quick=4)
def test_no_construction_is_better(seed):
    instance = drawn(Random(seed))
    least = solve(instance).objective
    for name in constructions("collective"):
        try:
            found = solve(instance, name).objective
        except Refusal:
            continue
        assert found is None or found >= least, name


@pytest.mark.parametrize(("messages", "status", "seconds"), [("single", "OPTIMAL", 36), ("joined", "FEASIBLE", 30)])
def test_algorithms_of_stages_are_starts_too(messages, status, seconds):
    said = {"graph": UNLIKE, "bytes": 18, "objective": "time", "messages": messages}
    plan = solve(collective_of("custom", "all-reduce", **said), "collective-cp-sat")
    assert (plan.status, plan.objective) == (Status(status), seconds)
    assert plan.native_status.startswith("recursive-doubling; bound")


def test_constructions_are_those_of_sends_that_prove_nothing():
    assert set(constructions("collective")) == {
        name for name, able in formulations().items() if able.decides == "sends" and not able.exact
    }
    assert "hierarchical" in constructions("collective")
    assert "pipeline-local-search" in constructions("pipeline")


def test_of_large_collectives_only_some_are_asked(monkeypatch):
    monkeypatch.setattr(asking, "MOST_SENDS", 1)
    said = {"graph": UNLIKE, "bytes": 18, "objective": "time"}
    assert solve(collective_of("custom", "all-reduce", **said)).objective == 44
    assert solve(collective_of("custom", "all-reduce", messages="joined", **said)).objective == 30
