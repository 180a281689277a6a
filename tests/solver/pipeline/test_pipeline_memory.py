"""Why a pipeline fits nowhere: what is needed, what there is, and how much would be enough."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt import solve
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator


def chain(*memory, together=None, activations=0, **others):
    operators = [
        PipelineOperator(f"o{place}", "forward", {"gpu": 1}, (f"o{place - 1}",) if place else (), 0, Fraction(one),
                         together=together, activations=Fraction(activations))
        for place, one in enumerate(memory)
    ]  # fmt: skip
    return PipelineInstance("it", "", tuple(operators), (DeviceKind("gpu", 2, Fraction(10)),), **others)


@pytest.mark.parametrize(
    ("instance", "said"),
    [
        (chain(4, 12, 4), "memory: 'o1' keeps 12 bytes, and gpu has 10"),
        (chain(6, 6, together="x"), "memory: 'o0' with all that stands with it keeps 12 bytes, and gpu has 10"),
        (chain(8, 8, 8), "memory: operators keep 24 bytes, and all devices together have 20"),
        (chain(6, 6, 6), "memory: operators keep 18 bytes, all devices together have 20, and in no division"),
    ],
)
def test_what_is_said_and_what_helps(instance, said):
    plan = solve(instance)
    assert plan.status is Status.INFEASIBLE
    assert plan.note.startswith(said)
    enough = Fraction(plan.note.rpartition("enough would be: memory: ")[2].partition(" of gpu")[0])
    roomy = replace(instance, kinds=(replace(instance.kinds[0], memory=enough),))
    assert solve(roomy).status is Status.OPTIMAL


BATCH = {"schedule": "gpipe", "microbatches": 8, "activations": 1}
ANEW = "recompute: operators"


@pytest.mark.parametrize(
    ("instance", "said", "levers"),
    [
        (chain(4, 2, **BATCH), "'o0' keeps 12 bytes with 8 microbatches in flight, and gpu has 10",
         ["at most 6 microbatches", "the schedule 1f1b", "the schedule pipedream", ANEW]),
        (chain(1, 1, 1, **BATCH), "keep 27 bytes with 8 microbatches in flight, and all devices together have 20",
         ["at most 4 microbatches", "the schedule 1f1b", "the schedule pipedream", ANEW, "3 devices of gpu"]),
        (chain(5, 8, schedule="1f1b", microbatches=3, activations=3),
         "'o1' keeps 11 bytes with 1 microbatch in flight, more in front of other stages, and gpu has 10", []),
        (chain(5, 7, schedule="1f1b", microbatches=3, activations=3),
         "keep 18 bytes with 1 microbatch in flight, more in front of other stages, all devices together have 20",
         ["1 microbatch", ANEW]),
    ],
)  # fmt: skip
def test_what_is_in_flight_is_said_and_what_helps(instance, said, levers):
    plan = solve(instance)
    assert plan.status is Status.INFEASIBLE
    assert said in plan.note
    assert plan.note.partition("enough would be: ")[2].split("; or ")[1:] == levers


def test_a_schedule_by_which_there_is_no_batch_is_no_way_out():
    instance = chain(4, 6, schedule="pipedream", microbatches=8, activations=5, goal="batch-time")
    first, second = instance.operators
    plan = solve(replace(instance, operators=(first, replace(second, read_bytes={"o0": Fraction(1)}))))
    assert plan.status is Status.INFEASIBLE
    assert "the schedule" not in plan.note


def test_stages_that_are_too_few():
    plan = solve(replace(chain(8, 8), stages=1))
    assert (plan.status, plan.note) == (Status.INFEASIBLE, "no plan has 1 stages or fewer; enough would be: stages: 2")


def test_devices_that_are_missing_are_no_shortage_of_memory():
    apart = (PipelineOperator("a", "forward", {"gpu": 1}, (), 0, Fraction(1)),
             PipelineOperator("b", "forward", {"cpu": 1}, ("a",)),
             PipelineOperator("c", "forward", {"gpu": 1}, ("b",)))  # fmt: skip
    kinds = (DeviceKind("gpu", 1, Fraction(9)), DeviceKind("cpu", 1))
    plan = solve(PipelineInstance("it", "", apart, kinds))
    assert plan.status is Status.INFEASIBLE
    assert "no plan with any memory either" in plan.note
