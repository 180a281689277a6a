"""Drawn schedules of drawn collectives: whatever is sent at random until all is where it has to be."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from random import Random

from hypothesis import strategies as st

from hypar_opt.evaluation.collective import JudgedCollective
from hypar_opt.instance.collective import Send, SendSchedule
from tests.collectives import collective_of

ARRAYS = (
    ("ring", {"accelerators": 3}),
    ("ring", {"accelerators": 5}),
    ("mesh", {"dims": [2, 3]}),
    ("mesh", {"dims": [4]}),
    ("torus", {"dims": [3, 3]}),
    ("hypercube", {"levels": 3}),
)
"""Without switches."""
SWITCHED = (("bigraph", {"switches": 2, "accelerators": 4}), ("star", {"levels": 2}), ("star", {"levels": 1}))


@st.composite
def judged(draw, arrays=ARRAYS, goal="steps", latency=True):
    """Draw a collective and a schedule of it, in which nothing is wrong."""
    topology, shape = draw(st.sampled_from(arrays))
    collective = draw(st.sampled_from(["all-gather", "reduce-scatter", "all-reduce", "all-to-all"]))
    link = {"bandwidth": draw(st.integers(1, 9)), "latency": Decimal(draw(st.integers(0, 300)) if latency else 0) / 100}
    instance = collective_of(
        topology,
        collective,
        bytes=draw(st.integers(100, 10_000)),
        chunks=draw(st.integers(1, 2)) if collective == "all-gather" else 1,
        link=link,
        objective=goal,
        **shape,
        **({"steps": 99} if goal == "rounds" else {}),
    )
    found = JudgedCollective(instance, _drawn(instance, Random(draw(st.integers(0, 999)))))
    assert found.fault is None, found.fault
    return found


def _drawn(instance, rng):
    summed, one_target = instance.chunks[0].summed, len(instance.chunks[0].targets) == 1
    if not summed:
        return SendSchedule(tuple(_gossip(instance, [one.sources for one in instance.chunks], rng)))
    # a reduction is a gathering backwards
    homes = [one.targets if one_target else (one.sources[number],) for number, one in enumerate(instance.chunks)]
    gathered = _gossip(instance, homes, rng)
    last = max(one.end for one in gathered)
    added = [Send(one.chunk, one.route[::-1], last - one.end, last - one.begin, adds=True) for one in gathered]
    after = [] if one_target else _gossip(instance, homes, rng)
    return SendSchedule((*added, *(one._replace(begin=one.begin + last, end=one.end + last) for one in after)))


def _gossip(instance, homes, rng):
    """Return sends by which every chunk gets from its home to all that have to do with it; no step is empty."""
    held, step, sends = [set(home) for home in homes], 0, []
    wanted = [set(one.targets) | (set(one.sources) if one.summed else set()) for one in instance.chunks]
    room = 2 if instance.goal == "rounds" else 1
    routes = list(_routes(instance.machine))
    while any(want - have for want, have in zip(wanted, held, strict=True)):
        new, load = [], {}
        for route in rng.sample(routes, len(routes)):
            hops = list(pairwise(route))
            going = {(one.chunk, one.route[-1]) for one in new}
            can = [
                chunk
                for chunk, have in enumerate(held)
                if route[0] in have and route[-1] not in have and (chunk, route[-1]) not in going
            ]
            if can and rng.random() < 0.7 and all(load.get(hop, 0) < room for hop in hops):
                load.update({hop: load.get(hop, 0) + 1 for hop in hops})
                new.append(Send(rng.choice(can), route, step, step + 1))
        for one in new:
            held[one.chunk].add(one.route[-1])
        sends, step = [*sends, *new], step + bool(new)
    return sends


def _routes(machine):
    """Yield all ways from an accelerator to another through switches alone."""
    count, after = len(machine.accelerators), {}
    for link in machine.links:
        for one, other in (link.ends, link.ends[::-1]):
            after.setdefault(one, []).append(other)
    waiting = [(node,) for node in range(count)]
    for route in waiting:
        for other in after[route[-1]]:
            if other in route:
                continue
            if other < count:
                yield (*route, other)
            elif len(route) < 6:
                waiting.append((*route, other))


def step_seconds(found, size):
    """Return what a step of equal links takes: the most latency of its routes, and a chunk's bytes on a link."""
    machine = found.instance.machine
    (bandwidth,) = {link.bandwidth for link in machine.links}
    slowest = {}
    for one in found.schedule.sends:
        latency = sum((machine.link_of[hop].latency for hop in pairwise(one.route)), Fraction(0))
        slowest[one.end] = max(slowest.get(one.end, Fraction(0)), latency)
    return [latency + size / bandwidth for _, latency in sorted(slowest.items())]
