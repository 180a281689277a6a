"""Batch times by a named schedule: against all plans, each of them simulated, and what is declined."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from formulations.pipeline.batch import is_line
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.schedules.compare import compare_schedules
from hypar_opt.studies.schedules.of_plan import stages_of
from hypar_opt.util.errors import InputError, Refusal
from tests.formulations.pipeline.small_pipelines import best_of_all, random_pipeline, random_schedule
from tests.helpers import each

LIMITS = Limits(workers=1)


def asked(seed, **changes):
    """Return a random pipeline that asks for a batch's time, or None where its backward phase goes no one way.

    Of every third seed it keeps what is in flight, in memories that are mostly tight.
    """
    schedule = ("gpipe", "1f1b")[seed % 2]
    found = replace(
        random_pipeline(seed, most=5) if seed % 3 else random_schedule(seed, most=5),
        contiguous=True,
        goal="batch-time",
        schedule=schedule,
        microbatches=1 + seed % 5,
        **changes,
    )
    try:
        PipelineProblem(found).graph  # noqa: B018 - compiled to be checked
    except InputError as error:
        assert "goes the way back" in error.message
        return None
    return found


@each("seed", range(70), quick=9)
def test_no_plan_is_quicker(seed):
    instance = asked(seed)
    if instance is None:
        return
    problem, expected = PipelineProblem(instance), best_of_all(instance)
    for name in ("pipeline-batch", "pipeline-batch-cp-sat"):
        plan = solve(problem, name, limits=LIMITS)
        if expected is None:
            assert plan.status is Status.INFEASIBLE
        elif name == "pipeline-batch" or instance.schedule == "gpipe" or is_line(problem.graph):
            assert (plan.status, plan.objective, plan.bound) == (Status.OPTIMAL, expected, expected)
        else:  # branches may stand in any order in the bound
            assert plan.bound <= expected <= plan.objective
            assert (plan.status is Status.OPTIMAL) == (plan.bound == plan.objective)


def chain(count, kinds, **changes):
    """Return a chain of unlike operators, each with a backward phase."""
    operators = tuple(
        PipelineOperator(
            f"o{place}",
            "forward",
            {kind.name: Fraction(1 + place % 3) for kind in kinds},
            (f"o{place - 1}",) if place else (),
            Fraction(1),
            backward={kind.name: Fraction(2 + place % 2) for kind in kinds},
        )
        for place in range(count)
    )
    found = PipelineInstance("chain", "", operators, kinds, goal="batch-time", schedule="1f1b", microbatches=4)
    return replace(found, **changes)


def batch_of_plan(instance, plan):
    """Return what the schedules' own code says of a plan."""
    stages = stages_of(PipelineProblem(instance).judged(plan.strategies))
    every = {one.name: one for one in compare_schedules(stages, instance.microbatches)}
    return every[instance.schedule].seconds


@pytest.mark.parametrize("schedule", ["gpipe", "1f1b", "pipedream"])
@pytest.mark.parametrize("overlapped", [False, True])
def test_it_is_what_the_schedule_of_that_name_takes(schedule, overlapped):
    if schedule == "pipedream" and overlapped:
        return  # transfers are a part of the slowest stage there, and a lag in the schedule
    instance = chain(7, (DeviceKind("a", 3, bandwidth=Fraction(4)),), schedule=schedule, overlapped=overlapped)
    plan = solve(instance)
    assert plan.status is Status.OPTIMAL
    assert plan.objective == batch_of_plan(instance, plan)


def test_the_best_of_the_slowest_stage_is_not_the_best_of_a_small_batch():
    instance = chain(6, (DeviceKind("a", 3, bandwidth=Fraction(1)),), schedule="gpipe", microbatches=1)
    quick = solve(instance)
    even = solve(replace(instance, goal="slowest-stage"))
    judged = PipelineProblem(instance).judged(even.strategies)
    assert quick.objective < judged.objective


def test_what_is_declined():
    one = (DeviceKind("a", 2),)
    with pytest.raises(Refusal, match="neither a sum over stages nor their maximum; try pipeline-batch"):
        solve(chain(3, one), "pipeline-dp")
    with pytest.raises(Refusal, match="this pipeline asks for another; try pipeline-dp"):
        solve(chain(3, one, goal="latency"), "pipeline-batch")
    with pytest.raises(Refusal, match="200 microbatches, beyond 128"):
        solve(chain(3, one, microbatches=200), "pipeline-batch")
    wide = chain(16, one)
    apart = tuple(replace(operator, reads=()) for operator in wide.operators)
    with pytest.raises(Refusal, match="this order has more than 1,500 down-sets"):
        solve(replace(wide, operators=apart), "pipeline-batch")


def test_a_limit_leaves_a_plan_and_a_bound():
    instance = chain(40, (DeviceKind("a", 4), DeviceKind("b", 3)), microbatches=8)
    plan = solve(instance, "pipeline-batch", time_limit=1e-9, start=solve(instance, "pipeline-one-device"))
    assert plan.status is Status.FEASIBLE
    assert 0 < plan.bound < plan.objective


def test_backward_operators_that_go_no_one_way_have_no_batch():
    forward = PipelineOperator("f", "forward", {"a": Fraction(1)}, together="f")
    other = PipelineOperator("g", "forward", {"a": Fraction(1)}, together="g")
    back = PipelineOperator("h", "backward", {"a": Fraction(1)}, ("f",), together="g")
    instance = replace(chain(1, (DeviceKind("a", 2),)), operators=(forward, other, back))
    with pytest.raises(InputError, match="the backward operator 'h' reads 'f', and no forward operators lead from"):
        solve(instance)


def test_rules_are_judged_by_the_batch():
    instance = chain(6, (DeviceKind("a", 3),))
    best, linear = solve(instance), solve(instance, "pipeline-linear")
    assert linear.status is Status.FEASIBLE
    assert linear.objective >= best.objective
    assert linear.objective == batch_of_plan(instance, linear)
