"""Schedules recounted: by hand, and broken in every way that there is."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random

import pytest

import hypar_opt.evaluation.collective as evaluation
from hypar_opt import solve
from hypar_opt.cost.collective import compile_collective
from hypar_opt.costgraph.collective import Move, is_schedule, written
from hypar_opt.evaluation.collective import JudgedCollective, contents, links
from hypar_opt.evaluation.collective.bound import BoundProver
from hypar_opt.instance.collective import SendSchedule, read_schedule
from tests.collectives import collective_of
from tests.helpers import each

LINK = {"bandwidth": 100, "latency": 1}


def judged(instance, texts):
    return JudgedCollective(instance, read_schedule(instance, texts))


def test_a_line_of_three_is_recounted_by_hand():
    instance = collective_of("mesh", dims=[3], link=LINK, bytes=300)
    texts = {"a0": "a0>a1@1 a1>a2@2", "a1": "a1>a0@1 a1>a2@1", "a2": "a2>a1@1 a1>a0@2"}
    found = judged(instance, texts)
    assert found.fault is None
    assert (found.steps, found.rounds, found.seconds, found.bytes_sent) == (2, 2, 4, 600)
    assert found.bytes_by_link == {(0, 1): 100, (1, 0): 200, (1, 2): 200, (2, 1): 100}


def test_a_reduction_adds_every_contribution_once():
    instance = collective_of("mesh", "reduce-scatter", dims=[3], group=["a0", "a2"], bytes=2)
    good = {"a0": "a2+a1@1 a1+a0@2", "a2": "a0+a1@1 a1+a2@2"}
    assert judged(instance, good).fault is None
    again = judged(instance, {**good, "a0": "a2+a1@1 a1+a0@2 a1+a0@3"}).fault
    assert (again.kind, again.text) == (
        "added-twice", "chunk 'a0', a1 -> a0 in step 3: a2's contribution is in what a0 has already"
    )  # fmt: skip
    over = judged(instance, {**good, "a0": "a2>a1@1 a1>a0@2"}).fault
    assert over.kind == "overwritten"


def by_both(instance, texts):
    """Return the evaluator's fault, once the word of formulations was found to be the same, in whatever order."""
    found = judged(instance, texts)
    graph = compile_collective(instance)
    moves = [
        Move(int(one.begin * graph.unit), int(one.end * graph.unit), one.chunk, one.route, one.adds)
        for one in found.schedule.sends
    ]
    backwards = replace(found, schedule=SendSchedule(found.schedule.sends[::-1]))
    assert is_schedule(graph, written(moves)) == (found.fault is None) == (backwards.fault is None)
    return found.fault


REPLACED = "a1+a0@1 a0>a1@2"
"""The sum of a0 and a1, which takes the place of what a1 has."""


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (f"{REPLACED} a2+a1@3 a1>a0@4 a1>a2@4", None),
        (f"{REPLACED} a2+a1@2 a1>a0@3 a1>a2@3", "overwritten"),  # it would be one if what takes the place came first
        ("a0+a1@1 a2+a1@1 a1>a0@2 a1>a2@2", None),
        ("a0+a1@1 a2+a1@1 a1>a0@2 a1>a2@2 a0>a1@3 a2>a1@3", None),  # the same from both sides
        ("a1+a0@1 a1+a2@1 a0>a1@2 a2>a1@2", "overwritten"),  # neither has all of the other
    ],
)
@pytest.mark.parametrize("goal", ["steps", "time"])
def test_what_arrives_at_once_has_no_order(texts, kind, goal):
    link = {"bandwidth": 1}
    instance = collective_of("mesh", "all-reduce", dims=[3], bytes=3, objective=goal, link=link)
    rest = "a0+a1@5 a2+a1@5 a1>a0@6 a1>a2@6"
    every = {"a0": texts, "a1": rest, "a2": rest.replace("@5", "@7").replace("@6", "@8")}
    if goal == "time":
        every = {name: re.sub(r"@(\d)", lambda at: f"@{int(at[1]) - 1}..{at[1]}", text) for name, text in every.items()}
    fault = by_both(instance, every)
    assert (fault and fault.kind) == kind


@pytest.mark.parametrize(
    ("before", "arriving", "kinds"),
    [
        # a1 has what a0 and it had, in the place of a0's, and a3 what a2 and it had, added, at the same time
        ("a0+a1@1 a2+a3@1", ("a1>a0@4", "a3+a0@4"), {"overwritten"}),
        # of two that take the place, one has all of the other
        ("a0+a1@1 a1+a2@2 a2+a3@3", ("a1>a0@4", "a3>a0@4"), {"overwritten"}),
    ],
)
def test_what_arrives_at_a_time_is_judged_alike_in_whatever_order_it_is_written(before, arriving, kinds):
    instance = collective_of("ring", "reduce-scatter", accelerators=4, objective="rounds", steps=4)
    graph = compile_collective(instance)
    rest = {f"a{i}": f"a{(i + 2) % 4}+a{(i + 1) % 4}@1 a{(i + 1) % 4}+a{i}@2 a{(i + 3) % 4}+a{i}@2" for i in (1, 2, 3)}
    found = [judged(instance, {"a0": " ".join((before, *texts)), **rest}) for texts in permutations(arriving)]
    assert {one.fault and one.fault.kind for one in found} == kinds
    for one in found:
        moves = [Move(send.end - 1, send.end, send.chunk, send.route, send.adds) for send in one.schedule.sends]
        assert is_schedule(graph, written(moves)) == (one.fault is None)


def test_rounds_are_what_the_busiest_link_of_each_step_needs():
    instance = collective_of("mesh", dims=[2], chunks=3, objective="rounds", steps=1, link=LINK, bytes=600)
    texts = {f"a{one}.{chunk}": f"a{one}>a{1 - one}@1" for one in (0, 1) for chunk in (1, 2, 3)}
    found = judged(instance, texts)
    assert (found.fault, found.objective, found.seconds) == (None, 3, 4)


def test_sends_in_seconds_take_their_time_and_links_one_at_a_time():
    instance = collective_of("mesh", dims=[2], chunks=2, objective="time", link=LINK, bytes=400)
    there = {"a1.1": "a1>a0@0..2", "a1.2": "a1>a0@2..4"}
    found = judged(instance, {"a0.1": "a0>a1@0..2", "a0.2": "a0>a1@2..4", **there})
    assert (found.fault, found.objective) == (None, 4)
    meet = judged(instance, {"a0.1": "a0>a1@0..2", "a0.2": "a0>a1@3/2..7/2", **there}).fault
    assert meet.kind == "link-capacity"
    short = judged(instance, {"a0.1": "a0>a1@0..1", "a0.2": "a0>a1@2..4", **there}).fault
    assert (short.kind, "at least 2 s" in short.text) == ("when", True)


def test_chunks_that_go_together_take_the_latency_once():
    # 1 s, and 1 s for each of two chunks
    instance = collective_of("mesh", dims=[2], chunks=2, objective="time", link=LINK, bytes=400, messages="joined")
    back = {"a1.1": "a1>a0@0..3", "a1.2": "a1>a0@0..3"}
    found = judged(instance, {"a0.1": "a0>a1@0..3", "a0.2": "a0>a1@0..3", **back})
    assert (found.fault, found.objective) == (None, 3)
    assert BoundProver(instance).best.value == 3
    short = judged(instance, {"a0.1": "a0>a1@0..2", "a0.2": "a0>a1@0..2", **back}).fault
    assert short.kind == "when"
    assert "at least 3 s from 0 s on, of a message of 2 chunks" in short.text
    # two messages that meet are two, and one after the other has a latency of its own
    meet = judged(instance, {"a0.1": "a0>a1@0..3", "a0.2": "a0>a1@0..4", **back}).fault
    assert meet.kind == "link-capacity"
    apart = judged(instance, {"a0.1": "a0>a1@0..2", "a0.2": "a0>a1@2..4", **back})
    assert (apart.fault, apart.objective) == (None, 4)
    single = judged(replace(instance, messages="single"), {"a0.1": "a0>a1@0..3", "a0.2": "a0>a1@0..3", **back}).fault
    assert single.kind == "link-capacity"


@pytest.mark.parametrize(
    ("texts", "kind", "text"),
    [
        ({"a0": "a0>a2@1"}, "route", "chunk 'a0', a0 -> a2 in step 1: there is no link a0 -> a2"),
        ({"a0": "a0>a1>a2@1"}, "route", "a1 is an accelerator"),
        ({"a0": "a0>a1@1/2"}, "when", "steps are whole, from 1"),
        ({"a0": "a0>a1@0"}, "when", "steps are whole, from 1"),
        ({"a0": "a0>a1@1 a0>a1@1"}, "link-capacity", "a0 -> a1 carries 2 chunks in step 1, and 1 can be: 'a0', 'a0'"),
        ({"a0": "a1>a2@1"}, "not-there", "chunk 'a0', a1 -> a2 in step 1: a1 has nothing of it yet"),
        ({"a0": "a0>a1@1"}, "incomplete", "chunk 'a0': at the end a2 has nothing of it"),
    ],
)
def test_each_fault_has_its_reason(texts, kind, text):
    found = judged(collective_of("mesh", dims=[3]), texts).fault
    assert found.kind == kind
    assert text in found.text


@cache
def solved(collective, goal):
    root = {"root": "a0"} if collective == "broadcast" else {}
    chunks = 1 if collective == "all-to-all" else 2
    instance = collective_of(
        "mesh", collective, dims=[2, 3], chunks=chunks, objective=goal, link=LINK, bytes=9000, **root
    )
    plan = solve(instance, "collective-cp-sat" if collective == "all-to-all" else "multitree")
    return instance, read_schedule(instance, plan.strategies).sends


def lost(random, sends):
    """Leave out one that brought what is needed: those that nobody needs were left out before."""
    place = random.randrange(len(sends))
    return sends[:place] + sends[place + 1 :], {"incomplete", "not-there", "overwritten"}


def again(random, sends):
    """Send a sum once more, after all others."""
    one = random.choice([send for send in sends if send.adds] or sends)
    last = max(send.end for send in sends)
    return (*sends, one._replace(adds=True, begin=last, end=last + one.end - one.begin)), {"added-twice"}


def before_it_arrived(random, sends):
    """Send a chunk on while it arrives; where sums alone are sent, a part of one before the rest is in it."""
    arrivals = {}
    for send in sends:
        arrivals.setdefault((send.chunk, send.route[-1]), []).append(send.end)
    one = random.choice(
        [send for send in sends if min(arrivals.get((send.chunk, send.route[0]), [send.end])) <= send.begin]
    )
    place, long = sends.index(one), one.end - one.begin
    arrival = max(end for end in arrivals[one.chunk, one.route[0]] if end <= one.begin)
    early = one._replace(begin=arrival - long, end=arrival)
    kinds = {"not-there", "link-capacity", "overwritten", "incomplete", "added-twice"}
    return (*sends[:place], early, *sends[place + 1 :]), kinds


def two_on_a_link(random, sends):
    """Let another chunk have the link of one at the same time."""
    one = random.choice(sends)
    other = random.choice([send for send in sends if send.chunk != one.chunk])
    return (*sends, other._replace(route=one.route, begin=one.begin, end=one.end)), {"link-capacity"}


def by_no_link(random, sends):
    """Send where there is no link."""
    place = random.randrange(len(sends))
    start = sends[place].route[0]
    far = random.choice([node for node in range(6) if node != start and {node, start} not in LINKED])
    return (*sends[:place], sends[place]._replace(route=(start, far)), *sends[place + 1 :]), {"route"}


def half_as_long(random, sends):
    """Take half of the time that a send needs, or of a step."""
    place = random.randrange(len(sends))
    one = sends[place]
    return (*sends[:place], one._replace(end=(one.begin + one.end) / Fraction(2)), *sends[place + 1 :]), {"when"}


LINKED = [{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}]
"""Of the 2x3 mesh."""
WAYS = (lost, again, before_it_arrived, two_on_a_link, by_no_link, half_as_long)
COLLECTIVES = ("all-gather", "reduce-scatter", "all-reduce", "broadcast", "all-to-all")


def broken(seed):
    """Return a collective, its schedule with something wrong in it, the reasons that are right, and what was done."""
    random, way = Random(seed), WAYS[seed % len(WAYS)]
    collective = COLLECTIVES[seed // len(WAYS) % len(COLLECTIVES)]
    instance, sends = solved(collective, ("steps", "time")[seed // len(WAYS) // len(COLLECTIVES) % 2])
    changed, kinds = way(random, sends)
    return instance, SendSchedule(tuple(changed)), kinds, way


@each("seed", range(500), quick=60)
def test_schedules_that_are_broken_are_caught_with_their_reason(seed):
    instance, schedule, kinds, way = broken(seed)
    found = JudgedCollective(instance, schedule).fault
    assert found is not None, way.__name__
    assert found.kind in kinds, (way.__name__, found)
    if way is not half_as_long:  # formulations have whole times only, and their own word for what is a schedule
        graph = compile_collective(instance)
        moves = [
            Move(int(one.begin * graph.unit), int(one.end * graph.unit), one.chunk, one.route, one.adds)
            for one in schedule.sends
        ]
        assert not is_schedule(graph, written(moves))


@pytest.mark.parametrize("collective", COLLECTIVES)
@pytest.mark.parametrize("goal", ["steps", "time"])
def test_schedules_that_are_not_broken_pass(collective, goal):
    instance, sends = solved(collective, goal)
    assert JudgedCollective(instance, SendSchedule(sends)).fault is None


def _silent(*_):
    return None


def _nothing(*_):
    return iter(())


def _taken_unseen(holders, send, payload):
    holders.held[send.route[-1]] = holders.held.get(send.route[-1], frozenset()) | payload


@pytest.mark.parametrize(
    ("where", "name", "instead"),
    [
        (evaluation, "fault_of_links", _silent),
        (evaluation, "fault_of_contents", _silent),
        (links, "_route_fault", _silent),
        (links, "_steps_faults", _nothing),
        (links, "_seconds_faults", _nothing),
        (contents._Holders, "lacking", _silent),
        (contents._Holders, "_arrive", _taken_unseen),
    ],
)
def test_a_verifier_that_lacks_something_lets_one_through(monkeypatch, where, name, instead):
    monkeypatch.setattr(where, name, instead)
    passed = []
    for seed in range(60):
        instance, schedule, kinds, _ = broken(seed)
        try:
            found = JudgedCollective(instance, schedule).fault
        except KeyError:  # what it took for a link is none
            found = None
        passed.append(found is None or found.kind not in kinds)
    assert any(passed)
