"""Random small pipelines, and all their plans tried."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator, StageDevices


def random_pipeline(seed, *, most=6):
    """Return a pipeline of 2 to `most` operators on up to four devices of up to three kinds."""
    draw = Random(seed)
    kinds = _kinds(draw)
    goal = draw.choice(("slowest-stage", "slowest-stage", "latency", "batch-time"))
    return PipelineInstance(
        f"random-{seed}",
        "",
        _operators(draw, kinds, draw.randint(2, most)),
        kinds,
        draw.random() < 0.4,
        draw.random() < 0.6,
        goal,
        draw.randint(1, 5) if goal == "batch-time" else None,
    )


def random_schedule(seed, *, most=6):
    """Return a pipeline whose stages keep what is in flight by some schedule, in memories that are mostly tight."""
    draw, instance = Random(f"{seed} in flight"), random_pipeline(seed, most=most)
    schedule = draw.choice(("gpipe", "1f1b", "1f1b", "pipedream"))
    batch = schedule == "gpipe" or instance.goal == "batch-time" or draw.random() < 0.5
    operators = (
        replace(one, activations=Fraction(draw.choice((0, 1, 1, 2, 3)), draw.choice((1, 1, 2))))
        for one in instance.operators
    )
    return replace(
        instance,
        operators=tuple(operators),
        kinds=tuple(replace(one, memory=draw.choice((None, *map(Fraction, range(3, 13))))) for one in instance.kinds),
        contiguous=instance.contiguous or schedule != "gpipe",
        goal="latency" if instance.goal == "batch-time" and schedule != "pipedream" else instance.goal,
        microbatches=draw.randint(1, 5) if batch else None,
        schedule=schedule,
    )


def either(seed, *, most=6):
    """Return a pipeline that counts what is in flight, or of odd seeds one that does not."""
    return random_pipeline(seed, most=most) if seed % 2 else random_schedule(seed, most=most)


def _kinds(draw):
    kinds, left = [], 4
    for name in ("a", "b", "c")[: draw.choice((1, 1, 2, 2, 3))]:
        count = draw.randint(1, min(3, left - 2 + len(kinds)) if left > 2 else 1)
        left -= count
        memory = draw.choice((None, None, Fraction(draw.randint(2, 9))))
        bandwidth = draw.choice((None, Fraction(1), Fraction(2), Fraction(1, 3)))
        kinds.append(DeviceKind(name, count, memory, bandwidth, min(draw.choice((1, 1, 2, 3)), count)))
    return tuple(kinds)


def _operators(draw, kinds, count):
    """Return a chain or a graph, the last ones of the backward phase, some with a mate that they stand with."""
    forward = count if draw.random() < 0.6 else draw.randint(1, count - 1)
    chain = draw.random() < 0.4
    found = []
    for place in range(count):
        backward = place >= forward
        before = [f"o{place - 1}"][:place] if chain else [f"o{i}" for i in range(place) if draw.random() < 0.4]
        mate = 2 * forward - 1 - place
        together = None
        if backward and mate >= 0 and draw.random() < 0.6:
            together, before = f"o{mate}", [*before, f"o{mate}"]
        elif draw.random() < 0.15:
            together = f"o{draw.randrange(count)}"
        able = [kind.name for kind in kinds if draw.random() < 0.85] or [draw.choice(kinds).name]
        idle = draw.random() < 0.25
        found.append(
            PipelineOperator(
                f"o{place}",
                "backward" if backward else "forward",
                {name: Fraction(0 if idle else draw.randint(0, 6)) for name in able},
                tuple(dict.fromkeys(before)),
                Fraction(draw.choice((0, 1, 1, 2, 5))),
                Fraction(draw.choice((0, 1, 2, 3))),
                Fraction(draw.choice((0, 0, 1, 4))),
                together,
                {name: Fraction(draw.randint(0, 4)) for name in able}
                if forward == count and draw.random() < 0.3
                else {},
            )
        )
    mates = {one.together for one in found}
    return tuple(
        PipelineOperator(**{**vars(one), "together": one.name}) if one.name in mates and one.together is None else one
        for one in found
    )


def best_of_all(instance):
    """Return the least objective of all plans; None where there is none."""
    values = (found.objective for found in all_plans(instance) if found.fault is None)
    return min(values, default=None)


def all_plans(instance):
    """Yield every plan whose operators stand together where they have to, stages that are alike in one order."""
    classes = {}
    for one in instance.operators:
        classes.setdefault(one.together or f" {one.name}", []).append(one.name)
    ways = [(kind, count) for kind in instance.kinds for count in range(1, kind.replicas + 1)]
    slots = [(way, number) for way in ways for number in range(way[0].count // way[1])]
    for chosen in product(slots, repeat=len(classes)):
        devices = placed(chosen)
        if devices is not None:
            both = zip(classes.values(), chosen, strict=True)
            yield JudgedPipeline(instance, {name: devices[slot] for own, slot in both for name in own})


def placed(chosen):
    """Return the devices of slots taken in order; None where slots are left out, or devices are too few."""
    taken, opened, devices = {}, {}, {}
    for slot in chosen:
        if slot in devices:
            continue
        (kind, count), number = slot
        if number != opened.get(slot[0], 0):
            return None
        opened[slot[0]] = number + 1
        first = taken.get(kind.name, 0)
        if first + count > kind.count:
            return None
        taken[kind.name] = first + count
        devices[slot] = StageDevices(kind.name, first + 1, count)
    return devices
