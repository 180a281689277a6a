"""Steps of operators as task graphs: one after the other they take what the analytic model says."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from hypar_opt import load, solve
from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.evaluation.tasks.bounds import TaskProver
from hypar_opt.instance.tasks import TaskSchedule, read_task_graph
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.studies.tasks.of_operators import operator_tasks
from hypar_opt.util.errors import InputError, Refusal


@cache
def step_of(**overrides):
    problem = OperatorProblem(load("gpt2-block", **overrides))
    plan = solve(problem)
    return problem.step(plan.strategies), plan


@pytest.mark.slow
@pytest.mark.parametrize("batch", [16, 64])
def test_one_after_the_other_it_takes_what_the_model_says(batch):
    step, plan = step_of(array="a100-2x8", batch=batch, objective="time")
    document, begins = operator_tasks("block", step)
    graph = read_task_graph(document)
    judged = JudgedTasks(graph, TaskSchedule(begins))
    assert (judged.fault, judged.makespan) == (None, plan.objective)
    assert dict(graph.resources) == {"device": 1, "links along node": 1, "links along gpu": 1}
    # nothing is below the most that the device or one axis has to do
    assert judged.work("device") == sum(work.seconds for work in step.works)
    assert judged.work("device") <= TaskProver(graph).best.value <= plan.objective
    assert document["tasks"][0]["on"] == ["device"]
    assert {type(one["seconds"]) for one in document["tasks"]} <= {int, str}
    assert sum(Fraction(one["seconds"]) for one in document["tasks"]) == plan.objective


@pytest.mark.slow
def test_what_is_not_known_is_asked_for():
    step, _ = step_of(array="a100-2x8", batch=16, objective="time")
    with pytest.raises(InputError, match=r"array\.device: missing; expected what a device can do"):
        operator_tasks("block", replace(step, device=None))
    unknown = tuple(replace(link, bandwidth=None) for link in step.links)
    with pytest.raises(InputError, match=r"array\.axes: missing; expected bytes a second along every axis"):
        operator_tasks("block", replace(step, links=unknown))
    with pytest.raises(Refusal, match="counts bytes of compiled programs"):
        operator_tasks("block", replace(step, plan=replace(step.plan, emitted=object())))
