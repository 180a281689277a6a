"""joint-cp-sat's parts: the box, the bytes of levels, and every constraint of the sites alone."""

from __future__ import annotations

from itertools import islice, permutations

import pytest
from helpers import each
from joint_cases import HOPS, MIXED, TIME, all_plans, brute_force, chain, dot, joint, line, random_joint, ring
from ortools.sat.python.cp_model import CpModel, CpSolver

from formulations.joint import model, sites
from formulations.joint.cp_sat import JointCpSat
from formulations.joint.model import joint_model, level_polytopes
from formulations.joint.oracles import Strategies, quick_bound
from formulations.joint.outer import first_volumes
from formulations.joint.sites import FAMILIES, narrowed, placed_in, wide
from hypar_opt.costgraph import CostGraph
from hypar_opt.formulation.run import Limits, Run

LINE = joint(chain(2, 30, 7, 50), line(4))
SPARE = joint(chain(2, 30, 7, 50), line(5))


def status(one):
    solver = CpSolver()
    solver.parameters.num_workers = 1
    return solver.status_name(solver.solve(one))


def sited(graph, families, box=None):
    return placed_in(CpModel(), graph.placement, box or wide(graph), families)


def holds(built, *literals):
    """Whether the model has a solution with the literals true."""
    one = built.model.clone()
    for literal in literals:
        one.add_bool_or(literal)
    return status(one) == "OPTIMAL"


def test_one_site_alone():
    built = sited(LINE, [sites.one_site])
    assert holds(built, built.at[0][1], built.at[1][1])
    assert not holds(built, built.at[0][1], built.at[0][2])
    assert not holds(built, *(~literal for literal in built.at[0]))


def test_one_leaf_alone():
    built = sited(SPARE, [sites.one_leaf])
    assert holds(built, built.at[0][1], built.at[0][2])
    assert holds(built, *(~row[0] for row in built.at))
    assert not holds(built, built.at[0][1], built.at[1][1])
    assert not holds(sited(LINE, [sites.one_leaf]), *(~row[0] for row in sited(LINE, [sites.one_leaf]).at))


def test_lowest_alone():
    built = sited(LINE, [sites.lowest])
    assert holds(built, built.at[0][0])
    assert not holds(built, ~built.at[0][0])


def test_lowest_with_a_site_to_spare():
    built = sited(SPARE, [sites.one_site, sites.lowest])
    assert holds(built, built.at[0][1], built.at[1][2])
    assert not holds(built, built.at[0][1], built.at[1][0])
    assert not holds(built, built.at[0][2])


def test_partner_alone():
    built = sited(LINE, [sites.partner])
    first, second, pair = built.at[0][3], built.at[2][1], built.exchange(0, 1, 3)
    assert holds(built, first, second, pair)
    assert not holds(built, first, second, ~pair)
    assert not holds(built, first, ~second, pair)
    assert not holds(built, ~first, second, pair)
    assert holds(built, first, built.at[1][1], ~pair)  # leaves 0 and 1 exchange at the other level


def test_matching_alone():
    built = sited(LINE, [sites.matching])
    occupied = [row[0] for row in built.at[:1]] + [~row[0] for row in built.at[1:]]
    assert holds(built, *occupied, built.exchange(0, 0, 2))
    assert not holds(built, *occupied, built.exchange(0, 0, 2), built.exchange(0, 0, 3))
    assert not holds(built, *occupied, *(~built.exchange(1, 0, v) for v in (1, 2, 3)))


@pytest.mark.parametrize("weights", [HOPS, TIME, MIXED])
@pytest.mark.parametrize("array", [line(4), ring(5)])
def test_weights_are_those_of_the_placement(weights, array):
    """Every placement with leaf 0 lowest is a solution with its own weights, and with none that is smaller."""
    graph = joint(chain(2, 30, 7, 50), array, weights)
    built = sited(graph, FAMILIES)
    base = graph.placement.base
    every = (one for one in permutations(range(graph.placement.sites), 4) if one[0] == min(one))
    for placed in islice(every, 0, None, 3):
        fixed = [built.at[leaf][site] for leaf, site in enumerate(placed)]
        reached = [(weight - base) // built.step for weight in graph.placement.weights(placed)]
        for h, least in enumerate(reached):
            for value, expected in ((least, "OPTIMAL"), (least - 1, "INFEASIBLE")):
                one = built.model.clone()
                one.add_bool_and(fixed)
                one.add(built.weights[h] == value)
                assert status(one) == (expected if value >= 0 else "INFEASIBLE")


def test_the_bytes_of_every_level():
    graph = joint(chain(2, 30, 7, 50), line(4))
    built = joint_model(graph, wide(graph), {})
    for choices in all_plans(graph.parallelism):
        one, solver = built.model.clone(), CpSolver()
        for literals, choice in zip(built.plan.x, choices, strict=True):
            one.add_bool_or(literals[choice])
        assert solver.status_name(solver.solve(one)) == "OPTIMAL"
        assert tuple(built.unit * solver.value(volume) for volume in built.volumes) == graph.volumes(choices)


@pytest.mark.parametrize("unary", [0, 200])
@each("seed", range(4))
def test_products_by_unary_numbers_and_by_bits_have_the_optimum(unary, seed, monkeypatch):
    monkeypatch.setattr(model, "UNARY", unary)
    graph = random_joint(seed)
    assert JointCpSat(helped=False).solve(graph, Run("test")).bound == brute_force(graph)


def test_a_cut_holds_in_every_order():
    graph = joint(chain(2, 30, 7, 50), line(4))
    box = wide(graph)
    built = joint_model(graph, box, {(4, 2): 32})
    first, second = built.sites.weights
    step = built.sites.step
    for weights in ((4, 8), (8, 4), (8, 8)):  # 4 x 4 + 2 x 8 = 32 is the least
        assert holds_at(built, (first, second), weights, step)
    tight = joint_model(graph, box, {(4, 2): 34})
    for weights in ((4, 8), (8, 4)):
        assert not holds_at(tight, tight.sites.weights, weights, step)


def holds_at(built, variables, weights, step):
    one = built.model.clone()
    for variable, weight in zip(variables, weights, strict=True):
        one.add(variable * step == weight)
    return status(one) == "OPTIMAL"


@each("seed", range(12))
def test_the_box_holds_every_pair_that_is_good_enough(seed):
    graph = random_joint(seed)
    strategies, quick = Strategies(graph, Limits()), quick_bound(graph, Run("test"))
    placement = graph.placement
    weights = {placement.weights(placed) for placed in permutations(range(placement.sites), placement.leaves)}
    volumes = {graph.volumes(choices) for choices in all_plans(graph.parallelism)}
    limit = brute_force(graph) * 11 // 10
    outer, box = wide(graph), narrowed(wide(graph), strategies, quick, limit, placement.base)
    for one in volumes:
        for other in weights:
            assert inside(outer, one, other)
            assert dot(one, other) > limit or inside(box, one, other)
    assert box.upper < outer.upper


def inside(box, volumes, weights):
    rows = zip(box.least, weights, box.most, box.fewest, volumes, box.largest, strict=True)
    return all(low <= w <= high and few <= c <= many for low, w, high, few, c, many in rows)


@each("seed", range(12))
def test_quick_bounds_are_below_every_placement(seed):
    graph = random_joint(seed)
    placement = graph.placement
    bound = quick_bound(graph, Run("test"))
    for volumes in [(1, 0), (0, 3), *first_volumes(graph, Strategies(graph, Limits()))]:
        placed = permutations(range(placement.sites), placement.leaves)
        least = min(dot(volumes, placement.weights(one)) for one in placed)
        assert 0 <= bound(volumes) <= least
        assert bound(volumes[::-1]) == bound(volumes)


def test_levels_whose_networks_differ_are_refused(monkeypatch):
    graph = joint(chain(2, 30, 7, 50), line(4))
    other = chain(2, 30, 7)
    monkeypatch.setattr(type(graph), "weighed", lambda self, weights: self.parallelism if weights[0] else other)
    assert isinstance(other, CostGraph)
    with pytest.raises(RuntimeError, match=r"^the levels' networks have different arcs$"):
        level_polytopes(graph)
