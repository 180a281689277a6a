"""What is told of pipelines' regrets, and of two of their plans."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hypar_opt.report.compare_stages import stage_comparison_document, stage_comparison_headline
from hypar_opt.report.stage_regrets import operator_rows, stage_cells, stage_regrets_document, stage_regrets_table
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.solve import solve
from hypar_opt.studies.compare_plans import compare_plans
from hypar_opt.studies.sensitivity import explain
from hypar_opt.util.errors import InputError


@pytest.fixture(scope="module")
def problem():
    return problem_of("replicated-convolutions")


@pytest.fixture(scope="module")
def plan(problem):
    return solve(problem)


def test_regrets_by_stage_and_by_operator(problem, plan):
    judged, explanation = problem.judged(plan.strategies), explain(problem, plan)
    assert stage_cells(explanation, judged.stages[0].operators) == {
        "least regret": "+8.444 ms",
        "its operator": "conv4 on gpu 4",
    }
    rows = {row["operator"]: row for row in operator_rows(judged, explanation)}
    assert (rows["conv1"]["in the one before"], rows["conv1"]["in the one behind"]) == ("none allowed", "+238.4 ms")
    document = stage_regrets_document(problem, explanation)
    assert document["regrets"]["conv4"] == {
        "second_best": "gpu 4",
        "cost": "19/2250",
        "before": None,
        "behind": "19/2250",
    }
    assert document["unique"] is True
    assert len(stage_regrets_table(judged, explanation).rows) == 7


def test_two_plans_of_a_pipeline(problem, plan, tmp_path):
    other = solve(problem, "pipeline-equal")
    found = compare_plans(plan, other, problem)
    assert [(str(one.first), str(one.second)) for one in found.moved] == [
        ("gpu 1-3", "gpu 1"), ("gpu 1-3", "gpu 2"), ("gpu 4", "gpu 3"),
    ]  # fmt: skip
    assert found.more == other.objective - plan.objective > 0
    document = json.loads(json.dumps(stage_comparison_document(found)))
    assert sum(len(one["operators"]) for one in document["moved"]) == len(found.to_frame()) == 6
    gone = next(one for one in document["stages"] if one["devices"] == "gpu 1-3")
    assert (gone["first"]["operators"], gone["second"]) == (4, None)
    assert "6 of 7 operators stand on other devices" in stage_comparison_headline(found)
    assert "the plans are the same" in stage_comparison_headline(compare_plans(plan, plan, problem))


def test_plans_that_are_none_are_not_compared(problem, plan):
    poor = replace(plan, strategies={**plan.strategies, "conv1": "gpu 4"})
    with pytest.raises(InputError, match="circle"):
        compare_plans(plan, poor, problem)
