"""Bounds: two that share no code agree, and the tightest cut of a graph with a thin link."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations.collective.expanded import routes
from formulations.collective.sums import direct_within
from hypar_opt.cost.collective import compile_collective
from hypar_opt.costgraph.collective.bounds import cut_bound, lower_bound
from hypar_opt.costgraph.collective.flows import tightest_cut
from hypar_opt.evaluation.collective.bound import BoundProver
from hypar_opt.formulation.run import Limits, Run
from tests.collectives import collective_of
from tests.helpers import each

COLLECTIVES = ("all-gather", "reduce-scatter", "all-reduce", "broadcast", "all-to-all")


@settings(max_examples=15)
@given(
    st.sampled_from(["torus", "mesh", "bigraph", "ring"]),
    st.sampled_from(COLLECTIVES),
    st.sampled_from(["steps", "single", "joined"]),
    st.integers(1, 3),
    st.integers(0, 3),
    st.data(),
)
def test_bounds_are_recounted(topology, collective, said, chunks, latency, data):
    timed = {} if said == "steps" else {"objective": "time", "messages": said}
    size = {"accelerators": 6} if topology in ("ring", "bigraph") else {"dims": [2, 3]}
    root = {"root": "a1"} if collective == "broadcast" else {}
    link = {"bandwidth": 7, "latency": latency}
    instance = collective_of(topology, collective, chunks=chunks, link=link, **timed, **size, **root)
    graph, prover = compile_collective(instance), BoundProver(instance)
    narrow = prover.by_narrow_cut
    assert Fraction(lower_bound(graph).value, graph.unit) == max(prover.best.value, narrow.value)
    nodes = range(graph.nodes)
    inside = data.draw(st.sets(st.sampled_from(nodes), min_size=1, max_size=len(nodes) - 1))
    assert Fraction(cut_bound(graph, inside), graph.unit) == prover.by_cut(sorted(inside)).value


def dumbbell(size):
    """Return the graph of two cliques that one link joins."""
    halves = [[f"n{i}" for i in range(first, first + size)] for first in (0, size)]
    links = [{"ends": list(pair)} for half in halves for pair in combinations(half, 2)]
    nodes = [{"name": name} for half in halves for name in half]
    return {"nodes": nodes, "links": [*links, {"ends": ["n0", f"n{size}"]}]}


@pytest.mark.parametrize(
    ("collective", "steps"), [("all-gather", 4), ("reduce-scatter", 4), ("all-reduce", 8), ("all-to-all", 16)]
)
def test_a_thin_link_between_two_halves_is_found(collective, steps):
    instance = collective_of("custom", collective, graph=dumbbell(4))
    found = lower_bound(compile_collective(instance))
    assert (found.value, found.kind, len(found.nodes)) == (steps, "cut", 4)
    assert BoundProver(instance).by_narrow_cut.value == steps
    assert BoundProver(instance).best.value < steps


@pytest.mark.parametrize(
    ("topology", "shape", "collective", "steps"),
    [
        ("mesh", {"dims": [3, 3]}, "all-reduce", 8),
        ("mesh", {"dims": [4]}, "all-reduce", 6),
        ("mesh", {"dims": [4, 4], "chunks": 8, "root": "a0"}, "broadcast", 9),
        ("mesh", {"dims": [4, 4]}, "all-reduce", 13),
    ],
)
def test_what_comes_late_and_has_to_get_through_a_cut(topology, shape, collective, steps):
    instance = collective_of(topology, collective, **shape)
    found = lower_bound(compile_collective(instance))
    assert (found.value, found.kind, BoundProver(instance).best.value) == (steps, "late", steps)


@each("seed", range(12), quick=3)
def test_no_schedule_of_all_is_below_the_bound(seed):
    random = Random(seed)
    pairs = {(random.randrange(node), node) for node in range(1, 4)} | {(0, random.randint(1, 3))}
    links = [{"ends": [f"n{one}", f"n{other}"]} for one, other in sorted(pairs)]
    array = {"nodes": [{"name": f"n{node}"} for node in range(4)], "links": links}
    graph = compile_collective(collective_of("custom", "all-reduce", graph=array))
    run = Run("of-a-test", Limits())
    assert direct_within(graph, lower_bound(graph).value - 1, routes(graph), run) == ("INFEASIBLE", None)


def test_the_tightest_cut_is_what_forests_are_packed_up_to():
    graph = compile_collective(collective_of("custom", graph=dumbbell(4)))
    assert len(graph.demands) / tightest_cut(graph).ratio == 2
