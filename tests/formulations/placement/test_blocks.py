"""Blocks of sites that together have to hold all leaves: what they rule out no placement has."""

from __future__ import annotations

import importlib
from itertools import product
from random import Random

import numpy as np
import pytest
from helpers import each
from small_graphs import least, machine, placements, problem, random_machine

from formulations.placement.bounds import lower_bound
from formulations.placement.bounds.blocks import can_hold, least_highest, partitions
from formulations.placement.bounds.links import ArrayLinks, around
from formulations.placement.bounds.times import Vectors, families
from hypar_opt.formulation.run import Run

TIMES = importlib.import_module("formulations.placement.bounds.times")
RUN = Run("bounds")
TIME = {"comm-time": 1}


def servers(count, each_has, slow=1, fast=12):
    """Accelerators behind a switch a server, and the servers' switches behind one more, which is slow."""
    sites = count * each_has
    inside = [(site, sites + site // each_has, fast) for site in range(sites)]
    return machine(sites, [*inside, *((sites + i, sites + count, slow) for i in range(count))], count + 1)


def spread(costs, leaves):
    every = product(*(range(len(each)) for each in costs))
    return [one for one in every if sum(one) == leaves]


@each("seed", range(60), quick=30)
def test_spreading_leaves_is_what_looking_at_all_ways_says(seed):
    random = Random(seed)
    costs = [[random.randrange(9) for _ in range(random.randrange(1, 4))] for _ in range(random.randrange(1, 5))]
    leaves = random.randrange(sum(len(each) - 1 for each in costs) + 1)
    ways = spread(costs, leaves)
    assert least_highest(costs, leaves) == min(max(each[n] for each, n in zip(costs, one, strict=True)) for one in ways)
    allowed = [[n for n, cost in enumerate(each) if cost < 5] for each in costs]
    assert can_hold(allowed, leaves) == any(
        all(n in each for n, each in zip(one, allowed, strict=True)) for one in ways
    )


@each("seed", range(40), quick=20)
def test_blocks_have_every_site_once_and_near_ones(seed):
    upper = np.triu(np.random.default_rng(seed).integers(1, 9, (7, 7)), 1)
    apart = upper + upper.T
    for blocks in partitions(apart):
        assert sorted(site for block in blocks for site in block) == list(range(7))
        widest = max((int(apart[block[0], site]) for block in blocks for site in block[1:]), default=0)
        inside = {block[0]: set(block) for block in blocks}
        for first in inside:  # what is as near to a block's first site is in it, or in a block that came before
            near = {int(site) for site in np.flatnonzero(apart[first] <= widest)} - inside[first]
            assert all(any(site in inside[other] for other in inside if other < first) for site in near)


@pytest.mark.parametrize("levels", [4, 0], ids=["vectors of times", "many levels"])
@each("seed", range(200), quick=30)
def test_no_placement_with_empty_sites_is_faster(seed, levels, monkeypatch):
    monkeypatch.setattr(TIMES, "MOST_ENUMERATED", levels)
    random = Random(seed)
    array = (
        random_machine(seed, random.choice((5, 6, 7)), seed % 3) if seed % 2 else servers(3, 2, random.randrange(1, 5))
    )
    graph = problem(array, (random.randrange(6), random.randrange(6)), TIME)
    assert lower_bound(graph, RUN).value <= least(graph)


def test_that_check_catches_blocks_that_are_said_to_be_narrower(monkeypatch):
    monkeypatch.setattr(TIMES, "around", lambda links, inside: tuple(2 * time for time in around(links, inside)))
    graph = problem(servers(3, 2), (1, 1), TIME)
    assert lower_bound(graph, RUN).value > least(graph)


@pytest.mark.parametrize(("servers_of", "volumes"), [((3, 2), (1, 1)), ((3, 4), (1, 2, 4)), ((3, 8), (1, 1, 1, 9))])
def test_what_the_slow_links_cost_is_seen_though_every_server_can_stay_empty(servers_of, volumes):
    """Half of the leaves on each of two servers, the least volume between them: every pair over the one slow link."""
    graph = problem(servers(*servers_of), volumes, TIME)
    side = graph.leaves // 2
    assert graph.sites == 3 * side
    placed = tuple(range(graph.leaves))
    assert lower_bound(graph, RUN).value == graph.value(placed)


def test_where_every_site_has_a_leaf_single_cuts_are_enough():
    graph = problem(servers(2, 4), (1, 2, 4), TIME)
    assert families(graph, ArrayLinks(graph, graph.usage)) == []


def test_vectors_that_blocks_rule_out_are_followed_by_some_below_every_placement():
    graph = problem(servers(3, 2), (1, 1), TIME)
    vectors = Vectors.of(graph, ArrayLinks(graph, graph.usage), 0)
    following = vectors.after((0, 0))
    assert following
    every = {graph.weights(one) for one in placements(graph)}
    assert all(any(TIMES.below(one, times) for one in following) for times in every)
