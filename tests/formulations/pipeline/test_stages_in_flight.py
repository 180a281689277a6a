"""Memory of microbatches in flight: known plans, and what counts it left out."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import ceil
from random import Random

import numpy as np
import pytest
from helpers import each

from formulations.flow_model import refinement
from formulations.pipeline.cp_sat import model as cp_sat
from formulations.pipeline.down_sets.room import InFlightRoom
from formulations.pipeline.milp import model as milp
from hypar_opt import Limits, solve
from hypar_opt.costgraph.pipeline import StageGraph, StageOption
from hypar_opt.costgraph.pipeline.option import integers
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
from hypar_opt.solver.pipeline_problem import PipelineProblem

EXACT = ("pipeline-dp", "pipeline-cp-sat", "pipeline-milp")
ONE = Fraction(1)


def chain(count, *kinds, memory=1, activations=2, parameters=0, **others):
    """Return equal operators one after the other, of a second on each kind of device."""
    operators = tuple(
        PipelineOperator(
            f"o{place}", "forward", {kind.name: ONE for kind in kinds}, (f"o{place - 1}",) if place else (),
            memory=Fraction(memory), parameters=Fraction(parameters), activations=Fraction(activations),
        )
        for place in range(count)
    )  # fmt: skip
    return PipelineInstance("chain", "", operators, kinds, **{"schedule": "1f1b", **others})


def sizes(plan, instance):
    return [len(stage.operators) for stage in PipelineProblem(instance).judged(plan.strategies).stages]


# three stages keep three, two and one microbatch of 2 bytes an operator
@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize(
    ("memory", "others", "expected"),
    [
        (9, {}, [1, 1, 3]),  # 7, 5 and 9 bytes
        (14, {}, [2, 1, 2]),  # 14, 5 and 6
        (9, {"microbatches": 2}, [1, 1, 3]),
        (10, {"microbatches": 2}, [2, 2, 1]),  # 10, 10 and 3
        (6, {"microbatches": 1}, [2, 2, 1]),
        (11, {"schedule": "pipedream", "parameters": 1}, [1, 1, 3]),  # 9, 6 and 9: two versions and one more are kept
        (14, {"schedule": "gpipe", "microbatches": 3}, [2, 2, 1]),
    ],
)
def test_the_first_stages_have_fewer_operators(memory, others, expected, name):
    instance = chain(5, DeviceKind("gpu", 3, Fraction(memory)), **others)
    plan = solve(instance, name, limits=Limits(workers=1))
    assert (plan.proven, plan.objective) == (True, max(expected))
    assert sorted(sizes(plan, instance)) == sorted(expected)


REPLICATED = chain(6, DeviceKind("gpu", 3, Fraction(16), replicas=2), activations=3)
"""One, two and three operators: 10, 14 and 12 bytes; two in front of four on two replicas keep three microbatches."""
WITHOUT = {
    "pipeline-dp": lambda monkeypatch: monkeypatch.setattr(
        InFlightRoom, "between", lambda self, one, others: [None] * len(self.graph.options)
    ),
    "pipeline-cp-sat": lambda monkeypatch: leave_out(monkeypatch, cp_sat, "in_flight"),
    "pipeline-milp": lambda monkeypatch: leave_out(monkeypatch, milp, "behind"),
}


def leave_out(monkeypatch, model, name):
    kept = tuple(family for family in model.FAMILIES if family.__name__ != name)
    assert len(kept) == len(model.FAMILIES) - 1
    monkeypatch.setattr(model, "FAMILIES", kept)


@pytest.mark.parametrize("name", EXACT)
def test_what_counts_what_is_in_flight_is_needed(name, monkeypatch):
    monkeypatch.setattr(refinement, "ROUNDS", 1)  # else plans that the model allows and nobody else are cut off singly
    assert solve(REPLICATED, name, limits=Limits(workers=1)).objective == 3
    WITHOUT[name](monkeypatch)
    assert not solve(REPLICATED, name, limits=Limits(workers=1)).proven


@pytest.mark.parametrize("name", EXACT)
def test_nobody_takes_one_microbatch_for_all(name, monkeypatch):
    instance = chain(5, DeviceKind("gpu", 3, Fraction(9)))
    monkeypatch.setattr(refinement, "ROUNDS", 1)
    monkeypatch.setattr(StageGraph, "microbatches", lambda self, replicas, behind: 1)
    assert not solve(instance, name, limits=Limits(workers=1)).proven


def test_replicas_have_the_replicas_behind_them_by_turns():
    kind = DeviceKind("gpu", 4, Fraction(10), replicas=3)
    judged = PipelineProblem(chain(4, kind)).judged
    names, found = [f"o{place}" for place in range(4)], []
    for devices in (["gpu 1-3"] * 2 + ["gpu 4"] * 2, ["gpu 1"] + ["gpu 2-4"] * 3, ["gpu 1-2"] * 2 + ["gpu 3-4"] * 2):
        plan = judged(dict(zip(names, devices, strict=True)))
        found.append([(stage.behind, stage.in_flight, stage.memory) for stage in plan.stages])
    assert found == [
        [(4, 2, 10), (1, 1, 6)],  # ceil(4 / 3)
        [(4, 4, 9), (3, 1, 9)],
        [(4, 2, 10), (2, 1, 6)],
    ]


def split(seed):
    """Return a graph whose stages are on one device, on two replicas, or on two devices that are one replica."""
    draw = Random(seed)
    count = draw.randint(3, 4)
    sizes = [draw.randint(1, 9) for _ in range(count)]
    order = tuple((a, b) for b in range(count) for a in range(b) if draw.random() < 0.5)
    none, every = integers([]), np.ones(count, dtype=bool)
    usages, further = ([draw.randint(0, 4) for _ in range(count)] for _ in range(2))
    options = tuple(
        StageOption(0, devices, integers([60 * size // devices + size for size in sizes]), none, integers(own),
                    draw.randint(8, 20), every, integers([use * replicas // devices for use in further]), replicas)
        for devices, replicas, own in ((1, 1, usages), (2, 2, usages), (2, 1, [-(-use // 2) for use in usages]))
    )  # fmt: skip
    names = tuple(f"g{group}" for group in range(count))
    return StageGraph(names, order, none, (), (4,), options, in_flight=draw.randint(2, 4))


@each("seed", range(40), quick=8)
def test_devices_that_are_one_replica_against_all_plans(seed):
    graph = split(seed)
    plans = product(range(len(graph.slots)), repeat=graph.groups)
    values = {graph.value(one) for one in plans if fits_in_some_order(graph, one)}
    for name in EXACT:
        run = Run(name, Limits(workers=1))
        found = load_formulation(name).solve(graph, run)
        assert (name, found.choices and graph.value(found.choices)) == (name, min(values, default=None))


def fits_in_some_order(graph, choices):
    """Return whether slots in some order keep the groups' order, and all that they hold fits, by the definitions."""
    own = {slot: [group for group, at in enumerate(choices) if at == slot] for slot in choices}
    option = {slot: graph.options[graph.slots[slot].option] for slot in own}
    if sum(one.devices for one in option.values()) > graph.counts[0]:
        return False
    for order in permutations(own):
        place = {slot: number for number, slot in enumerate(order)}
        behind = [sum(option[slot].replicas for slot in order[number:]) for number in range(len(order))]
        kept = [
            sum(
                option[slot].usages[group]
                + (min(graph.in_flight, ceil(behind[place[slot]] / option[slot].replicas)) - 1)
                * option[slot].activations[group]
                for group in own[slot]
            )
            for slot in order
        ]
        ordered = all(place[choices[a]] <= place[choices[b]] for a, b in graph.order)
        if ordered and all(used <= option[slot].capacity for used, slot in zip(kept, order, strict=True)):
            return True
    return False
