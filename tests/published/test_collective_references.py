"""Collectives as others schedule them: step counts, times, verdicts and bandwidths, by name of who published them."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import pytest

from hypar_opt import load, solve
from hypar_opt.cost.collective import compile_collective
from hypar_opt.costgraph.collective.flows import tightest_cut
from hypar_opt.formulation.solution import Status
from tests.collectives import collective_of

GIB = 2**30
MICROSECOND = Decimal("0.000001")


def grid(dims, bandwidths, latency):
    """Return the graph of a mesh whose every dimension has links of its own bandwidth."""
    places = [(i, j) for i in range(dims[0]) for j in range(dims[1])]
    links = [
        {"ends": [f"n{i}.{j}", f"n{k}.{m}"], "bandwidth": bandwidths[int(i == k)], "latency": latency}
        for (i, j), (k, m) in combinations(places, 2)
        if abs(i - k) + abs(j - m) == 1
    ]
    return {"nodes": [{"name": f"n{i}.{j}"} for i, j in places], "links": links}


def two_levels(leaves, spines, each):
    """Return the graph of a fat tree of two levels."""
    hosts = [(f"h{leaf}.{i}", f"l{leaf}") for leaf in range(leaves) for i in range(each)]
    ups = [(f"l{leaf}", f"s{spine}") for leaf in range(leaves) for spine in range(spines)]
    switches = [f"l{leaf}" for leaf in range(leaves)] + [f"s{spine}" for spine in range(spines)]
    nodes = [{"name": host} for host, _ in hosts] + [{"name": one, "kind": "switch"} for one in switches]
    return {"nodes": nodes, "links": [{"ends": list(ends)} for ends in hosts + ups]}


SQUARES = {
    "torus": {2: (2, 2), 3: (3, 2), 4: (5, 4), 5: (7, 6), 6: (10, 9), 8: (17, 16)},
    "mesh": {3: (5, 4), 4: (10, 8), 5: (14, 12), 6: (19, 18), 8: (33, 32)},
}
"""By topology and side: steps of MultiTree's authors (Huang et al., ISCA 2021), and the bound."""


@pytest.mark.parametrize(
    ("shape", "theirs", "bound"),
    [
        *(
            ({"topology": name, "dims": [side, side]}, *steps)
            for name, sides in SQUARES.items()
            for side, steps in sides.items()
        ),
        ({"topology": "bigraph", "switches": 4, "accelerators": 32}, 31, 31),
        pytest.param({"topology": "bigraph", "switches": 8, "accelerators": 64}, 63, 63, marks=pytest.mark.slow),
        ({"topology": "fat-tree", "ports": 4}, 15, 15),
        pytest.param({"topology": "custom", "graph": two_levels(8, 8, 8)}, 63, 63, marks=pytest.mark.slow),
    ],
)
def test_multitree_takes_the_steps_of_its_authors_within_two(shape, theirs, bound):
    plan = solve(collective_of(**shape), "multitree")
    assert plan.bound == bound <= plan.objective
    assert abs(plan.objective - theirs) <= 2


@pytest.mark.parametrize(
    ("shape", "steps"),
    [
        # by their own MILP, TE-CCL's, as SuperMesh ships it (MICRO 2025)
        ({"topology": "mesh", "dims": [3, 3]}, 4),
        ({"topology": "mesh", "dims": [4, 4]}, 8),
        ({"topology": "mesh", "dims": [5, 5]}, 12),
        ({"topology": "mesh", "dims": [6, 6]}, 18),
        ({"topology": "torus", "dims": [3, 3]}, 2),
        ({"topology": "torus", "dims": [4, 4]}, 4),
    ],
)
def test_the_fewest_steps_are_proven(shape, steps):
    plan = solve(collective_of(**shape), "collective-cp-sat")
    assert (plan.status, plan.objective) == (Status.OPTIMAL, steps)


@pytest.mark.parametrize(
    ("shape", "chunks", "total", "link", "microseconds"),
    [
        # astra-sim/tacos, unit tests: bytes a second, and microseconds of latency
        ({"topology": "mesh", "dims": [5, 5]}, 1, GIB, (50, "0.5"), "9606.0"),
        # of this one the time of a step is known, 51 us
        pytest.param(
            {"topology": "mesh", "dims": [10, 10]}, 2, GIB, (100, "1"), "5049", marks=pytest.mark.slow
        ),
        ({"topology": "torus", "dims": [3, 3, 3]}, 1, GIB, (50, "0.5"), "3706.20"),
        pytest.param(
            {"topology": "torus", "dims": [3, 4, 5]}, 2, 2 * GIB, (50, "0.5"), "6676.67", marks=pytest.mark.slow
        ),
        ({"topology": "mesh", "dims": [3, 3, 3]}, 1, GIB, (50, "0.5"), "6671.17"),
        ({"topology": "custom", "graph": grid([5, 5], (50 * GIB, 75 * GIB), MICROSECOND / 2)}, 1, GIB, None, "8005.0"),
    ],
)  # fmt: skip
def test_times_are_those_of_tacos_and_no_schedule_is_sooner(shape, chunks, total, link, microseconds):
    link = {} if link is None else {"link": {"bandwidth": link[0] * GIB, "latency": Decimal(link[1]) * MICROSECOND}}
    instance = collective_of(chunks=chunks, bytes=total, objective="time", **link, **shape)
    plan = solve(instance, "link-matching")
    assert plan.status is Status.OPTIMAL
    assert abs(plan.objective * 10**6 - Fraction(microseconds)) < Fraction(1, 100)


@pytest.mark.parametrize(
    ("chunks", "steps", "rounds"),
    [(1, 1, None), (1, 2, 2), (2, 2, 3), pytest.param(6, 3, 7, marks=pytest.mark.slow)],
)
def test_verdicts_on_a_dgx_1_are_those_of_sccl(chunks, steps, rounds):
    # (chunks, steps, rounds): (1, 1, 1) and (2, 2, 2) cannot be; (1, 2, 2), (2, 2, 3) and (6, 3, 7) can
    plan = solve(replace(load("dgx-1"), chunks_each=chunks, steps=steps))
    assert (plan.status, plan.objective) == (Status.INFEASIBLE if rounds is None else Status.OPTIMAL, rounds)


def test_rings_are_those_of_sccl():
    plan = solve(collective_of("ring", accelerators=4, chunks=2, objective="rounds", steps=2))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, 3)
    plan = solve(collective_of("ring", accelerators=8))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, 4)
    # 7/2 rounds a chunk, and of one chunk alone no fewer than four
    for chunks, rounds in ((1, 4), (2, 7)):
        plan = solve(collective_of("ring", accelerators=8, chunks=chunks, objective="rounds", steps=4))
        assert (plan.status, plan.objective) == (Status.OPTIMAL, rounds)


@pytest.mark.parametrize(
    ("instance", "bandwidth"),
    [
        # of an all-gather, on links of one: ForestColl (Zhao et al., 2024); of regular grids N d / (N - 1)
        (lambda: replace(load("dgx-1"), goal="steps", steps=None), Fraction(48, 7)),
        (lambda: collective_of("torus", dims=[4, 4]), Fraction(64, 15)),
        (lambda: collective_of("mesh", dims=[4, 4]), Fraction(32, 15)),
        (lambda: collective_of("torus", dims=[4, 4, 4]), Fraction(384, 63)),
        (lambda: collective_of("mesh", dims=[2, 2, 2]), Fraction(24, 7)),
    ],
)
def test_bandwidths_are_those_that_forests_reach(instance, bandwidth):
    graph = compile_collective(instance())
    assert len(graph.demands) / tightest_cut(graph).ratio == bandwidth
