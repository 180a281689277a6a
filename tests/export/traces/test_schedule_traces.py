"""Schedules as traces, read back by the published schema and played in orders of all kinds."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from hypar_opt import load, solve
from hypar_opt.evaluation.collective import JudgedCollective
from hypar_opt.export.send_schedules import TracedCollective, schedule_text
from hypar_opt.export.traces.files import trace_bytes
from hypar_opt.export.traces.nodes import NodeKind, TraceNode
from hypar_opt.export.traces.schema import message_classes
from hypar_opt.export.traces.sends import chunk_sizes, schedule_traces
from hypar_opt.instance.collective import read_schedule
from hypar_opt.solver.collective_problem import CollectiveProblem
from tests.chakra_reader import read_trace
from tests.chakra_replay import check_replay
from tests.collectives import collective_of

LINK = {"bandwidth": 7, "latency": 1}
GROUP = {"group": ["a0", "a3"]}
CASES = {
    "gather": lambda: collective_of("torus", dims=[3, 3]),
    "scatter": lambda: collective_of("mesh", "reduce-scatter", dims=[2, 3], bytes=1001),
    "reduce": lambda: collective_of("ring", "all-reduce", accelerators=4),
    "reduce at once": lambda: collective_of("mesh", "all-reduce", dims=[2, 3]),
    "broadcast": lambda: collective_of("hypercube", "broadcast", accelerators=8, root="a5", chunks=2),
    "all-to-all": lambda: collective_of("ring", "all-to-all", accelerators=4, bytes=12 * 2**20),
    "switch": lambda: collective_of("star", "all-reduce", accelerators=4),
    "relays": lambda: collective_of("ring", "all-gather", accelerators=6, **GROUP),
    "seconds": lambda: collective_of("mesh", "all-reduce", dims=[2, 2], objective="time", link=LINK),
    "joined": lambda: collective_of(
        "hypercube", "all-reduce", accelerators=8, bytes=83, objective="time", link=LINK, messages="joined"
    ),
    "rounds": lambda: replace(load("dgx-1"), chunks_each=1, steps=2),
}
SLOW = ("reduce at once", "gather")


@cache
def judged_of(name):
    return solved(CASES[name]())


def solved(instance):
    problem = CollectiveProblem(instance)
    chosen = "rabenseifner" if instance.messages == "joined" else None
    return problem.judged(solve(problem, chosen).strategies)


def traces_of(judged):
    instance = judged.instance
    return read_files(instance, schedule_traces(instance, judged.schedule))


def read_files(instance, traces):
    files = TracedCollective(instance, traces).chakra
    assert list(files) == [f"collective.{rank}.et" for rank in range(len(instance.machine.accelerators))]
    read = [read_trace(content) for content in files.values()]
    assert {version for version, _ in read} == {"0.0.4"}
    return [nodes for _, nodes in read]


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one in SLOW)) for one in CASES])
def test_any_order_that_traces_allow_ends_as_demanded(name):
    judged = judged_of(name)
    traces = traces_of(judged)
    for seed in range(5):
        check_replay(judged, traces, random.Random(seed))


def test_no_wait_for_what_is_computed_is_there_in_vain():
    """Without those of sums, some order ends with another sum, or has nothing to send."""
    judged = judged_of("reduce")
    traces = traces_of(judged)
    for trace in traces:
        computed = {one.id for one in trace if one.type == "COMP_NODE"}
        for one in trace:
            if one.type == "COMM_SEND_NODE":
                one.data_deps = [other for other in one.data_deps if other not in computed]
    with pytest.raises(AssertionError):
        for seed in range(20):
            check_replay(judged, traces, random.Random(seed))


def seconds_of(traces, latency, bandwidth):
    """Return how long traces take if every message has a link of its own: a latency and its bytes."""
    over, coming, left = {}, {}, [(rank, one) for rank, trace in enumerate(traces) for one in trace]
    while left:
        waiting = []
        for rank, one in left:
            said, before = one.attributes, [(rank, other) for other in one.data_deps]
            key = said["comm_src"], said["comm_tag"]
            if any(other not in over for other in before) or (one.type == "COMM_RECV_NODE" and key not in coming):
                waiting.append((rank, one))
                continue
            begin = max((over[other] for other in before), default=Fraction(0))
            if one.type == "COMM_SEND_NODE":
                begin = coming[key] = begin + latency + Fraction(said["comm_size"]) / bandwidth
            over[rank, one.id] = max(begin, coming[key]) if one.type == "COMM_RECV_NODE" else begin
        assert len(waiting) < len(left)
        left = waiting
    return max(over.values())


@pytest.mark.parametrize("name", ["reduce", "all-to-all"])
def test_traces_take_as_long_as_a_schedule_whose_busiest_link_never_rests(name):
    instance, latency, bandwidth = CASES[name](), Fraction(3), Fraction(2**20)
    wires = [replace(link, bandwidth=bandwidth, latency=latency) for link in instance.machine.links]
    wired = replace(instance, machine=replace(instance.machine, links=tuple(wires)))
    judged = JudgedCollective(wired, judged_of(name).schedule)
    assert seconds_of(traces_of(judged), latency, bandwidth) == judged.seconds


def test_joined_chunks_are_one_message_and_added_one_by_one():
    judged = of_sends(
        {"a0": "a0+a1@0..9 a1>a0@9..18", "a1": "a0+a1@0..9 a1>a0@9..18"},
        accelerators=2, bytes=3, objective="time", messages="joined", link=LINK,
    )  # fmt: skip
    first, second = traces_of(judged)
    assert [one.name for one in first] == ["send a0 a1 a0>a1", "receive a0 a1 a1>a0"]
    assert [one.name for one in second] == ["receive a0 a1 a0>a1", "add a0", "add a1", "send a0 a1 a1>a0"]
    assert [one.attributes["comm_size"] for one in (first[0], second[0], first[1])] == [3, 3, 3]
    assert (first[0].attributes["chunk"], second[3].data_deps) == ("a0 a1", [1, 2])
    assert [one["message"] for one in json.loads(schedule_text(judged, ""))["sends"]] == [0, 0, 1, 1]
    # two latencies, and twice the three bytes: begins are those of messages
    assert seconds_of([first, second], 1, 7) == 2 + Fraction(6, 7)


def test_a_lost_message_is_noticed():
    judged = judged_of("relays")
    traces = traces_of(judged)
    traces[0] = [one for one in traces[0] if one.type != "COMM_SEND_NODE"]
    with pytest.raises(AssertionError, match="wait for ever"):
        check_replay(judged, traces, random.Random(0))


def test_bytes_are_whole_and_none_is_lost():
    instance = CASES["scatter"]()
    sizes = chunk_sizes(instance)
    assert (sum(sizes), max(sizes) - min(sizes)) == (1001, 1)
    traces = traces_of(judged_of("scatter"))
    assert {one.attributes.get("comm_size", 166) for trace in traces for one in trace} == {166, 167}


def test_fields_are_those_that_either_reader_looks_into():
    (send, *_) = traces_of(judged_of("relays"))[0]
    assert send.kinds == {
        "is_cpu_op": "bool_val", "chunk": "string_val", "comm_src": "int32_val", "comm_tag": "int32_val",
        "comm_dst": "int32_val", "comm_size": "int64_val",
    }  # fmt: skip
    assert (send.type, send.attributes["is_cpu_op"]) == ("COMM_SEND_NODE", 0)


def test_protobuf_reads_what_the_reader_by_hand_reads():
    node = TraceNode("x" * 300, NodeKind.COMPUTE, (1, 300), {"num_ops": 2**40, "pg_name": "1"}, 2**33)
    content = trace_bytes((node,))
    version, (found,) = read_trace(content)
    first, second = len(version) + 2, 2  # lengths of one byte, and of two
    message = message_classes()["Node"].FromString(content[first + 1 + second :])
    assert (message.name, list(message.data_deps), message.duration_micros) == (node.name, [1, 300], 2**33)
    assert (found.name, found.data_deps, found.micros) == (node.name, [1, 300], 2**33)
    assert found.attributes == {"is_cpu_op": 0, "num_ops": 2**40, "pg_name": "1"}


def test_who_has_nothing_to_do_has_a_node():
    traces = traces_of(solved(collective_of("ring", "broadcast", accelerators=5, root="a0", group=["a0", "a1"])))
    assert [one.name for one in traces[3]] == ["idle"]


def of_sends(texts, **said):
    instance = collective_of("fully-connected", "all-reduce", **said)
    judged = JudgedCollective(instance, read_schedule(instance, texts))
    assert judged.fault is None
    return judged


def test_what_is_sent_of_a_sum_is_sent_before_more_is_added():
    judged = of_sends({"a0": "a0+a1@1 a1+a0@1", "a1": "a0+a1@2 a1+a0@2"}, accelerators=2)
    traces = traces_of(judged)
    for seed in range(5):
        check_replay(judged, traces, random.Random(seed))
    for trace in traces:
        sends = {one.id for one in trace if one.type == "COMM_SEND_NODE"}
        for one in trace:
            one.data_deps = [other for other in one.data_deps if other not in sends]
    with pytest.raises(AssertionError):
        for seed in range(20):
            check_replay(judged, traces, random.Random(seed))


def test_what_is_sent_of_a_part_is_sent_before_the_whole_takes_its_place():
    texts = {name: f"{name}+{other}@1 {other}>{name}@2 {name}>a2@2" for name, other in (("a0", "a1"), ("a1", "a0"))}
    judged = of_sends(texts, accelerators=3, group=["a0", "a1"])
    traces = traces_of(judged)
    assert [one.name for trace in traces for one in trace if one.name.startswith("copy")] == ["copy a0", "copy a1"]
    for seed in range(5):
        check_replay(judged, traces, random.Random(seed))
