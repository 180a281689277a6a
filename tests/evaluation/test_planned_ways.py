"""Plans whose operators are split or compute activations anew, recounted by hand, and what may not be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.instance.pipeline import DeviceKind, OperatorWay, PipelineInstance, PipelineOperator, PlannedOperator
from hypar_opt.studies.schedules.of_plan import stages_of


def ones(number):
    return {"gpu": Fraction(number)}


MAKER = PipelineOperator(
    "a", "forward", ones(4), output=Fraction(10), memory=Fraction(1), parameters=Fraction(8), backward=ones(8),
    activations=Fraction(6), sent_bytes={"b": Fraction(30)},
    ways={
        (1, True): OperatorWay(ones(4), ones(12), Fraction(7), Fraction(0), Fraction(8), {}, {"b": Fraction(30)}),
        (2, False): OperatorWay(ones(2), ones(4), Fraction(1), Fraction(3), Fraction(4), {}, {"b": Fraction(50)}),
        (2, True): OperatorWay(ones(2), ones(6), Fraction(4), Fraction(0), Fraction(4), {}, {"b": Fraction(50)}),
    },
)  # fmt: skip
ALONE = PipelineOperator("b", "forward", ones(1), ("a",), read_bytes={"a": Fraction(20)}, backward=ones(1))
SHARES = PipelineOperator("c", "forward", ones(1), ("a",), backward=ones(1))
GPUS = (DeviceKind("gpu", 8, Fraction(20), Fraction(10), 4),)
INSTANCE = PipelineInstance(
    "it", "", (MAKER, ALONE, SHARES, replace(SHARES, name="d")), GPUS, schedule="1f1b", recompute="operators"
)


def judged(*texts, instance=INSTANCE):
    planned = dict(zip("abcd", map(PlannedOperator.read, texts), strict=True))
    anew = frozenset(name for name, one in planned.items() if one.anew)
    return JudgedPipeline(instance, {name: one.devices for name, one in planned.items()}, anew)


def test_a_stage_of_two_replicas_of_two_devices():
    plan = judged("gpu 1-4 tensor 2 recompute", "gpu 5", "gpu 5", "gpu 5")
    first, second = plan.stages
    assert plan.fault is None
    assert first.computing == (Fraction(2 + 6) + Fraction(4 * 4, 2 * 10)) / 2  # two replicas add up gradients
    assert first.sending == Fraction(10 + 50, 10 * 2)  # once for c and d, for b alone as it is sent by two devices
    assert second.reading == Fraction(10 + 20, 10)
    assert (first.in_flight, first.memory, first.anew) == (2, 4, ("a",))
    assert judged("gpu 1-4 tensor 2", "gpu 5", "gpu 5", "gpu 5").stages[0].memory == 1 + 2 * 3


def test_gradients_once_a_batch():
    rare = replace(INSTANCE, gradients="each-batch", microbatches=6)
    first = judged("gpu 1-2", "gpu 5", "gpu 5", "gpu 5", instance=rare).stages[0]
    assert first.computing == (Fraction(12) + Fraction(4 * 8, 2 * 10) * Fraction(2, 6)) / 2
    assert judged("gpu 1-4", "gpu 5", "gpu 5", "gpu 5", instance=rare).fault == (
        "gpu 1-4 are 4 replicas, among which 6 microbatches cannot be divided"
    )


def test_schedules_know_how_operators_are_done():
    first, second = stages_of(judged("gpu 1-2 tensor 2 recompute", "gpu 5", "gpu 5", "gpu 5"))
    assert (first.forward, first.backward) == (2 + Fraction(10 + 50, 10), 6)
    assert (first.kept, first.resident, first.parameters) == (0, 4, 4)
    assert second.forward == 3 + Fraction(10 + 20, 10)


@pytest.mark.parametrize(
    ("texts", "changes", "said"),
    [
        (("gpu 1-3 tensor 3", *["gpu 5"] * 3), {}, "a stands on gpu 1-3 tensor 3, and cannot be split over 3"),
        (("gpu 1", "gpu 5 recompute", "gpu 5", "gpu 5"), {},
         "b computes its activations anew on gpu 5, and it would keep no less"),
        (("gpu 1 recompute", *["gpu 5"] * 3), {"recompute": "never", "operators": (replace(MAKER, ways={}), ALONE)},
         "a computes its activations anew on gpu 1, and nothing here may"),
        (("gpu 1-2 tensor 2", "gpu 2", "gpu 5", "gpu 5"), {}, "gpu 2 is one of gpu 1-2 tensor 2 and of gpu 2"),
        (("gpu 1-6", "gpu 8", "gpu 8", "gpu 8"), {}, "gpu 1-6 are 6 replicas, and at most 4 do one stage"),
        (("gpu 1", *["gpu 2-4"] * 3), {"kinds": (replace(GPUS[0], memory=Fraction(12)),)},
         "memory: gpu 1 keeps 25 bytes, 4 microbatches in flight, and has 12"),
    ],
)  # fmt: skip
def test_what_may_not_be(texts, changes, said):
    found = judged(*texts, instance=replace(INSTANCE, **changes))
    assert said in (found.fault or "")


def test_whole_stages_compute_all_activations_anew_or_none():
    also = replace(ALONE, activations=Fraction(5), ways={(1, True): ALONE.way().anew(Fraction(0))})
    instance = replace(INSTANCE, operators=(MAKER, also), recompute="stages")
    planned = {name: PlannedOperator.read("gpu 1").devices for name in "ab"}
    for anew, said in (
        ((), None),
        (("a", "b"), None),
        (("a",), "gpu 1 computes activations of a anew and not of b"),
    ):
        assert JudgedPipeline(instance, planned, frozenset(anew)).fault == said
