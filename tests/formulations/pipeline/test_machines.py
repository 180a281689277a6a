"""Devices in machines: the nested programmes against all plans, recounted level by level."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from small_pipelines import placed, random_pipeline

from hypar_opt import solve
from hypar_opt.evaluation.pipeline_machines import judge_pipeline
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator, StageDevices
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.util.errors import Refusal
from tests.helpers import each


def in_machines(seed):
    """Return a random pipeline of few operators on up to two machines with up to two devices each, and others."""
    draw = Random(seed)
    flat = random_pipeline(seed, most=4)
    inside = [replace(kind, count=min(kind.count, 2), replicas=min(kind.replicas, 2)) for kind in flat.kinds[:2]]
    machine = DeviceKind(
        "machine",
        draw.randint(1, 2),
        None,
        draw.choice((None, Fraction(1), Fraction(1, 2))),
        draw.randint(1, 2),
        tuple(inside),
    )
    machine = replace(machine, replicas=min(machine.replicas, machine.count))
    if seed % 5 == 0:  # three levels
        machine = DeviceKind("rack", 1, None, Fraction(1, 3), 1, (machine,))
    names = {kind.name for kind in inside}
    beside = [kind for kind in flat.kinds[2:] if draw.random() < 0.5]
    names |= {kind.name for kind in beside}
    operators = tuple(
        replace(
            one,
            seconds={name: own for name, own in one.seconds.items() if name in names} or {inside[0].name: Fraction(1)},
            backward={},
            activations=Fraction(0),
            ways={},
            read_bytes={},
            sent_bytes={},
        )
        for one in flat.operators
    )
    return PipelineInstance(
        flat.name, "", operators, (machine, *beside), flat.overlapped, stages=draw.choice((None, None, 1))
    )


def all_plans(kinds, classes):
    """Yield the devices of operators by all stages on kinds, those inside of machines included."""
    ways = [(kind, count) for kind in kinds for count in range(1, kind.replicas + 1)]
    slots = [(way, number) for way in ways for number in range(way[0].count // way[1])]
    for chosen in product(slots, repeat=len(classes)):
        devices = placed(chosen)
        if devices is None:
            continue
        held = {}
        for own, slot in zip(classes, chosen, strict=True):
            held.setdefault(slot, []).append(own)
        inner = [list(within(slot[0][0], devices[slot], own)) for slot, own in held.items()]
        for parts in product(*inner):
            yield {name: one for part in parts for name, one in part.items()}


def within(kind, devices, classes):
    """Yield the devices of the operators of one stage, with all that can be inside."""
    if not kind.inside:
        yield {name: devices for own in classes for name in own}
        return
    for plan in all_plans(kind.inside, classes):
        yield {name: replace(devices, inside=one) for name, one in plan.items()}


@each("seed", range(60), quick=8)
def test_the_best_of_all_nested_plans(seed):
    instance = in_machines(seed)
    classes = {}
    for one in instance.operators:
        classes.setdefault(one.together or f" {one.name}", []).append(one.name)
    judged = (judge_pipeline(instance, plan) for plan in all_plans(instance.kinds, list(classes.values())))
    best = min((one.objective for one in judged if one.fault is None), default=None)
    plan = solve(instance)
    assert (plan.status == "INFEASIBLE") == (best is None)
    assert best is None or (plan.proven and plan.objective == best)


def machines(count=2, inside=2, bandwidth=1):
    gpu = DeviceKind("gpu", inside, None, Fraction(10), inside)
    return DeviceKind("machine", count, None, Fraction(bandwidth), count, (gpu,))


def chain(*seconds, kinds, **others):
    operators = tuple(
        PipelineOperator(f"o{i}", "forward", {"gpu": Fraction(own)}, (f"o{i - 1}",)[: i > 0], Fraction(1))
        for i, own in enumerate(seconds)
    )
    return PipelineInstance("chain", "", operators, kinds, True, **others)


def test_machines_with_all_links_alike_are_no_worse_than_one_row_of_devices():
    nested = chain(8, 4, 4, kinds=(machines(bandwidth=10),))
    flat = replace(nested, kinds=(replace(machines().inside[0], count=4, replicas=4),))
    assert solve(nested).objective >= solve(flat).objective


def test_what_is_inside_is_recounted():
    instance = chain(8, 4, 4, kinds=(machines(),))
    one, two = (StageDevices("machine", 1, 2, inside=StageDevices("gpu", number)) for number in (1, 2))
    judged = judge_pipeline(instance, {"o0": one, "o1": two, "o2": two})
    # 8 on one device of each of two machines, a half of the samples each; the link between devices takes a tenth
    assert (judged.fault, judged.objective) == (None, 4)
    [stage] = judged.stages
    assert [(str(own.devices), own.seconds) for own in judged.within(stage)] == [
        ("machine 1-2 / gpu 1", 8), ("machine 1-2 / gpu 2", 8),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ((StageDevices("gpu", 1, 2), StageDevices("gpu", 2)), "gpu 2 is one of gpu 1-2 and of gpu 2"),
        ((StageDevices("gpu", 3), StageDevices("gpu", 1)), "there is no gpu 3: gpu are 2"),
    ],
)
def test_what_is_wrong_inside(inside, said):
    instance = chain(8, 4, kinds=(machines(1),))
    plan = {f"o{i}": StageDevices("machine", 1, inside=one) for i, one in enumerate(inside)}
    assert judge_pipeline(instance, plan).fault == f"inside of machine 1: {said}"


def test_memory_is_of_the_devices_inside():
    gpu = replace(machines().inside[0], memory=Fraction(1))
    instance = chain(8, 4, 4, kinds=(replace(machines(1), inside=(gpu,)),))
    heavy = tuple(replace(one, memory=Fraction(1)) for one in instance.operators)
    plan = solve(replace(instance, operators=heavy))
    assert plan.status == "INFEASIBLE"
    assert plan.note.startswith("memory: operators keep 3 bytes, and all devices together have 2; enough would be")


def test_others_say_who_takes_machines():
    with pytest.raises(Refusal, match="try pipeline-dp"):
        solve(chain(8, 4, kinds=(machines(),)), "pipeline-cp-sat")


def test_more_pairs_than_there_is_room_for():
    apart = tuple(PipelineOperator(f"o{i}", "forward", {"gpu": Fraction(1)}) for i in range(12))
    with pytest.raises(Refusal, match="times of all pairs of down-sets, and this order has more than 1,000"):
        solve(PipelineInstance("wide", "", apart, (machines(),)))


def test_plans_are_read_as_they_are_written():
    problem = PipelineProblem(chain(8, 4, 4, kinds=(machines(),)))
    plan = solve(problem)
    assert problem.judged(plan.strategies).objective == plan.objective
    assert problem.graph.feasible(problem.choices(plan.strategies))
