"""Batch times by a named schedule: against all plans, each of them simulated, and what is declined."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.formulation.run import limits_of
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.schedules.compare import compare_schedules
from hypar_opt.studies.schedules.of_plan import stages_of
from hypar_opt.util.errors import InputError, Refusal
from tests.formulations.pipeline.small_pipelines import best_of_all, random_pipeline
from tests.helpers import each


def asked(seed, **changes):
    """Return a random pipeline that asks for a batch's time, or None where its backward phase goes no one way."""
    schedule = ("gpipe", "1f1b")[seed % 2]
    found = replace(
        random_pipeline(seed),
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


@each("seed", range(400), quick=30)
def test_no_plan_is_quicker(seed):
    instance = asked(seed)
    if instance is None:
        return
    plan = solve(PipelineProblem(instance), "pipeline-batch")
    expected = best_of_all(instance)
    if expected is None:
        assert plan.status is Status.INFEASIBLE
    else:
        assert (plan.status, plan.objective) == (Status.OPTIMAL, expected)
