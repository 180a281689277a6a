"""Schedules on links: without any they take what schedules do, with links what these let through."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.studies.schedules import RULES, StageTimes, batch_of
from hypar_opt.studies.schedules.compare import compare_schedules
from hypar_opt.studies.schedules.links import messages_of, on_links, own_links, simulate_schedule
from hypar_opt.studies.schedules.of_plan import stages_of
from hypar_opt.util.errors import InputError, Refusal

TIMES = st.fractions(0, 4, max_denominator=3)


def line(count, bandwidth=Fraction(1)):
    return Machine(
        "custom",
        tuple(f"d{place}" for place in range(count)),
        ("hub",),
        tuple(Link((place, count), bandwidth) for place in range(count)),
    )


@given(st.lists(st.tuples(TIMES, TIMES), min_size=1, max_size=4), st.integers(1, 5))
def test_without_messages_it_is_the_schedule(times, microbatches):
    stages = [StageTimes(forward, backward, backward / 2) for forward, backward in times]
    for one in compare_schedules(stages, microbatches):
        rule = RULES.get(one.name)
        if one.judged is not None and rule is not None:
            batch = batch_of(rule, stages, len(stages), microbatches)
            assert simulate_schedule(batch, rule, (), line(len(stages))).time == one.judged.seconds


def judged_of(outputs, bandwidth=Fraction(1)):
    """Return stages one after the other that take 1 s forward and 1 s backward, and send so many bytes on."""
    operators = tuple(
        PipelineOperator(
            f"o{place}", "forward", {"a": Fraction(1)}, (f"o{place - 1}",) if place else (), Fraction(size),
            backward={"a": Fraction(1)},
        )
        for place, size in enumerate(outputs)
    )  # fmt: skip
    instance = PipelineInstance("line", "", operators, (DeviceKind("a", len(outputs), bandwidth=bandwidth),))
    problem = PipelineProblem(instance)
    return problem.judged({one.name: f"a {place + 1}" for place, one in enumerate(operators)})


def linked(judged, microbatches, machine=None):
    stages = stages_of(judged)
    known = {RULES["gpipe"]: Fraction(0)}
    machine = machine or own_links(judged, len(stages))
    (found,) = on_links(judged, stages, microbatches, known, machine, len(stages))
    return found


def test_a_message_is_on_its_way_while_devices_compute():
    found = linked(judged_of([3, 0]), 2)
    assert found.seconds == 1 + 3 + 3 + 1 + 1 + 1 + 1  # the second message waits for the first, then forward, backward
    assert found.moving == 6
    assert found.busiest == ("a 1 -> network", Fraction(6, 11))


def test_messages_wait_for_each_other_on_a_link_of_an_array():
    judged = judged_of([2, 2, 0])
    apart = linked(judged, 2).seconds
    bus = Machine(
        "custom",
        ("d0", "d1", "d2"),
        ("left", "right"),
        (
            Link((0, 3), Fraction(1)),
            Link((1, 4), Fraction(1)),
            Link((2, 3), Fraction(1)),
            Link((3, 4), Fraction(1, 2)),
        ),
    )
    assert linked(judged, 2, bus).seconds > apart


def test_what_is_refused():
    with pytest.raises(InputError, match="no device of the plan has a bandwidth"):
        own_links(judged_of([1, 0], None), 2)
    with pytest.raises(InputError, match="expected an array of 3 accelerators at least, got 2"):
        linked(judged_of([1, 1, 0]), 1, line(2))
    judged = judged_of([1, 0])
    kinds = (DeviceKind("a", 3, bandwidth=Fraction(1), replicas=2),)
    several = PipelineProblem(replace(judged.instance, kinds=kinds)).judged({"o0": "a 1-2", "o1": "a 3"})
    with pytest.raises(Refusal, match="on links a stage is done by one device"):
        messages_of(several)
