"""Collectives on the live page: what takes them, the schedule by chunk, steps and links."""

from __future__ import annotations

import pytest

from hypar_opt.instance.shipped import shipped_collectives
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.solve import solve
from hypar_opt.web.form import instance_groups
from hypar_opt.web.kinds import JOB_KINDS
from hypar_opt.web.suited import suited
from hypar_opt.web.text_check import check_text
from tests.web.conftest import submit, until

TREES = shipped_collectives()["dgx-1-trees"].read_text(encoding="utf-8")
TEXT = shipped_collectives()["ring-4"].read_text(encoding="utf-8")


def test_what_takes_collectives_is_said():
    answer = check_text(TEXT, {}, None)
    assert answer["fault"] is None
    assert answer["about"]["said"].startswith("ring-4: all-gather among all 4 accelerators of a ring")
    assert answer["about"]["as_text"]
    found = suited(problem_of("ring-4").instance)
    assert found["default"] == "collective-cp-sat"
    assert found["declining"]["joint-dp"] == "it decides no sends"
    assert "multitree" not in found["declining"]
    assert "ring-4" in instance_groups()["Collectives: data that accelerators gather, add up or exchange"]


def test_a_field_of_a_collective_that_is_wrong_is_blamed():
    fault = check_text(TEXT.replace("collective:", "colective:"), {}, None)["fault"]
    assert "did you mean 'collective'?" in fault["message"]


def test_a_schedule_is_told_by_chunk():
    problem = problem_of("ring-4")
    found = JOB_KINDS["collective"].rows(problem, solve(problem, "multitree"))
    assert found["axes"] == ["belongs to", "sends", "is everywhere"]
    assert found["rows"][0]["layer"] == "a0.1"
    assert found["rows"][0]["entries"] == ["a0", "3", "after step 2"]
    steps, links = found["tables"]
    assert [row[0] for row in steps["rows"]] == ["1", "2"]
    assert len(links["rows"]) == 8


def test_trees_are_told_by_chunk():
    problem = problem_of("dgx-1-trees")
    found = JOB_KINDS["packing"].rows(problem, solve(problem, "multitree"))
    assert found["axes"] == ["belongs to", "trees", "shares"]
    assert found["rows"][0]["entries"] == ["g0", "1", "1"]
    assert suited(problem.instance)["default"] == "forestcoll"
    assert "dgx-1-trees: all-gather" in check_text(TREES, {}, None)["about"]["said"]


@pytest.mark.slow
def test_a_text_becomes_a_schedule_and_a_report(client):
    done = until(client, submit(client, instance=TEXT, formulations=["multitree"], certificate=False, report=True))
    assert (done["state"], done["outcome"]["unreported"]) == ("done", "")
    page = client.get(f"/jobs/{done['id']}").text
    assert "A chunk belongs to whom it begins at" in page
    assert "no regrets" not in page
