"""Lines and rings: the least sum over pairs, exactly, and a placement that has it."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest
from small_graphs import least, path, problem, ring

from formulations.placement.bounds import lower_bound
from formulations.placement.bounds.hypercube import boundaries
from formulations.placement.bounds.line import line, line_of, ring_of
from formulations.placement.bounds.sweep import Turn, sweep
from hypar_opt.costgraph.placement import PlacementGraph
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.util.partition import halves

RUN = Run("bounds")
VOLUMES = [(1, 1, 1), (1, 2, 4), (4, 2, 1), (3, 0, 3), (2, 5, 5), (0, 0, 0), (7, 1, 1)]


def shuffled(graph, seed=1):
    order = np.random.default_rng(seed).permutation(graph.sites)
    return graph.replace(pair_costs=graph.pair_costs[np.ix_(order, order)])


def on_a_line(levels, at, volumes):
    costs = abs(np.array(at)[:, None] - np.array(at)[None, :])
    return PlacementGraph(halves(levels), costs, volumes)


def check(graph, argument):
    found = argument(graph, RUN)
    assert found is not None
    assert graph.feasible(found.placed)
    assert graph.value(found.placed) == found.value
    assert found.value == least(graph)


@pytest.mark.parametrize("volumes", VOLUMES)
def test_rings_of_eight(volumes):
    check(shuffled(problem(ring(8), volumes)), sweep)


@pytest.mark.parametrize("volumes", VOLUMES)
def test_paths_of_eight(volumes):
    check(shuffled(problem(path(8), volumes)), line)


@pytest.mark.parametrize("volumes", [(1, 1), (1, 2), (5, 2)])
def test_rings_of_four_and_of_two(volumes):
    check(problem(ring(4), volumes), sweep)
    check(problem(path(2), volumes[:1]), sweep)


@pytest.mark.parametrize("at", [(0, 1, 5, 6), (3, 0, 9, 1, 4), (0, 7, 1, 2, 9, 4), (2, 2, 0, 5)])
def test_lines_with_gaps_and_empty_sites(at):
    check(on_a_line(2, at, (2, 3)), line)
    check(on_a_line(1, at, (2,)), line)


def test_the_ring_of_sixteen_takes_88_pair_hops():
    found = lower_bound(problem(ring(16), (1, 1, 1, 1)), RUN)
    assert found.value == 2 * 88
    assert found.text == (
        "the sites lie on a ring, and all ways for half of it to turn round were compared by dynamic programming"
    )


@pytest.mark.parametrize("volumes", [(1, 2, 4, 8), (8, 1, 4, 2), (3, 3, 1, 1), (2**70, 2**69, 2**68, 1)])
def test_sixteen_sites_reach_their_bound(volumes):
    for array in (ring(16), path(16)):
        graph = problem(array, volumes)
        graph = graph.replace(pair_costs=graph.pair_costs.astype(object))
        found = lower_bound(graph, RUN)
        assert graph.feasible(found.placed)
        assert graph.value(found.placed) == found.value


def test_every_first_half_leads_to_no_less():
    """What symmetry and the order of the halves leave out is no better."""
    volumes = (1, 2, 3)
    crossing = boundaries(volumes)
    halves = [mask for mask in range(256) if mask.bit_count() == 4]
    found = sweep(problem(ring(8), volumes), RUN)
    assert found is not None
    assert min(Turn(half, crossing, 8).value for half in halves) * 2 == found.value


def test_what_is_neither_is_left_alone():
    costs = problem(ring(8), (1, 1, 1)).pair_costs
    other = costs.copy()
    other[2, 5] = other[5, 2] = 7
    assert ring_of(other) is None
    assert line_of(costs) is None
    assert ring_of(problem(path(8), (1, 1, 1)).pair_costs) is None
    assert ring_of(np.zeros((1, 1), dtype=np.int64)) is None
    free = np.zeros((4, 4), dtype=np.int64)
    free[0, 1] = free[1, 0] = 3
    assert ring_of(free) is None  # a walk over free links must not come back to where it was
    assert sweep(PlacementGraph(halves(2), costs, (1, 1)), RUN) is None
    assert line(PlacementGraph(halves(2), costs, (1, 1)), RUN) is None


def test_after_a_limit_nothing_is_claimed():
    stop = Event()
    stop.set()
    run = Run("bounds", Limits(stop=stop))
    assert sweep(problem(ring(8), (1, 1, 1)), run) is None
    assert line(problem(path(8), (1, 1, 1)), run) is None
    assert lower_bound(problem(ring(8), (1, 1, 1)), run).value == 32
