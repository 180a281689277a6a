"""The engine: by hand, and judged by what a schedule must keep to on drawn graphs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from threading import Event as Flag

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.formulation.run import Limits
from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.studies.simulation import Compute, Options, SimulationStopped, TaskGraph, simulate
from hypar_opt.util.errors import InputError
from tests.evaluation.links.machines import line, machine, ring, tree
from tests.studies.simulation.steps import compute, faults_of, over_after, send, task_graphs

HELD = [
    {"contention": False},
    *({"hold": hold, "acquire": acquire} for hold in ("rate", "whole") for acquire in ("together", "ordered")),
]
OPTIONS = [Options(overlap, **held) for overlap in ("none", "full") for held in HELD]
FULL, APART = Options("full", True), Options("full", False)
ORDERED = Options("full", acquire="ordered")


def times(found):
    """Return when every task began and ended, in seconds."""
    clock = found.field.clock
    return [(clock.seconds(a), clock.seconds(b)) for a, b in zip(found.begins, found.ends, strict=True)]


def chain(found):
    """Return the critical path as text."""
    tasks, resources = found.graph.tasks, found.field.resources
    names = {task: (one.layer if hasattr(one, "layer") else one.part) for task, one in enumerate(tasks)}
    waited = [
        "" if step.waited_for is None else " " + resources[step.waited_for].name(found.machine)
        for step in found.critical_path
    ]
    return [f"{names[step.task]} <- {step.reason}{on}" for step, on in zip(found.critical_path, waited, strict=True)]


def test_an_accelerator_computes_one_thing_at_a_time_first_come_first_served():
    graph = TaskGraph((compute("a", 0, 2), compute("b", 0, "1/3"), compute("c", 1, 1), compute("d", 0, 1, [2])))
    found = simulate(graph, line(2), FULL)
    assert times(found) == [(0, 2), (2, Fraction(7, 3)), (0, 1), (Fraction(7, 3), Fraction(10, 3))]
    assert found.time == Fraction(10, 3)
    assert chain(found) == ["a <- start", "b <- resource a0", "d <- resource a0"]


def test_a_barrier_keeps_stages_apart():
    graph = TaskGraph((compute("a", 0, 2), compute("b", 1, 5), compute("c", 0, 1, [0], stage=7)))
    assert times(simulate(graph, line(2), FULL)) == [(0, 2), (0, 5), (2, 3)]
    found = simulate(graph, line(2), Options("none"))
    assert times(found) == [(0, 2), (0, 5), (5, 6)]
    assert chain(found) == ["b <- start", "c <- barrier"]


def test_with_contention_a_route_is_held_as_a_whole():
    # a0 - a1 - a2 - a3 at 1 B/s, the middle link half as fast: 0 > 3 keeps all three links for 8 s, 2 > 3 waits
    links = (Link((0, 1), Fraction(1)), Link((1, 2), Fraction(1, 2)), Link((2, 3), Fraction(1)))
    array = Machine("custom", tuple("abcd"), (), links)
    graph = TaskGraph((send("far", 0, 3, 4), send("near", 2, 3, 1), send("back", 3, 2, 1)))
    found = simulate(graph, array, FULL)
    assert times(found) == [(0, 8), (8, 9), (0, 1)]
    assert chain(found) == ["far <- start", "near <- resource c -> d"]
    # apart, every link serves by itself: c -> d is busy with the first for 4 s only
    found = simulate(graph, array, APART)
    assert times(found) == [(0, 8), (4, 5), (0, 1)]


def test_apart_the_chain_follows_the_link_that_ends_last():
    # both cross a -> b; the first is kept by b -> c, which is slow, the second only waits for a -> b
    array = Machine("custom", tuple("abc"), (), (Link((0, 1), Fraction(1)), Link((1, 2), Fraction(1, 10))))
    graph = TaskGraph((send("slow", 0, 2, 1), send("quick", 0, 1, 20), compute("then", 1, 1, [1])))
    found = simulate(graph, array, APART)
    assert times(found) == [(0, 10), (1, 21), (21, 22)]
    assert chain(found) == ["slow <- start", "quick <- resource a -> b", "then <- data"]
    assert [found.field.clock.seconds(step.end) for step in found.critical_path] == [1, 21, 22]


def test_what_is_held_while_waiting_is_blocked_not_busy():
    # links in their order: first 0 > 2 takes both links, then 1 > 2 waits for 1 -> 2, then 0 > 2 waits for 0 -> 1
    graph = TaskGraph((send("x", 1, 2, 3), send("y", 0, 2, 2)))
    found = simulate(graph, line(3), ORDERED)
    assert times(found) == [(0, 3), (3, 5)]
    uses = {found.field.resources[one.resource].name(found.machine): one for one in found.uses}
    assert list(uses) == ["a0 -> a1", "a1 -> a2"]
    first, second = uses.values()
    assert (first.tasks, first.busy, first.blocked, first.share) == (1, 2, 3, Fraction(2, 5))
    assert (second.tasks, second.busy, second.blocked, second.share) == (2, 5, 0, 1)
    # together, nothing is held before
    found = simulate(graph, line(3), FULL)
    assert times(found) == [(0, 3), (3, 5)]
    assert [one.blocked for one in found.uses] == [0, 0]
    assert chain(found) == ["x <- start", "y <- resource a1 -> a2"]


def test_together_whoever_can_go_goes_and_of_several_who_came_first():
    # x has the second link for 3 s; y needs both and holds none meanwhile, so that z has the first; then y before w
    tasks = (send("x", 1, 2, 3), send("y", 0, 2, 2), send("z", 0, 1, 1), compute("c", 0, 1), send("w", 1, 2, 1, [3]))
    graph, array = TaskGraph(tasks), line(3)
    found = simulate(graph, array, FULL)
    assert times(found) == [(0, 3), (3, 5), (0, 1), (0, 1), (5, 6)]
    assert chain(found) == ["x <- start", "y <- resource a1 -> a2", "w <- resource a1 -> a2"]
    # one after the other z waits for y, which waits for x
    assert times(simulate(graph, array, ORDERED)) == [(0, 3), (3, 5), (5, 6), (0, 1), (5, 6)]


def test_together_what_is_left_at_once_is_had_at_once():
    # y needs both links, which x and w leave at the same time; v came later and needs one of them: y goes first
    tasks = (
        send("x", 0, 1, 2),
        send("w", 1, 2, 2),
        compute("c", 0, 1),
        send("y", 0, 2, 1, [2]),
        send("v", 0, 1, 5, [2]),
    )
    found = simulate(TaskGraph(tasks), line(3), FULL)
    assert times(found) == [(0, 2), (0, 2), (0, 1), (2, 3), (3, 8)]
    # the same if v comes only then
    late = (*tasks[:4], compute("d", 0, 1), send("v", 0, 1, 5, [2, 4]))
    found = simulate(TaskGraph(late), line(3), FULL)
    assert times(found) == [(0, 2), (0, 2), (0, 1), (2, 3), (1, 2), (3, 8)]


def test_together_somebody_may_stand_at_one_resource_after_another():
    # y is first stopped by a0 -> a1, then by a1 -> a2, and the chain says by what it was stopped last
    tasks = (send("x", 0, 1, 1), send("w", 1, 2, 4), send("y", 0, 2, 1))
    found = simulate(TaskGraph(tasks), line(3), FULL)
    assert times(found) == [(0, 1), (0, 4), (4, 5)]
    assert chain(found) == ["w <- start", "y <- resource a1 -> a2"]


def test_a_divided_route_serves_its_shares():
    # two ways round a square: 1/2 of 4 bytes on each of four links at 1 B/s
    array = ring(4, topology="custom", rule="split", dims=())
    graph = TaskGraph((send("x", 0, 2, 4), send("y", 1, 2, 1)))
    assert times(simulate(graph, array, FULL)) == [(0, 2), (2, 3)]
    found = simulate(graph, array, APART)
    assert times(found) == [(0, 2), (2, 3)]
    assert [one.busy for one in found.uses] == [2, 2, 3, 2]


def test_a_memory_is_crossed_by_what_is_sent_and_by_what_is_received():
    graph = TaskGraph((send("x", 0, 1, 6), send("y", 1, 0, 6)))
    assert simulate(graph, line(2), FULL).time == 6
    found = simulate(graph, line(2), replace(FULL, memory_bandwidth=Fraction(2)))
    assert times(found) == [(0, 6), (0, 6)]  # half of either port is as fast as the link
    assert [one.busy for one in found.uses] == [6, 6, 6, 6]
    found = simulate(graph, line(2), replace(FULL, memory_bandwidth=Fraction(2), hold="whole"))
    assert times(found) == [(0, 6), (6, 12)]
    assert [one.busy for one in found.uses] == [6, 6, 12, 12]
    slow = simulate(graph, line(2), replace(FULL, memory_bandwidth=Fraction(3, 2)))
    assert times(slow) == [(0, 6), (6, 12)]  # two thirds of a port: there are no two of them
    apart = simulate(graph, line(2), replace(APART, memory_bandwidth=Fraction(2)))
    assert times(apart) == [(0, 6), (0, 6)]  # 3 s each on either port
    assert [one.busy for one in apart.uses] == [6, 6, 6, 6]
    assert [one.name(apart.machine) for one in apart.field.resources] == [
        "a0 -> a1", "a1 -> a0", "memory of a0", "memory of a1",
    ]  # fmt: skip


def test_a_task_of_no_length_waits_for_nobody():
    graph = TaskGraph((compute("long", 0, 5), compute("join", 0, 0), compute("next", 1, 1, [1])))
    found = simulate(graph, line(2), FULL)
    assert times(found) == [(0, 5), (0, 0), (0, 1)]


@pytest.mark.parametrize("options", OPTIONS)
def test_no_bytes_need_no_link(options):
    graph = TaskGraph((send("long", 0, 2, 5), send("none", 0, 2, 0), compute("next", 1, 1, [1])))
    found = simulate(graph, line(3), options)
    assert times(found) == [(0, 5), (0, 0), (0, 1)]
    assert [one.tasks for one in found.uses] == [1, 1, 1]


def test_the_chain_passes_by_transfers_of_no_bytes():
    graph = TaskGraph((send("x", 1, 0, 1), send("y", 2, 1, 1), send("none", 0, 2, 0)))
    for acquire in ("together", "ordered"):
        found = simulate(graph, line(3), Options("full", acquire=acquire, memory_bandwidth=Fraction(3, 2)))
        assert times(found) == [(0, 1), (1, 2), (0, 0)]  # the middle memory has room for 3/2 of one
        assert chain(found) == ["x <- start", "y <- resource memory of a1"]


def test_a_step_of_nothing():
    found = simulate(TaskGraph(()), line(2))
    assert (found.time, found.uses, found.critical_path, found.floor) == (0, (), (), 0)
    found = simulate(TaskGraph((compute("join", 0, 0),)), line(2))
    assert (found.time, found.critical_path, [one.share for one in found.uses]) == (0, (), [0])


def test_a_link_twice_as_fast_carries_two():
    # three leaves send over the middle link of 2 B/s to three others, each at the 1 B/s of its own link
    ends = [(0, 6), (1, 6), (2, 6), (3, 7), (4, 7), (5, 7)]
    links = (*(Link(pair, Fraction(1)) for pair in ends), Link((6, 7), Fraction(2)))
    array = Machine("custom", tuple(f"a{i}" for i in range(6)), ("left", "right"), links)
    graph = TaskGraph(tuple(send(f"x{i}", i, i + 3, 4) for i in range(3)))
    found = simulate(graph, array, FULL)
    assert times(found) == [(0, 4), (0, 4), (4, 8)]
    assert chain(found) == ["x0 <- start", "x2 <- resource left -> right"]
    uses = {found.field.resources[one.resource].name(array): one for one in found.uses}
    assert (uses["left -> right"].busy, uses["left -> right"].share) == (6, Fraction(3, 4))
    assert (uses["a2 -> left"].busy, uses["a2 -> left"].blocked) == (4, 0)
    uses = {found.field.resources[one.resource].name(array): one for one in simulate(graph, array, ORDERED).uses}
    assert (uses["a2 -> left"].busy, uses["a2 -> left"].blocked) == (4, 4)
    found = simulate(graph, array, replace(FULL, hold="whole"))
    assert times(found) == [(0, 4), (4, 8), (8, 12)]


@pytest.mark.slow
@given(task_graphs(), st.sampled_from(OPTIONS), st.sampled_from([None, Fraction(3, 2)]))
def test_what_every_schedule_keeps_to(drawn, options, memory):
    array, graph = drawn
    found = simulate(graph, array, replace(options, memory_bandwidth=memory))
    assert faults_of(found) == []
    assert found.floor <= found.time
    steps = found.critical_path
    assert sum(step.end - step.begin for step in steps) == found.end
    assert not steps or steps[0].begin == 0
    assert all(one.end == two.begin for one, two in pairwise(steps))
    for one in found.uses:
        assert one.busy <= found.time
        assert one.share * found.time == one.busy


def _times(task, factor):
    size = "seconds" if isinstance(task, Compute) else "amount"
    return replace(task, **{size: getattr(task, size) * factor})


@pytest.mark.slow
@given(task_graphs(), st.sampled_from(OPTIONS))
def test_a_simulation_is_the_same_twice(drawn, options):
    array, graph = drawn
    one, two = simulate(graph, array, options), simulate(graph, array, options)
    assert (one.begins, one.ends, one.spans) == (two.begins, two.ends, two.spans)


@pytest.mark.slow
@given(task_graphs(), st.sampled_from(OPTIONS), st.fractions(Fraction(1, 7), 7, max_denominator=7))
def test_time_is_homogeneous(drawn, options, factor):
    # all that is computed or sent times a factor: the same schedule, stretched
    array, graph = drawn
    other = TaskGraph(tuple(_times(one, factor) for one in graph.tasks))
    assert simulate(other, array, options).time == factor * simulate(graph, array, options).time


def test_the_judge_finds_faults():
    graph = TaskGraph((compute("a", 0, 2), compute("b", 0, 1), send("x", 0, 1, 3, [0])))
    found = simulate(graph, line(2), FULL)
    assert faults_of(found) == []
    assert faults_of(replace(found, released=(0, 0, 1)))
    assert faults_of(replace(found, begins=(0, 2, 1)))
    early = found.spans[0][1]._replace(since=1, begin=1, end=2)
    assert faults_of(replace(found, spans=((found.spans[0][0], early), *found.spans[1:])))
    late = found.spans[0][1]._replace(since=5, begin=5, end=6)
    assert faults_of(replace(found, spans=((found.spans[0][0], late), *found.spans[1:])))
    # what links one by one come to is no schedule of whole routes: y held its first link, for which z waited
    tasks = (send("x", 1, 2, 3), send("y", 0, 2, 2), send("z", 0, 1, 1))
    ordered = simulate(TaskGraph(tasks), line(3), ORDERED)
    assert faults_of(ordered) == []
    assert "1 held a0 -> a1 while it waited" in said_of(replace(ordered, options=FULL))
    unheld = tuple(tuple(span._replace(since=span.begin) for span in spans) for spans in ordered.spans)
    idle = replace(ordered, options=FULL, spans=unheld)
    assert "2 could have gone at 0, it went at 5" in said_of(idle)
    slower = machine(2, [(0, 1)], bandwidth=2)
    assert faults_of(replace(found, machine=slower))


def said_of(found):
    """Return faults with resources by their names."""
    said = faults_of(found)
    for one in found.field.resources:
        said = [text.replace(str(one), one.name(found.machine)) for text in said]
    return said


def test_it_stops_when_it_is_told_to():
    graph = TaskGraph(tuple(compute(f"c{i}", 0, 1) for i in range(3)))
    with pytest.raises(SimulationStopped, match=r"^stopped while routes were found; nothing is reported$"):
        simulate(graph, line(2), limits=over_after(0))


def test_it_stops_whatever_it_is_at():
    graph = TaskGraph(tuple(send(f"x{i}", i % 2, 1 - i % 2, 1) for i in range(600)))
    whole = over_after(10**6)
    expected = simulate(graph, line(2), limits=whole)
    said = []
    for looks in range(whole.stop.looks):
        with pytest.raises(SimulationStopped) as caught:
            simulate(graph, line(2), limits=over_after(looks))
        said.append(str(caught.value))
    kinds = ("while routes were found", "while the simulation was prepared", "after 0 of 600 tasks of the step")
    assert list(dict.fromkeys(said)) == [f"stopped {kind}; nothing is reported" for kind in kinds]
    assert simulate(graph, line(2), limits=over_after(whole.stop.looks)) == expected


def test_what_is_made_of_a_simulation_can_be_stopped_and_then_be_found():
    graph = TaskGraph(tuple(compute(f"c{i}", 0, 1) for i in range(600)))
    whole = over_after(10**6)
    simulate(graph, line(2), FULL).complete(whole)
    said = []
    for looks in range(whole.stop.looks):
        found = simulate(graph, line(2), FULL)
        with pytest.raises(SimulationStopped) as caught:
            found.complete(over_after(looks))
        said.append(str(caught.value))
        assert len(found.critical_path) == 600
        assert (found.floor, found.uses[0].busy) == (600, 600)
    kinds = ("while it was summed up", "while the critical path was followed")
    assert said == [f"stopped {kinds[0]}; nothing is reported"] * 4 + [f"stopped {kinds[1]}; nothing is reported"] * 3
    found.complete(over_after(0))  # all of it is there already


def test_it_stops_on_the_way_and_says_how_far_it_is():
    stop, heard = Flag(), []

    def listen(event):
        if event.kind == "progress":
            counted.append((event.progress.done, event.progress.total))
            return
        heard.append(event.text)
        if len(heard) == 4:
            stop.set()

    counted = []
    graph = TaskGraph(tuple(compute(f"c{i}", 0, 1) for i in range(9000)))
    with pytest.raises(SimulationStopped, match=r"^stopped after "):
        simulate(graph, line(2), limits=Limits(stop=stop), listener=listen)
    assert [f"{done:,} of {total:,} tasks" for done, total in counted] == list(dict.fromkeys(heard))
    assert heard[0] == "0 of 9,000 tasks"
    assert 0 < int(heard[3].split()[0].replace(",", "")) < 9000


def test_a_link_without_a_bandwidth_is_named():
    graph = TaskGraph((send("x", 0, 1, 3),))
    expected = r"^array.link.bandwidth: the link between 'a0' and 's0' has none, expected bytes a second$"
    with pytest.raises(InputError, match=expected):
        simulate(graph, tree(1, bandwidth=None))


def test_an_accelerator_that_is_not_there():
    with pytest.raises(ValueError, match=r"^task 0 \(forward of a\) runs on accelerator 2, there are 2 from 0$"):
        simulate(TaskGraph((compute("a", 2, 1),)), line(2))
    with pytest.raises(ValueError, match=r"^expected a memory bandwidth above 0, got 0$"):
        Options(memory_bandwidth=Fraction(0))
