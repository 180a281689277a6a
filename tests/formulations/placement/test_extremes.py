"""Placements at the ends of what is legal: no level, no bytes, more bytes than 64 bits hold."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from formulations.placement import identity, local_search, recursive_bisection
from formulations.placement.bounds import lower_bound
from formulations.placement.cp_sat import FORMULATION as CP_SAT
from hypar_opt.cost.links import compile_placement
from hypar_opt.formulation.run import Run
from hypar_opt.instance.hardware import Shape, Wire, custom, machine_of
from hypar_opt.util.partition import halves

HEURISTICS = [identity.FORMULATION, recursive_bisection.FORMULATION, local_search.FORMULATION]
HOPS, TIME = {"hop-bytes": Fraction(1)}, {"comm-time": Fraction(1)}


@pytest.mark.parametrize("weights", [HOPS, TIME])
@pytest.mark.parametrize("sites", [1, 3])
@pytest.mark.parametrize("formulation", [*HEURISTICS, CP_SAT])
def test_no_level(formulation, sites, weights):
    machine = machine_of("ring", Shape(0, sites, wire=Wire(Fraction(1))))
    solution = formulation.solve(compile_placement(machine, weights, halves(0), ()), Run("test"))
    assert (solution.status, solution.bound, len(solution.choices)) == ("OPTIMAL", 0, 1)


@pytest.mark.parametrize("formulation", [*HEURISTICS, CP_SAT])
def test_no_bytes_on_links_whose_times_need_more_than_64_bits(formulation):
    bandwidths = (Fraction(999999937, 10**9 + 7), Fraction(999983, 10**9 + 9), Fraction(1000003, 998244353))
    nodes = [{"name": f"a{i}"} for i in range(4)]
    links = [{"ends": [f"a{i}", f"a{i + 1}"], "bandwidth": each} for i, each in enumerate(bandwidths)]
    graph = compile_placement(custom(nodes, links), TIME, halves(2), (0, 0))
    assert graph.usage.slowness.dtype == object
    assert formulation.solve(graph, Run("test")).bound == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("formulation", HEURISTICS)
def test_more_bytes_than_64_bits_hold(formulation):
    switched = [{"name": f"a{i}"} for i in range(6)] + [{"name": x, "kind": "switch"} for x in "st"]
    links = [{"ends": [f"a{i}", "st"[i % 2]]} for i in range(6)] + [{"ends": ["s", "t"]}]
    graph = compile_placement(custom(switched, links), HOPS, halves(2), (2**63 + 1, 2**63 + 5))
    best = min(graph.value(placed) for placed in permutations(range(6), 4))
    solution = formulation.solve(graph, Run("test"))
    assert solution.bound <= best <= graph.value(solution.choices)
    assert lower_bound(graph, Run("test")).value <= best
