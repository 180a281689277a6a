"""Trees packed up to the tightest cut: the optima that are known, and random arrays against all their cuts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from hypar_opt import load, solve, verify
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.verdict import CheckOutcome
from tests.collectives import collective_of
from tests.helpers import each

UNIT = {"objective": "bandwidth", "link": {"bandwidth": 1}}
GATHERED = {
    # algorithm bandwidths of ForestColl (Zhao et al., 2024), of unit links
    "torus-4x4": (("torus", {"dims": [4, 4]}), Fraction(64, 15)),
    "mesh-4x4": (("mesh", {"dims": [4, 4]}), Fraction(32, 15)),
    "mesh-2x2x2": (("mesh", {"dims": [2, 2, 2]}), Fraction(24, 7)),
    "ring-4": (("ring", {"accelerators": 4}), Fraction(8, 3)),
    "fat-tree-16": (("fat-tree", {"ports": 4}), Fraction(16, 15)),
    "bigraph-8": (("bigraph", {"switches": 2, "accelerators": 8}), Fraction(8, 7)),
}


@pytest.mark.parametrize("name", GATHERED)
def test_known_optima_are_reached_by_trees(name):
    (topology, shape), speed = GATHERED[name]
    instance = collective_of(topology, **shape, **UNIT)
    plan = solve(instance)
    assert (plan.status, instance.bytes_ / plan.objective) == ("OPTIMAL", speed)
    assert verify(instance, plan).outcome is CheckOutcome.CONFIRMED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topology", "shape", "speed"),
    [
        ("torus", {"dims": [4, 4, 4]}, Fraction(128, 21)),
        ("bigraph", {"switches": 8, "accelerators": 64}, Fraction(64, 63)),
        ("fat-tree", {"ports": 6}, Fraction(54, 53)),
    ],
)
def test_known_optima_of_larger_arrays_are_reached_by_trees(topology, shape, speed):
    instance = collective_of(topology, **shape, **UNIT)
    plan = solve(instance)
    assert (plan.status, instance.bytes_ / plan.objective) == ("OPTIMAL", speed)


def test_a_dgx_1_has_seven_sixths_of_a_chunk_on_each_link():
    instance = load("dgx-1-trees")
    plan = solve(instance)
    assert instance.bytes_ / plan.objective == Fraction(48, 7) * 25_000_000_000
    assert verify(instance, plan).outcome is CheckOutcome.CONFIRMED


def _random(seed):
    """Return a random array with switches, and a group on it."""
    draw = Random(seed)
    accelerators, switches = draw.randint(2, 5), draw.randint(0, 2)
    names = [f"a{i}" for i in range(accelerators)] + [f"s{i}" for i in range(switches)]
    ends = [(names[i], draw.choice(names[:i])) for i in range(1, len(names))]
    pairs = list(combinations(names, 2))
    ends += [
        pair for pair in draw.sample(pairs, draw.randint(0, len(pairs))) if pair not in ends and pair[::-1] not in ends
    ]
    links = [{"ends": list(pair), "bandwidth": draw.choice([1, 2, 3])} for pair in ends]
    nodes = [{"name": name, "kind": "switch" if name[0] == "s" else "accelerator"} for name in names]
    group = draw.sample(names[:accelerators], draw.randint(2, accelerators))
    return {"graph": {"nodes": nodes, "links": links}, "group": group, "chunks": draw.randint(1, 2)}


def _worst_cut(instance):
    """Return the greatest time of any cut, over all sets of nodes."""
    machine = instance.machine
    worst = Fraction(0)
    for mask in range(1, 2 ** len(machine.names) - 1):
        inside = {node for node in range(len(machine.names)) if mask >> node & 1}
        needed = sum(bool(inside & {*one.targets}) and not {*one.sources} <= inside for one in instance.chunks)
        carried = sum(
            link.bandwidth for hop, link in machine.link_of.items() if hop[1] in inside and hop[0] not in inside
        )
        if needed:
            worst = max(worst, needed * instance.chunk_bytes / carried)
    return worst


@each("seed", range(60), quick=12)
def test_trees_reach_the_worst_of_all_cuts(seed):
    said = _random(seed)
    for collective in ("all-gather", "reduce-scatter", "broadcast"):
        root = {"root": said["group"][0]} if collective == "broadcast" else {}
        instance = collective_of("custom", collective, objective="bandwidth", **said, **root)
        plan = solve(instance)
        worst = _worst_cut(instance)
        # the objective is the busiest link's: that none has more is what the evaluator recounts
        assert (plan.status, plan.objective, plan.bound) == ("OPTIMAL", worst, worst), plan.native_status
        assert verify(instance, plan).outcome is CheckOutcome.CONFIRMED


@each("seed", range(60), quick=8)
def test_all_reduces_are_no_better_than_their_bound(seed):
    instance = collective_of("custom", "all-reduce", objective="bandwidth", **_random(seed))
    plan = solve(instance)
    assert plan.objective >= plan.bound >= _worst_cut(instance)
    assert verify(instance, plan).outcome is CheckOutcome.CONFIRMED


@pytest.mark.parametrize("name", ["ring", "multitree"])
@pytest.mark.parametrize("collective", ["all-gather", "reduce-scatter", "all-reduce", "broadcast"])
def test_other_trees_take_part(name, collective):
    root = {"root": "a3"} if collective == "broadcast" else {}
    instance = collective_of("mesh", collective, dims=[2, 3], chunks=2, **UNIT, **root)
    plan = solve(instance, name)
    assert plan.objective >= solve(instance).objective >= plan.bound
    assert verify(instance, plan).outcome is CheckOutcome.CONFIRMED


def test_a_ring_is_a_packing():
    assert solve(collective_of("fat-tree", ports=4, **UNIT), "ring").status == "OPTIMAL"


def test_others_decline_and_name_it():
    instance = collective_of("torus", dims=[2, 2], **UNIT)
    for name in ("collective-cp-sat", "collective-milp", "shifted-trees"):
        with pytest.raises(Refusal, match="a tree of its own; try forestcoll"):
            solve(instance, name)
    with pytest.raises(Refusal, match="here it is steps; try multitree"):
        solve(replace(instance, goal="steps"), "forestcoll")
