"""Steps as traces: what waits for what, across ranks, is what tasks wait for, no more and no less."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil

import networkx as nx
import pytest
from helpers import document, linear_chain, problem_of
from hypothesis import given, settings

from hypar_opt.export.traces.files import trace_bytes
from hypar_opt.studies.schedules.links import StageMessage, simulate_schedule
from hypar_opt.studies.schedules.rules import RULES
from hypar_opt.studies.schedules.stages import StageTimes, batch_of
from hypar_opt.studies.simulation import Compute, TaskGraph
from hypar_opt.studies.traces.tasks import rounding, step_traces
from tests.chakra_reader import read_trace
from tests.evaluation.links.machines import ring
from tests.studies.simulation.steps import compute, random_words, seconds_of, send, step_of, task_graphs


def read_back(graph, ranks):
    return [read_trace(trace_bytes(trace))[1] for trace in step_traces(graph, ranks)]


def takes_time(task):
    return task.seconds if isinstance(task, Compute) else task.amount and task.source != task.target


def before_of(graph):
    """Return by name of a task that takes time all of those that are over before it."""
    waits = nx.DiGraph()
    waits.add_nodes_from(range(len(graph)))
    waits.add_edges_from((before, number) for number, task in enumerate(graph.tasks) for before in task.waits_for)
    timed = {number: task.name for number, task in enumerate(graph.tasks) if takes_time(task)}
    return {
        name: {timed[before] for before in nx.ancestors(waits, number) if before in timed}
        for number, name in timed.items()
    }


def before_in(traces):
    """Return the same of traces, in which a receive waits for the send with its tag."""
    waits, sends = nx.DiGraph(), {}
    for rank, trace in enumerate(traces):
        for one in trace:
            waits.add_node((rank, one.id), said=one)
            waits.add_edges_from(((rank, before), (rank, one.id)) for before in one.data_deps)
            if one.type == "COMM_SEND_NODE":
                sends[one.attributes["comm_tag"]] = rank, one.id
    for (rank, number), one in waits.nodes(data="said"):
        if one.type == "COMM_RECV_NODE":
            assert one.attributes["comm_dst"] == rank
            waits.add_edge(sends.pop(one.attributes["comm_tag"]), (rank, number))
    assert not sends
    assert nx.is_directed_acyclic_graph(waits)
    names = {node: one.name.removeprefix("send: ") for node, one in waits.nodes(data="said")}
    begins = {
        node: name
        for node, name in names.items()
        if not name.startswith(("receive", "idle")) and not name.endswith("is over")
    }
    return {
        name: {begins[before] for before in nx.ancestors(waits, node) if before in begins}
        for node, name in begins.items()
    }


@settings(max_examples=15)
@given(task_graphs())
def test_waits_are_those_of_tasks(drawn):
    machine, graph = drawn
    traces = read_back(graph, len(machine.accelerators))
    assert before_in(traces) == before_of(graph)
    seconds, sent = Counter(), Counter()
    for rank, trace in enumerate(traces):
        for one in trace:
            seconds[rank] += one.attributes.get("num_ops", 0) * one.attributes.get("tensor_size", 0)
            if one.type == "COMM_SEND_NODE" and not one.name.endswith("is over"):
                sent[rank, one.attributes["comm_dst"]] += one.attributes["comm_size"]
    for rank, picoseconds in seconds.items():
        own = [task.seconds for task in graph.tasks if isinstance(task, Compute) and task.accelerator == rank]
        assert abs(picoseconds - sum(own) * 10**12) <= len(own)
    bytes_of = Counter()
    for task in graph.tasks:
        if not isinstance(task, Compute) and task.amount:
            bytes_of[task.source, task.target] += ceil(task.amount)
    assert sent == bytes_of
    amounts = [task.amount for task in graph.tasks if not isinstance(task, Compute)]
    assert sum(sent.values()) - sum(amounts) == rounding(graph)


def test_a_step_of_a_network_needs_no_more_messages_than_it_has():
    problem = problem_of(document(linear_chain(3, 5, 7), [4], batch=8, levels=2))
    words, seconds = random_words(problem, 1), seconds_of(problem.work, 1)
    graph = step_of(problem, words, (1, 0, 3, 2), seconds)
    traces = read_back(graph, 5)
    messages = Counter(one.type for trace in traces for one in trace)
    transfers = sum(not isinstance(task, Compute) for task in graph.tasks)
    assert messages["COMM_SEND_NODE"] == messages["COMM_RECV_NODE"] == transfers > 0
    assert [one.name for one in traces[4]] == ["idle"]  # the array has one more than the plan


def test_what_another_rank_computes_is_told_by_a_byte():
    graph = TaskGraph(
        (compute("a", 0, 1), compute("none", 1, 0, [0]), compute("b", 1, 2, [1]), compute("c", 1, 1, [0]))
    )
    first, second = read_back(graph, 2)
    assert [one.name for one in first] == ["forward of a", "send: forward of a is over"]
    assert [(one.name, one.data_deps) for one in second] == [
        ("receive: forward of a is over", []),
        ("forward of c", [0]),
        ("forward of b", [0]),
    ]
    assert first[1].attributes["comm_size"] == 1


def test_batches_of_pipelines_have_messages_alone():
    stages = [StageTimes(forward=Fraction(1), backward=Fraction(2)) for _ in range(3)]
    batch = batch_of(RULES["1f1b"], stages, 3, 4)
    messages = [
        StageMessage(one, phase, other, frozenset([phase]), Fraction(5, 2))
        for first, phase in ((0, "forward"), (1, "forward"), (2, "backward"), (1, "backward"))
        for one, other in [(first, first + (1 if phase == "forward" else -1))]
    ]
    machine = ring(3, bandwidth=1)
    graph = simulate_schedule(batch, RULES["1f1b"], messages, machine).graph
    traces = read_back(graph, 3)
    assert before_in(traces) == before_of(graph)
    sizes = [one.attributes["comm_size"] for trace in traces for one in trace if one.type == "COMM_SEND_NODE"]
    assert sizes == [3] * 16


def test_durations():
    (found,) = read_back(TaskGraph((compute("a", 0, Fraction(7, 4 * 10**6)), compute("b", 0, Fraction(1, 10**15)))), 1)
    assert [(one.attributes["num_ops"], one.micros) for one in found] == [(1_750_000, 2), (1, 0)]


def test_a_circle_is_named():
    with pytest.raises(ValueError, match=r"wait for each other: 0, 1, 0|1, 0, 1"):
        step_traces(TaskGraph((compute("a", 0, 1, [1]), send("b", 0, 1, 1, [0]))), 2)
