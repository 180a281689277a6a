"""Trees with shares as traces, played in orders of all kinds."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from hypar_opt import solve
from hypar_opt.export.send_schedules import TracedCollective
from hypar_opt.export.traces.sends import chunk_sizes
from hypar_opt.export.traces.trees import packing_traces
from hypar_opt.solver.packing_problem import PackingProblem
from tests.chakra_reader import read_trace
from tests.chakra_replay import Replay
from tests.collectives import collective_of

LINK = {"bandwidth": 5}
CASES = {
    "gather": lambda: collective_of("mesh", dims=[2, 3], bytes=6007, objective="bandwidth", link=LINK),
    "reduce": lambda: collective_of(
        "bigraph", "all-reduce", accelerators=4, bytes=999, objective="bandwidth", link=LINK
    ),
    "scatter": lambda: collective_of("ring", "reduce-scatter", accelerators=5, objective="bandwidth", link=LINK),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_share_gets_where_it_has_to_be(case):
    problem = PackingProblem(case())
    instance = problem.instance
    packing = problem.packed(solve(problem).strategies).packing
    files = TracedCollective(instance, packing_traces(instance, packing)).chakra
    traces = [read_trace(content)[1] for content in files.values()]
    size = {
        one.attributes["chunk"]: one.attributes["comm_size"]
        for trace in traces
        for one in trace
        if one.type == "COMM_SEND_NODE"
    }
    whole = Counter()
    for name, bytes_ in size.items():
        whole[name.partition("/")[0]] += bytes_
    assert [whole[chunk.name] for chunk in instance.chunks] == list(chunk_sizes(instance))
    of_chunk = {chunk.name: chunk for chunk in instance.chunks}
    for seed in range(3):
        replay = Replay(traces, {name: of_chunk[name.partition("/")[0]].sources for name in size}, random.Random(seed))
        replay.run()
        for name in size:
            chunk = of_chunk[name.partition("/")[0]]
            for target in chunk.targets:
                assert replay.held[target, name] == Counter(chunk.sources)
