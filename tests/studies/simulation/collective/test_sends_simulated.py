"""Schedules in lockstep take what sums say; in the plan's order no longer; greedily perhaps."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt import solve
from hypar_opt.evaluation.collective import JudgedCollective
from hypar_opt.instance.collective import Send, SendSchedule
from hypar_opt.solver.collective_problem import CollectiveProblem
from hypar_opt.studies.simulation import Options
from hypar_opt.studies.simulation.collective import SENDS, MessageFormat, simulate_collective
from hypar_opt.util.errors import InputError, Refusal
from tests.collectives import collective_of
from tests.studies.simulation.collective.gossip import ARRAYS, SWITCHED, judged, step_seconds

FORMATS = st.none() | st.builds(MessageFormat, st.integers(1, 300), st.none() | st.integers(1, 9), st.integers(0, 2))


@given(judged((*ARRAYS, *SWITCHED)), FORMATS, st.booleans())
def test_lockstep_is_the_sum_of_its_steps(found, message, contention):
    simulated = simulate_collective(found, "lockstep", message, Options(contention=contention))
    steps = step_seconds(found, simulated.bytes_on_link)
    assert simulated.time == simulated.analytic == sum(steps)
    assert simulated.waiting.sends == 0
    if len(set(steps)) == 1:  # no switches: the latency of one link
        assert simulated.time == found.steps * steps[0]


@given(judged((*ARRAYS, *SWITCHED)), FORMATS)
def test_in_the_order_of_the_plan_no_send_is_later_than_in_lockstep(found, message):
    by_steps, by_order = (simulate_collective(found, one, message).simulation for one in ("lockstep", "in-order"))
    when = [Fraction(end, by_steps.field.clock.unit) for end in by_steps.ends]
    assert all(
        Fraction(end, by_order.field.clock.unit) <= limit for end, limit in zip(by_order.ends, when, strict=True)
    )
    path = by_order.critical_path
    assert [path[0].begin, path[-1].end] == [0, by_order.end]
    assert all(one.end == other.begin for one, other in pairwise(path))


@given(judged(goal="rounds"), st.data())
def test_nor_are_steps_where_links_are_unlike_and_carry_several(found, data):
    # a link's chunks of a step follow each other without another latency
    machine = found.instance.machine
    links = tuple(replace(link, bandwidth=data.draw(st.integers(1, 5))) for link in machine.links)
    found = replace(found, instance=replace(found.instance, machine=replace(machine, links=links)))
    lockstep = simulate_collective(found, "lockstep")
    assert lockstep.time == found.seconds
    assert simulate_collective(found, "in-order").time <= lockstep.time


@given(judged(latency=False), st.sampled_from(["in-order", "greedy"]))
def test_what_happens_is_a_schedule(found, sending):
    simulated = simulate_collective(found, sending).simulation
    sends = [
        Send(
            _chunk(found, task),
            task.route,
            *(Fraction(one, simulated.field.clock.unit) for one in when),
            task.phase == "sum",
        )
        for task, *when in zip(simulated.graph.tasks, simulated.begins, simulated.ends, strict=True)
    ]
    again = JudgedCollective(replace(found.instance, goal="time"), SendSchedule(tuple(sends)))
    assert again.fault is None
    assert again.seconds == simulated.time >= simulated.floor


def _chunk(found, task):
    return next(number for number, one in enumerate(found.instance.chunks) if task.part.startswith(f"{one.name}, "))


@settings(max_examples=10)
@given(st.data(), st.sampled_from(["single", "joined"]), st.sampled_from(["mesh", "star"]))
def test_plans_in_seconds_take_their_time_or_less(data, messages, topology):
    shape = {"dims": [2, 3]} if topology == "mesh" else {"levels": 2}
    link = {"bandwidth": 7, "latency": Decimal(data.draw(st.integers(0, 30))) / 10}
    instance = collective_of(
        topology, "all-reduce", bytes=120, chunks=2, objective="time", messages=messages, link=link, **shape
    )
    found = CollectiveProblem(instance).judged(solve(instance, "multitree").strategies)
    assert found.fault is None
    simulated = simulate_collective(found, "in-order")
    assert simulated.time <= simulated.analytic == found.seconds


def test_greedy_sends_may_take_longer_than_lockstep():
    # chunks of ends go first in the plan, and at the ends the middle's would go first by their numbers
    instance = collective_of("mesh", "all-to-all", dims=[3], bytes=6, link={"bandwidth": 1})
    chunks = {one.name: number for number, one in enumerate(instance.chunks)}
    plan = (
        ("a0>a2", (0, 1), 1), ("a2>a0", (2, 1), 1), ("a1>a2", (1, 2), 1), ("a1>a0", (1, 0), 1),
        ("a0>a2", (1, 2), 2), ("a2>a0", (1, 0), 2), ("a0>a1", (0, 1), 2), ("a2>a1", (2, 1), 2),
    )  # fmt: skip
    sends = tuple(Send(chunks[name], route, step - 1, step) for name, route, step in plan)
    found = JudgedCollective(instance, SendSchedule(sends))
    assert found.fault is None
    assert [simulate_collective(found, one).time for one in SENDS] == [2, 2, 3]


@settings(max_examples=8)
@given(st.sampled_from(ARRAYS), st.integers(0, 2), st.integers(0, 9))
def test_greedy_sends_of_one_chunk_never_wait(array, root, latency):
    topology, shape = array
    link = {"bandwidth": 3, "latency": Decimal(latency) / 4}
    instance = collective_of(topology, "broadcast", root=f"a{root}", bytes=12, link=link, **shape)
    found = CollectiveProblem(instance).judged(solve(instance, "multitree").strategies)
    times = [simulate_collective(found, one) for one in SENDS]
    assert times[2].time == times[1].time <= times[0].time
    assert times[2].waiting.sends == 0


def test_latency_passes_behind_what_a_link_carries():
    # two chunks over one link: 2 + 2 s on it, 3 s behind; the second leaves while the first is on its way
    instance = collective_of(
        "mesh", "broadcast", root="a0", dims=[2], chunks=2, bytes=4, link={"bandwidth": 1, "latency": 3}
    )
    found = JudgedCollective(instance, SendSchedule((Send(0, (0, 1), 0, 1), Send(1, (0, 1), 1, 2))))
    assert [simulate_collective(found, one).time for one in SENDS] == [10, 7, 7]
    assert simulate_collective(found, "in-order").waiting.longest == 2


def test_what_cannot_be_simulated():
    instance = collective_of("mesh", "broadcast", root="a0", dims=[2], bytes=4, objective="time", link={"bandwidth": 1})
    timed = JudgedCollective(instance, SendSchedule((Send(0, (0, 1), 0, 4),)))
    assert simulate_collective(timed, "in-order").time == 4
    with pytest.raises(Refusal, match="no steps to keep in lockstep; try --sends in-order or greedy"):
        simulate_collective(timed)
    with pytest.raises(InputError, match="at the end a1 has nothing of it"):
        simulate_collective(replace(timed, schedule=SendSchedule(())))
    slow = collective_of("mesh", "broadcast", root="a0", dims=[2], bytes=4)
    with pytest.raises(InputError, match=r"array\.link\.bandwidth"):
        simulate_collective(JudgedCollective(slow, SendSchedule((Send(0, (0, 1), 0, 1),))))


@pytest.mark.slow
def test_published_cycles():
    # TTO's artefact (HPCA 2024), 64 MiB on an 8x8 mesh: messages of 8,192 bytes are 17 flits, and 357 cycles
    cycles = _cycles("ring", "lockstep")
    assert cycles == _cycles("ring", "greedy") == 2 * 63 * 128 * 357
    assert abs(cycles / 5_759_203 - 1) < Fraction(12, 10_000)
    # a ring to MultiTree is published as 1.652: as without lockstep, where sends wait for links
    ratio = Fraction(5_759_203, 3_486_364)
    assert _cycles("multitree", "lockstep") == 2 * 32 * 128 * 357
    assert abs(_cycles("ring", "greedy") / _cycles("multitree", "greedy") / ratio - 1) < Fraction(5, 100)
    assert _cycles("ring", "lockstep") / _cycles("multitree", "lockstep") / ratio - 1 > Fraction(15, 100)


@cache
def _on_mesh(name):
    instance = collective_of("mesh", "all-reduce", dims=[8, 8], bytes=2**26, link={"bandwidth": 512})
    return CollectiveProblem(instance).judged(solve(instance, name).strategies)


@cache
def _cycles(name, sending):
    return simulate_collective(_on_mesh(name), sending, MessageFormat(512, 16)).time * 21
