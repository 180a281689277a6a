"""Steps of operators as traces: bytes of the plan, groups that agree, and computing as long as the model says."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from hypar_opt import load, solve
from hypar_opt.export.traces.files import trace_bytes
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.studies.traces.operators import groups_of, operator_traces
from tests.chakra_reader import read_trace

RING = {
    0: lambda size, group: 2 * (group - 1) * size / group,  # ALL_REDUCE
    2: lambda size, group: (group - 1) * size,  # ALL_GATHER
    6: lambda size, group: (group - 1) * size / group,  # ALL_TO_ALL
    7: lambda size, group: (group - 1) * size / group,  # REDUCE_SCATTER
}
"""By the number of a collective, what each of a group receives where it begins with so many bytes."""


@cache
def step_of(name, **overrides):
    problem = OperatorProblem(load(name, **overrides))
    plan = solve(problem)
    return problem.step(plan.strategies), plan


def read_back(step, ranks, count):
    return [read_trace(trace_bytes(trace))[1] for trace in operator_traces(step, ranks, count)]


@pytest.mark.parametrize("overrides", [(("array", "a100-2x8"), ("batch", 16)), (("batch", 8),)])
def test_bytes_seconds_and_groups(overrides):
    step, plan = step_of("gpt2-block", **dict(overrides))
    leaves = step.partition.leaves
    traces, groups = read_back(step, range(leaves), leaves), groups_of(step.partition, range(leaves))
    received, calls = Fraction(0), defaultdict(set)
    for rank, trace in enumerate(traces):
        order = defaultdict(list)
        for one in trace:
            assert all(before < one.id for before in one.data_deps)
            if one.type == "COMM_COLL_NODE":
                said = one.attributes
                members = groups[int(said["pg_name"])]
                assert rank in members
                received += RING[said["comm_type"]](Fraction(said["comm_size"]), len(members))
                order[said["pg_name"]].append((one.name, said["comm_type"], said["comm_size"]))
        for group in groups:
            if rank in groups[group]:
                calls[group].add(tuple(order[str(group)]))
    assert received == plan.communication_bytes
    assert all(len(orders) == 1 for orders in calls.values())  # or members of a group would wait for each other
    picoseconds = sum(one.attributes.get("num_ops", 0) for one in traces[0])
    assert abs(picoseconds - sum(work.seconds for work in step.works) * 10**12) <= len(step.works)


def test_groups_are_those_that_differ_along_an_axis():
    step, _ = step_of("gpt2-block", batch=8)  # node (2) x gpu (4)
    assert groups_of(step.partition, range(8)) == {
        1: (0, 4), 2: (1, 5), 3: (2, 6), 4: (3, 7), 5: (0, 1, 2, 3), 6: (4, 5, 6, 7),
    }  # fmt: skip
    assert groups_of(step.partition, range(8, 0, -1))[5] == (8, 7, 6, 5)


def test_sums_of_gradients_hold_nothing_up():
    step, _ = step_of("gpt2-block", array="a100-2x8", batch=16)
    trace = read_back(step, range(16), 16)[3]
    waiting = {
        one.name.split()[0]
        for one in trace
        for before in one.data_deps
        if one.type == "COMP_NODE" and trace[before].name.startswith("update")
    }
    assert waiting == {"update"}
    moved = [one for one in trace if one.type == "COMM_COLL_NODE"]
    assert all(before.id in one.data_deps for before, one in pairwise(moved))
    assert len(moved) == len(step.movements)


def test_halos_are_sent_on_along_the_axis():
    fix = {"conv1_1": "batch height", "pool1": "batch height", "conv2_1": "batch height"}
    problem = OperatorProblem(load("vgg-a", axes="node=2,gpu=2", batch=4, fix=fix))
    step = problem.step(solve(problem).strategies)
    halos = [moved for moved in step.movements if moved.kind == "halo"]
    messages = defaultdict(list)
    for trace in read_back(step, range(4), 4):
        for one in trace:
            if one.type in ("COMM_SEND_NODE", "COMM_RECV_NODE"):
                said = one.attributes
                messages[said["comm_src"], said["comm_dst"], said["comm_tag"]].append((one.type, said["comm_size"]))
    assert all([kind for kind, _ in sorted(both)] == ["COMM_RECV_NODE", "COMM_SEND_NODE"] for both in messages.values())
    assert {(source, target) for source, target, _ in messages} == {(0, 1), (1, 0), (2, 3), (3, 2)}
    assert halos and sum(both[0][1] for both in messages.values()) == sum(moved.bytes for moved in halos)


def test_ranks_are_where_devices_stand():
    step, _ = step_of("gpt2-block", batch=8)
    traces = read_back(step, range(1, 9), 10)
    assert [[one.name for one in traces[rank]] for rank in (0, 9)] == [["idle"], ["idle"]]
    assert traces[1][0].attributes["pg_name"] == read_back(step, range(8), 8)[0][0].attributes["pg_name"]
