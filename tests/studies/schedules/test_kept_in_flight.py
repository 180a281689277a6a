"""What stages keep according to a plan, and what they keep at most in a schedule of that name, moment by moment."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator, StageDevices
from hypar_opt.instance.pipeline.in_flight import IN_FLIGHT, ScheduleName
from hypar_opt.studies.schedules.compare import schedule_of_rule
from hypar_opt.studies.schedules.of_plan import stages_of
from hypar_opt.studies.schedules.rules import RULES

BYTES = st.fractions(0, 9, max_denominator=3)


def test_schedules_that_count_are_known_and_keep_versions_alike():
    assert tuple(IN_FLIGHT) == get_args(ScheduleName)
    for name, kept in IN_FLIGHT.items():
        assert (kept.name, kept.versions) == (name, RULES[name].versions)


@st.composite
def plans(draw):
    """Return stages of a graph of operators, with as many replicas each, by some schedule."""
    count, microbatches, replicas = draw(st.integers(1, 5)), draw(st.integers(1, 6)), draw(st.integers(1, 2))
    times = st.fractions(Fraction(1, 4), 5, max_denominator=4)
    operators = tuple(
        PipelineOperator(
            f"o{place}", "forward", {"gpu": draw(times)},
            tuple(f"o{before}" for before in range(place) if draw(st.booleans())), draw(BYTES), draw(BYTES),
            draw(BYTES), None, {"gpu": draw(times)}, draw(BYTES),
        )
        for place in range(count)
    )  # fmt: skip
    cuts = [0, *(draw(st.booleans()) for _ in operators[1:])]
    stages = [sum(cuts[: place + 1]) for place in range(count)]
    kind = DeviceKind("gpu", replicas * count, bandwidth=Fraction(3), replicas=replicas)
    schedule = draw(st.sampled_from(get_args(ScheduleName)))
    instance = PipelineInstance("it", "", operators, (kind,), microbatches=microbatches, schedule=schedule)
    devices = {
        one.name: StageDevices("gpu", 1 + stage * replicas, replicas)
        for one, stage in zip(operators, stages, strict=True)
    }
    return JudgedPipeline(instance, devices)


def peaks(judged):
    stages, rule = stages_of(judged), RULES[judged.instance.schedule]
    found = schedule_of_rule(rule, stages, len(stages), judged.instance.microbatches).judged
    return [found.peak(device) for device in range(len(stages))]


@given(plans())
def test_what_a_stage_keeps_is_the_most_that_its_schedule_keeps(judged):
    assert [stage.memory for stage in judged.stages] == peaks(judged)


@pytest.mark.parametrize("name", ["1f1b", "pipedream"])
def test_without_a_batch_as_many_are_in_flight_as_stages_stand_behind(name):
    record = IN_FLIGHT[name]
    assert [record.count(1, behind, None) for behind in (1, 2, 9)] == [1, 2, 9]
    assert [record.count(2, behind, None) for behind in (2, 3, 9)] == [1, 2, 5]
    assert record.count(1, 9, 4) == 4
