"""Bounds: two that share no code agree, and the step times of others are those of the bound."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt import load
from hypar_opt.cost.collective import compile_collective
from hypar_opt.costgraph.collective.bounds import cut_bound, lower_bound
from hypar_opt.costgraph.collective.flows import tightest_cut
from hypar_opt.evaluation.collective.bound import BoundProver
from tests.collectives import collective_of

COLLECTIVES = ("all-gather", "reduce-scatter", "all-reduce", "broadcast", "all-to-all")
GIB = 2**30


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
    ("shape", "chunks", "total", "steps", "microseconds"),
    [
        # astra-sim/tacos, unit tests: 50 GB/s of 2^30 bytes, 0.5 us
        ({"topology": "mesh", "dims": [5, 5]}, 1, GIB, 12, Fraction(9606)),
        ({"topology": "torus", "dims": [3, 3, 3]}, 1, GIB, 5, Fraction(370620, 100)),
        ({"topology": "torus", "dims": [3, 4, 5]}, 2, 2 * GIB, 20, Fraction(667667, 100)),
        ({"topology": "mesh", "dims": [3, 3, 3]}, 1, GIB, 9, Fraction(667117, 100)),
    ],
)
def test_step_times_are_those_of_tacos(shape, chunks, total, steps, microseconds):
    link = {"bandwidth": 50 * GIB, "latency": Decimal("0.0000005")}
    instance = collective_of(chunks=chunks, bytes=total, link=link, **shape)
    bound = BoundProver(instance).best.value
    assert bound == steps
    step = instance.machine.links[0].latency + instance.chunk_bytes / instance.machine.links[0].bandwidth
    assert abs(steps * step * 10**6 - microseconds) < Fraction(1, 100)


@pytest.mark.parametrize(
    ("instance", "bandwidth"),
    [
        # algorithm bandwidth of an all-gather on unit links: ForestColl's optima
        (lambda: replace(load("dgx-1"), goal="steps", steps=None), Fraction(48, 7)),
        (lambda: collective_of("torus", dims=[4, 4]), Fraction(64, 15)),
        (lambda: collective_of("mesh", dims=[4, 4]), Fraction(32, 15)),
        (lambda: collective_of("torus", dims=[4, 4, 4]), Fraction(64 * 6, 63)),
        (lambda: collective_of("mesh", dims=[2, 2, 2]), Fraction(24, 7)),
        (lambda: collective_of("custom", graph=dumbbell(4)), Fraction(2)),
    ],
)
def test_the_tightest_cut_is_what_forests_are_packed_up_to(instance, bandwidth):
    graph = compile_collective(instance())
    assert len(graph.demands) / tightest_cut(graph).ratio == bandwidth
