"""Task graphs on the live page: what takes them, the schedule by task, and what is below it."""

from __future__ import annotations

import pytest

from hypar_opt.instance.shipped import shipped_task_graphs
from hypar_opt.web.form import instance_groups
from hypar_opt.web.text_check import check_text
from tests.web.conftest import submit, until

TEXT = shipped_task_graphs()["six-tasks"].read_text(encoding="utf-8")


def test_what_a_task_graph_is_is_said():
    answer = check_text(TEXT, {}, None)
    assert answer["fault"] is None
    assert answer["about"]["said"].startswith("six-tasks: 6 tasks, 2 x multiplier")
    assert answer["about"]["as_text"]
    assert "six-tasks" in instance_groups()["Task graphs: what is done when, on which units"]


def test_a_field_of_a_task_graph_that_is_wrong_is_blamed():
    fault = check_text(TEXT.replace("resources:", "resuorces:"), {}, None)["fault"]
    assert "did you mean 'resources'?" in fault["message"]


@pytest.mark.slow
def test_a_text_becomes_a_schedule_and_a_report(client):
    done = until(client, submit(client, instance=TEXT, formulations=["task-list-tail"], certificate=False, report=True))
    assert (done["state"], done["outcome"]["unreported"]) == ("done", "")
    page = client.get(f"/jobs/{done['id']}").text
    assert ">Task<" in page and ">begins<" in page
    assert "In the order of begins" in page
    assert "What leads up to the last end" in page
    assert "On each axis" not in page and "no regrets" not in page
    assert 'id="plan-figure"' in page
