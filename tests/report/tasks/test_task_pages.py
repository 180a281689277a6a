"""Task graphs on pages, live pages, and two schedules beside each other."""

from __future__ import annotations

import json
from functools import cache

import pytest
from rich.console import Console

from hypar_opt import solve
from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.report.compare_plans import COMPARISON_VIEWS
from hypar_opt.solver.plan import plan_document
from hypar_opt.solver.task_problem import TaskProblem
from hypar_opt.studies.compare_plans import compare_plans
from hypar_opt.util.errors import InputError
from tests.task_graphs import task_graph_document

DOCUMENT = task_graph_document(
    {"on": ["core"], "seconds": "1/3", "keeps": [{"memory": "hbm", "amount": 7, "until": "k2"}]},
    {"on": ["core"], "seconds": 2, "after": ["k1"]},
    {"on": ["core"], "seconds": 1, "group": "g"},
    {"on": ["core"], "seconds": 1, "group": "g"},
    resources={"core": 1},
    memories={"hbm": 10},
)


@cache
def problem():
    return TaskProblem(read_task_graph(DOCUMENT))


@cache
def plans():
    """Return two plans: tasks as the file has them, and the other of the group done first."""
    first = solve(problem(), "task-list-first")
    texts = {"k1": "1", "k2": "4/3", "k3": "not done", "k4": "0"}
    document = json.loads(json.dumps(plan_document(first))) | {"plan": texts, "formulation": "by-hand"}
    return first, document


@pytest.fixture
def comparison(tmp_path):
    """Return the two compared."""
    first, document = plans()
    (tmp_path / "other.json").write_text(json.dumps(document), encoding="utf-8")
    return compare_plans(first, tmp_path / "other.json", problem())


def test_two_schedules_are_compared_task_by_task(comparison):
    moved = {one.task: tuple(map(str, one.begins)) for one in comparison.moved}
    assert moved["k4"] == ("None", "0")
    assert moved["k3"][1] == "None"
    assert list(moved)[:2] == ["k3", "k4"]
    assert comparison.more == 0


def test_a_comparison_is_told(comparison):
    view = COMPARISON_VIEWS["task-graph"]
    assert view.headline(comparison).splitlines()[-1] == (
        "it: 2 of 4 tasks are done at other times, 2 in one of them only; the second less the first: 0"
    )
    console = Console(width=120, record=True, file=None, quiet=False)
    view.show(console, comparison)
    text = console.export_text()
    assert "hbm: most kept" in text
    assert "not done" in text
    document = view.document(comparison)
    assert document["tasks"][1] == {"task": "k4", "begins_s": [None, 0]}
    assert document["more"] == 0


@pytest.mark.slow
def test_a_comparison_is_a_table_of_pandas(comparison):
    assert comparison.to_frame()["task"].tolist() == [one.task for one in comparison.moved]


def test_equal_schedules_are_the_same():
    first, _ = plans()
    found = compare_plans(first, first, problem())
    assert COMPARISON_VIEWS["task-graph"].headline(found).endswith("it: the schedules are the same")


def test_what_is_no_schedule_is_not_compared(tmp_path):
    first, document = plans()
    wrong = document | {"plan": document["plan"] | {"k2": "0"}}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong), encoding="utf-8")
    with pytest.raises(InputError, match=r"k2 begins at 0 s, about 1\.333333333 s too early"):
        compare_plans(first, tmp_path / "wrong.json", problem())


def test_live_pages_have_a_row_a_task_and_tables():
    from hypar_opt.web.kinds import JOB_KINDS

    first, _ = plans()
    found = JOB_KINDS["task-graph"].rows(problem(), first)
    assert next((row["layer"], *row["entries"]) for row in found["rows"]) == ("k1", "0", "333.3 ms", "core 1")
    assert found["axes"] == ["begins", "ends", "has"]
    assert [table["title"] for table in found["tables"]] == ["Resources", "Memories", "What leads up to the last end"]
    assert found["tables"][1]["rows"][0][:3] == ["hbm", "10", "7"]
    assert "OPTIMAL" in JOB_KINDS["task-graph"].headline(problem(), first)


def test_live_pages_say_what_a_task_graph_is_and_who_takes_it():
    from hypar_opt.web.suited import suited
    from hypar_opt.web.text_check import ABOUT

    instance = problem().instance
    about = ABOUT["task-graph"](instance, None)
    assert (about["layers"], about["axes"]) == (4, "1 x core")
    found = suited(instance)
    assert found["default"] == "task-cp-sat"
    assert found["declining"]["multitree"] == "it decides no begins of tasks"
    assert "task-list-tail" not in found["declining"]


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["makespan", "period"])
def test_a_page_has_the_schedule_its_bounds_and_what_it_waits_for(goal, tmp_path):
    from hypar_opt.report.content import Report, gather, provenance
    from hypar_opt.report.pages import prepare, write_report

    instance = read_task_graph(DOCUMENT | {"objective": goal})
    subjects, faults = gather([instance], ["task-list-tail"])
    prepare(tmp_path, [])
    write_report(Report("of a test", subjects, provenance("", 0), faults=faults), tmp_path)
    page = (tmp_path / "it.html").read_text(encoding="utf-8")
    sections = {"bounds", "resources", "memories", "tasks-table"} | ({"chain"} if goal == "makespan" else set())
    assert all(f'<h2 id="{name}">' in page for name in sections)
    assert ('<h2 id="chain">' in page) == (goal == "makespan")
    assert "core has 1 unit, of which k1, k2 and one of g" in page
    rows = (tmp_path / "data" / "it" / "resources.csv").read_text(encoding="utf-8").splitlines()
    assert rows == ["resource,units,tasks,work_s,busy", "core,1,3,10/3,1"]
    assert "Begins for 1 task graph, by 1 formulation" in (tmp_path / "index.html").read_text(encoding="utf-8")
