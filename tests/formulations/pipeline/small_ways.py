"""Random small pipelines whose operators may be done in several ways, and all their plans tried."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product
from random import Random

from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.instance.pipeline import OperatorWay, StageDevices
from tests.formulations.pipeline.small_pipelines import random_schedule


def random_ways(seed, *, most=4):
    """Return a pipeline some of whose operators can be split over two devices, and compute activations anew."""
    draw, instance = Random(f"{seed} ways"), random_schedule(seed, most=most)
    recompute = draw.choice(("never", "operators", "operators", "stages"))
    degrees = draw.choice(((), (2,)))
    gradients = "each-batch" if instance.microbatches and draw.random() < 0.4 else "each-sample"
    operators = _with_bytes(draw, [replace(one, activations=one.activations * 2) for one in instance.operators])
    return replace(
        instance,
        operators=tuple(_with_ways(draw, one, degrees, recompute) for one in operators),
        kinds=tuple(replace(one, memory=Fraction(draw.randint(5, 14))) for one in instance.kinds),
        recompute=recompute,
        gradients=gradients,
    )


def _with_bytes(draw, operators):
    """Return the operators, some of which have bytes of their own of what they read."""
    alone = {(one.name, read) for one in operators for read in one.reads if draw.random() < 0.3}
    return [
        replace(
            one,
            read_bytes={read: Fraction(draw.randint(0, 3)) for read in one.reads if (one.name, read) in alone},
            sent_bytes={
                reader: Fraction(draw.randint(0, 3))
                for reader, read in sorted(alone)
                if read == one.name and draw.random() < 0.5
            },
        )
        for one in operators
    ]


def _with_ways(draw, operator, degrees, recompute):
    plain, ways = operator.way(), {}
    for degree in (1, *degrees):
        if degree > 1 and draw.random() < 0.2:
            continue  # cannot be split
        way = plain if degree == 1 else _split(draw, plain)
        if degree > 1:
            ways[degree, False] = way
        anew = way.anew(Fraction(draw.randint(0, 2)))
        if draw.random() < 0.3:
            anew = replace(anew, activations=Fraction(0), memory=Fraction(draw.randint(0, 3)))
        if recompute != "never" and operator.phase == "forward" and draw.random() < 0.8 and anew.spares(way):
            ways[degree, True] = anew
    return replace(operator, ways=ways)


def _split(draw, plain):
    share = Fraction(draw.choice((1, 2, 3)), 3)
    return OperatorWay(
        {kind: one * share for kind, one in plain.seconds.items()},
        plain.backward,
        plain.memory * share,
        plain.activations * share,
        plain.parameters / 2,
        {name: one + draw.randint(0, 1) for name, one in plain.read_bytes.items()},
        {name: one + draw.randint(0, 1) for name, one in plain.sent_bytes.items()},
    )


def best_of_all_ways(instance):
    """Return the least objective of all plans; None where there is none."""
    values = (found.objective for found in all_ways(instance) if found.fault is None)
    return min(values, default=None)


def all_ways(instance):
    """Yield plans, stages that are alike in one order; with activations computed anew where they do not fit else.

    That is never quicker here.
    """
    classes = {}
    for one in instance.operators:
        classes.setdefault(one.together or f" {one.name}", []).append(one.name)
    options = [
        (kind, tensor, replicas)
        for kind in instance.kinds
        for tensor in instance.degrees
        for replicas in range(1, kind.count // tensor + 1)
        if instance.may_be_replicas(kind, replicas)
    ]
    slots = [(way, number) for way in options for number in range(way[0].count // (way[1] * way[2]))]
    for chosen in product(slots, repeat=len(classes)):
        devices = _placed(chosen)
        if devices is None:
            continue
        both = zip(classes.values(), chosen, strict=True)
        plan = JudgedPipeline(instance, {name: devices[slot] for own, slot in both for name in own})
        yield plan
        if (plan.fault or "").startswith("memory"):
            able = [
                one.name
                for one in instance.operators
                if one.way(plan.devices_of[one.name].tensor, anew=True) is not None
            ]
            for anew in chain.from_iterable(combinations(able, count) for count in range(1, len(able) + 1)):
                yield replace(plan, anew=frozenset(anew))


def _placed(chosen):
    """Return the devices of slots taken in order; None where slots are left out, or devices are too few."""
    taken, opened, devices = {}, {}, {}
    for slot in chosen:
        if slot in devices:
            continue
        (kind, tensor, replicas), number = slot
        if number != opened.get(slot[0], 0):
            return None
        opened[slot[0]] = number + 1
        first, count = taken.get(kind.name, 0), tensor * replicas
        if first + count > kind.count:
            return None
        taken[kind.name] = first + count
        devices[slot] = StageDevices(kind.name, first + 1, count, tensor)
    return devices
