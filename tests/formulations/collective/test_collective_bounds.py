"""Bounds: two that share no code agree, and the tightest cut of a graph with a thin link."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.cost.collective import compile_collective
from hypar_opt.costgraph.collective.bounds import cut_bound, lower_bound
from hypar_opt.costgraph.collective.flows import tightest_cut
from hypar_opt.evaluation.collective.bound import BoundProver
from tests.collectives import collective_of

COLLECTIVES = ("all-gather", "reduce-scatter", "all-reduce", "broadcast", "all-to-all")


@settings(max_examples=15)
@given(
    st.sampled_from(["torus", "mesh", "bigraph", "ring"]),
    st.sampled_from(COLLECTIVES),
    st.sampled_from(["steps", "time"]),
    st.integers(1, 3),
    st.integers(0, 3),
    st.data(),
)
def test_bounds_are_recounted(topology, collective, goal, chunks, latency, data):
    size = {"accelerators": 6} if topology in ("ring", "bigraph") else {"dims": [2, 3]}
    root = {"root": "a1"} if collective == "broadcast" else {}
    link = {"bandwidth": 7, "latency": latency}
    instance = collective_of(topology, collective, chunks=chunks, objective=goal, link=link, **size, **root)
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


def test_the_tightest_cut_is_what_forests_are_packed_up_to():
    graph = compile_collective(collective_of("custom", graph=dumbbell(4)))
    assert len(graph.demands) / tightest_cut(graph).ratio == 2
