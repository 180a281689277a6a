"""Operators that take less where they compute activations anew, as measured seconds may have it, and where they may."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt import load, solve
from hypar_opt.instance.pipeline import DeviceKind, OperatorWay, PipelineInstance, PipelineOperator
from hypar_opt.solver.pipeline_problem import PipelineProblem

ANEW = OperatorWay({"gpu": Fraction(1)}, {"gpu": Fraction(1)}, Fraction(9))
OPERATOR = PipelineOperator(
    "a",
    "forward",
    {"gpu": Fraction(1)},
    backward={"gpu": Fraction(2)},
    activations=Fraction(2),
    ways={(1, True): ANEW},
)


def pipeline(memory, recompute):
    kinds = (DeviceKind("gpu", 1, memory),)
    return PipelineInstance("it", "", (OPERATOR,), kinds, schedule="1f1b", recompute=recompute)


@pytest.mark.parametrize("name", ["pipeline-dp", "pipeline-cp-sat", "pipeline-milp"])
@pytest.mark.parametrize("recompute", ["operators", "stages"])
def test_they_do_so_wherever_that_fits(name, recompute):
    for memory, least in ((None, 2), (Fraction(9), 2), (Fraction(8), 3)):
        plan = solve(pipeline(memory, recompute), name)
        assert (plan.status, plan.objective) == ("OPTIMAL", least)


@pytest.mark.parametrize("recompute", ["operators", "stages"])
@pytest.mark.parametrize("seconds", [1, 5])
def test_a_plan_that_need_not_is_one_to_start_from(recompute, seconds):
    slow = replace(OPERATOR, ways={(1, True): replace(ANEW, backward={"gpu": Fraction(seconds)})})
    problem = PipelineProblem(replace(pipeline(None, recompute), operators=(slow,)))
    for text in ("gpu 1", "gpu 1 recompute"):
        assert problem.graph.feasible(problem.choices({"a": text}))


def test_split_operators_are_where_they_may_be(tmp_path):
    (tmp_path / "p.yaml").write_text(
        "{schema: hypar-opt/pipeline/1, name: p, devices: [{kind: gpu, count: 2}, {kind: cpu, count: 1}], "
        "operators: [{name: a, seconds: {cpu: 5}, tensor: [{degree: 2, seconds: 1}]}]}"
    )
    plan = solve(load(tmp_path / "p.yaml"))
    assert (plan.status, plan.objective) == ("OPTIMAL", 5)  # two gpus would take 1 s, and may not


def test_a_start_may_have_what_takes_no_time_elsewhere():
    idle = PipelineOperator("idle", "forward", {"gpu": Fraction(0), "cpu": Fraction(0)})
    busy = PipelineOperator("busy", "forward", {"cpu": Fraction(1)}, ("idle",))
    kinds = (DeviceKind("gpu", 1), DeviceKind("cpu", 1))
    problem = PipelineProblem(PipelineInstance("it", "", (idle, busy), kinds))
    choices = problem.choices({"idle": "gpu 1", "busy": "cpu 1"})
    assert problem.graph.feasible(choices)
    assert problem.graph.value(choices) == problem.graph.unit
