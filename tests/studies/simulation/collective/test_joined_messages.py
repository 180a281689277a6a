"""Chunks that go the same way at once are one message: one latency, the bytes of all, heads of their bytes together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt import solve
from hypar_opt.evaluation.collective import JudgedCollective
from hypar_opt.instance.collective import read_schedule
from hypar_opt.solver.collective_problem import CollectiveProblem
from hypar_opt.studies.simulation.collective import MessageFormat, simulate_collective
from tests.collectives import collective_of


def on_a_line(texts, **said):
    instance = collective_of(
        "mesh", "broadcast", root="a0", bytes=20, chunks=2, objective="time", messages="joined",
        link={"bandwidth": 10, "latency": 3}, **said
    )  # fmt: skip
    found = JudgedCollective(instance, read_schedule(instance, texts))
    assert found.fault is None, found.fault
    return found


TOGETHER = dict.fromkeys(("a0.1", "a0.2"), "a0>a1@0..5 a1>a2@5..10")


@pytest.mark.parametrize("sending", ["in-order", "greedy"])
@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        (None, 2 * (3 + 2)),
        # 20 bytes are five flits and a head; of messages of two flits, three heads
        (MessageFormat(4), 2 * (3 + Fraction(6 * 4, 10))),
        (MessageFormat(4, 2), 2 * (3 + Fraction(8 * 4, 10))),
    ],
)
def test_a_message_has_one_latency_and_the_bytes_of_all(sending, message, seconds):
    found = simulate_collective(on_a_line(TOGETHER, dims=[3]), sending, message)
    assert (found.time, len(found.simulation.graph), found.waiting.sends) == (seconds, 2, 0)


def test_a_message_goes_once_all_of_it_is_there():
    # the first chunk is there after 4 s and waits for the second, which follows a second later
    texts = {"a0.1": "a0>a1@0..4 a1>a2@8..13", "a0.2": "a0>a1@4..8 a1>a2@8..13"}
    found = simulate_collective(on_a_line(texts, dims=[3]), "in-order")
    assert [len(one.waits_for) for one in found.simulation.graph.tasks] == [0, 0, 2]
    assert found.time == 5 + 5 < found.analytic == 13
    single = replace(found.judged, instance=replace(found.judged.instance, messages="single"))
    assert single.fault is not None


@pytest.mark.parametrize("name", ["recursive-doubling", "rabenseifner"])
def test_algorithms_of_stages_take_what_they_say(name):
    instance = collective_of(
        "hypercube", "all-reduce", accelerators=8, bytes=240, objective="time", messages="joined",
        link={"bandwidth": 10, "latency": 3},
    )  # fmt: skip
    judged = CollectiveProblem(instance).judged(solve(instance, name).strategies)
    found = simulate_collective(judged, "in-order")
    assert found.time == found.analytic == judged.seconds
    assert len(found.simulation.graph) < len(judged.schedule.sends)
