"""The ten published networks on real topologies: joint-cp-sat and joint-enumeration agree."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import pytest
from joint_cases import HOPS, TIME, all_plans, chain, dot, joint, line

from formulations.joint.alternating import FORMULATION as ALTERNATING
from formulations.joint.cp_sat import FORMULATION as CP_SAT
from formulations.joint.enumeration import FORMULATION as ENUMERATION
from hypar_opt.formulation.run import Run
from hypar_opt.instance import load
from hypar_opt.instance.hardware import TOPOLOGIES, Shape, Wire
from hypar_opt.solver.network_problem import NetworkProblem

TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
OBJECTIVES = {"hop-bytes": HOPS, "comm-time": TIME}


@cache
def array(topology, levels):
    return TOPOLOGIES[topology].build(
        Shape(levels, dims=(4, 4) if topology in ("mesh", "torus") and levels == 4 else None, wire=Wire(1))
    )


@cache
def network(name, levels):
    return NetworkProblem(load(name, levels=levels)).graph


def problem(name, topology, objective, levels):
    return joint(network(name, levels), array(topology, levels), OBJECTIVES[objective])


def agreed(graph, *, by_cp_sat=True):
    first = ENUMERATION.solve(graph, Run("enumeration"))
    second = CP_SAT.solve(graph, Run("cp-sat")) if by_cp_sat else first
    assert {first.status, second.status} == {"OPTIMAL"}
    assert first.bound == second.bound
    third = ALTERNATING.solve(graph, Run("alternating"))
    layers = len(graph.parallelism.variables)
    assert third.bound <= first.bound <= graph.value(third.choices[:layers], third.choices[layers:])
    return first.bound


@pytest.mark.parametrize(("topology", "bound"), [("ring", 133_532_160), ("mesh", 104_348_160)])
def test_lenet_on_eight(topology, bound):
    assert agreed(problem("lenet-c", topology, "hop-bytes", 3)) == bound


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("topology", ["ring", "mesh", "torus", "binary-tree"])
@pytest.mark.parametrize("levels", [2, 3])
@pytest.mark.parametrize("name", TEN)
def test_four_and_eight(name, levels, topology, objective):
    agreed(problem(name, topology, objective, levels))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "topology", "objective", "bound"),
    [
        ("sfc", "torus", "hop-bytes", 12_369_723_392),
        ("lenet-c", "torus", "hop-bytes", 281_648_640),
        ("vgg-a", "torus", "hop-bytes", 24_397_127_680),
        ("sfc", "torus", "comm-time", 773_107_712),
        ("lenet-c", "torus", "comm-time", 17_603_040),
        ("vgg-a", "torus", "comm-time", 1_524_820_480),
        ("sfc", "ring", "hop-bytes", 25_409_880_064),
        ("sfc", "h-tree", "hop-bytes", 46_791_917_568),
        ("sfc", "h-tree", "comm-time", 6_184_861_696),
        ("lenet-c", "h-tree", "comm-time", 140_824_320),
        ("vgg-a", "h-tree", "comm-time", 12_198_563_840),
    ],
)
def test_sixteen(name, topology, objective, bound):
    """CP-SAT takes half a minute for hop-bytes where there are few symmetries: other objectives and arrays try it."""
    graph = problem(name, topology, objective, 4)
    assert agreed(graph, by_cp_sat=topology == "torus" or (name, objective) == ("lenet-c", "comm-time")) == bound


def test_a_chain_for_which_parallelism_first_is_not_best():
    """Four accelerators in a row, batch 2, 4 -> 8 -> 8 features: by hand, and no tie helps the first phase.

    A row carries one level's bytes over one link and the other's over two. `dm`, `mm` communicates least, and
    alone so: 448 bytes at both levels, 448 + 2 x 448 = 1344 hop-bytes at best. `md`, `mm` needs 32 bytes more, 320 and
    608, and the row carries them with 608 + 2 x 320 = 1248.
    """
    graph = joint(chain(2, 4, 8, 8, batch=2, bytes_per_element=4, divisible=True), line(4))
    plans = {graph.volumes(choices): choices for choices in all_plans(graph.parallelism)}
    fewest = sorted(plans, key=sum)[:2]
    assert fewest == [(448, 448), (320, 608)]
    words = [[v.words.word(i) for v, i in zip(graph.parallelism.variables, plans[one], strict=True)] for one in fewest]
    assert words == [["dm", "mm"], ["md", "mm"]]
    first, second = fewest
    placed = {graph.placement.weights(one) for one in permutations(range(4))}
    unit = graph.placement.unit
    assert min(dot(first, one) for one in placed) == 1344 * unit
    assert min(dot(second, one) for one in placed) == agreed(graph) == 1248 * unit
