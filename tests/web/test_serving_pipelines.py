"""Pipelines on the live page: what takes them, the plan by operator, stages, schedules, regrets."""

from __future__ import annotations

import pytest

from hypar_opt.instance.shipped import shipped_pipelines
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.solve import solve
from hypar_opt.studies.sensitivity import explain
from hypar_opt.web.form import instance_groups
from hypar_opt.web.kinds import JOB_KINDS
from hypar_opt.web.suited import suited
from hypar_opt.web.text_check import check_text
from tests.web.conftest import submit, until

TEXT = shipped_pipelines()["branched-training"].read_text(encoding="utf-8")


def test_what_takes_pipelines_is_said():
    answer = check_text(TEXT, {}, None)
    assert answer["fault"] is None
    assert answer["about"]["said"].startswith("branched-training: 11 operators")
    assert answer["about"]["as_text"]
    found = suited(problem_of("five-devices").instance)
    assert found["default"] == "pipeline-dp"
    assert found["declining"]["joint-dp"] == "it puts no operators into stages"
    assert "pipeline-cp-sat" not in found["declining"]
    assert "branched-training" in instance_groups()["Pipelines: operators with times, to be put into stages"]


def test_a_field_of_a_pipeline_that_is_wrong_is_blamed():
    fault = check_text(TEXT.replace("operators:", "operator:"), {}, None)["fault"]
    assert "did you mean 'operators'?" in fault["message"]


def test_a_plan_is_told_by_operator():
    problem = problem_of("branched-training")
    plan = solve(problem)
    kind = JOB_KINDS["pipeline"]
    found = kind.rows(problem, plan)
    assert found["axes"] == ["stage", "devices"]
    assert found["rows"][1]["entries"] == ["2", "gpu 1"]
    stages, schedules = found["tables"]
    assert stages["rows"][1][:3] == ["2", "gpu 1", "4"]
    assert schedules["title"] == "Schedules of a batch of 8 microbatches"
    explanation = explain(problem, plan)
    rows = kind.explained(found, problem, plan, explanation)["rows"]
    assert [(row["second"], row["regret"]) for row in rows[:3]] == [
        ("none allowed", ""), ("gpu 2", "0"), ("gpu 2", "0"),
    ]  # fmt: skip
    assert rows[4]["regret"] == "+17.3 ms"
    assert "the optimum is not unique" in kind.uniqueness(problem, explanation)


@pytest.mark.slow
def test_a_text_becomes_a_plan_and_a_report(client):
    done = until(client, submit(client, instance=TEXT, certificate=False, report=True))
    assert done["state"] == "done"
    assert done["outcome"]["unreported"] == ""
    page = client.get(f"/jobs/{done['id']}").text
    assert "Stages are numbered in the order of the pipeline." in page
    assert "+17.3 ms" in page
