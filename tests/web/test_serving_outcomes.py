"""Every page, for every kind of outcome: none of a template's values is ever missing."""

import json
from dataclasses import replace

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.web.job import JobSolver, work
from hypar_opt.web.result import Result
from hypar_opt.web.settings import GIB
from hypar_opt.web.store import CANCELLED, DAMAGED, DONE, FAILED, INTERRUPTED, QUEUED, RUNNING
from tests.web.conftest import LENET, submit, until


def kinds():
    """Return jobs by the kind of what comes of them, and a piece of their pages."""
    placed = {"array": "torus-16", "placement": "free", "objective": "hop-bytes"}
    return {
        "declined": ({"shipped": "resnet-18", "formulations": ["hypar-dp"]}, "hypar-dp is for chains"),
        "one declines": ({"shipped": "resnet-18", "formulations": ["hypar-dp", "cp-sat"]}, "hypar-dp is for chains"),
        "optimal": ({"instance": LENET}, "OPTIMAL"),
        "feasible": ({"instance": LENET, "formulations": ["data-parallel", "joint-dp"]}, "FEASIBLE"),
        "placed": ({"shipped": "lenet-c", "overrides": placed, "formulations": ["alternating"]}, "alternating"),
        "placement alone": (
            {"shipped": "lenet-c", "overrides": placed, "formulations": ["local-search"]}, ">OPTIMAL placement</span>"
        ),
        "wrong": ({"instance": LENET.replace("levels: 4", "levels: 40")}, "array.levels"),
        "no levels": ({"instance": LENET.replace("levels: 4", "levels: 0")}, "lenet-c"),
        "a start that is none": ({"instance": LENET, "start": "[1"}, "the start plan"),
        "a strategy graph": ({"instance": '{"schema": "hypar-opt/graph/1", "nodes": []}'}, "error"),
    }  # fmt: skip


REPORTED = ("one declines", "placed", "declined")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", kinds())
def test_each_page_of_each_kind_is_shown(kind, client):
    asked, piece = kinds()[kind]
    job = until(client, submit(client, report=kind in REPORTED, **asked))
    page = client.get(f"/jobs/{job['id']}")
    assert page.status_code == 200
    assert piece in page.text
    assert client.get("/jobs").status_code == client.get("/").status_code == 200
    cells = job["outcome"]["cells"]
    assert all(cell["note"] in page.text for cell in cells if cell["status"] == "declined")
    if "report" in job["links"]:
        base = job["links"]["report"].removesuffix("index.html")
        assert client.get(job["links"]["report"]).status_code == client.get(base + "instance.html").status_code == 200
    for name in job["links"]:
        assert job["links"][name] in page.text, name


@pytest.mark.slow
def test_the_plan_of_each_formulation_is_reached_from_the_page(client):
    names = ["data-parallel", "hypar-dp", "joint-dp"]
    job = until(client, submit(client, shipped="resnet-18", formulations=names))
    page = client.get(f"/jobs/{job['id']}").text
    assert [cell["plan"] for cell in job["outcome"]["cells"]] == ["plan-1.json", "", "plan-3.json"]
    for name, file in (("data-parallel", "plan-1.json"), ("joint-dp", "plan-3.json")):
        assert f'href="{job["links"][file]}" download>{name}</a>' in page
        assert client.get(job["links"][file]).json()["formulation"] == name


WRITTEN_UP = {
    (Status.ERROR, "alone"): "there is no plan to report",
    (Status.NO_SOLUTION, "beside a refusal"): "there is no plan to report",
    (Status.INFEASIBLE, "beside a refusal"): "",
    (Status.ERROR, "beside a plan"): "",
}
MADE_UP = [Status.ERROR, Status.NO_SOLUTION, Status.INFEASIBLE, Status.FEASIBLE, Status.OPTIMAL]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("status", MADE_UP)
@pytest.mark.parametrize("others", ["alone", "beside a plan", "beside a refusal"])
def test_each_status_is_shown(status, others, state, serve, monkeypatch):
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.solve import solve

    def cell(self, name):
        plan = solve(self.problem, "joint-dp", limits=Limits(None, 0, 1, GIB))
        if name == "data-parallel":
            return Result(name, None, "it declines", None) if "refusal" in others else Result(name, plan, "", None)
        solved = status in (Status.FEASIBLE, Status.OPTIMAL)
        none = {} if solved else {"strategies": None, "costs": {}, "communication_bytes": None, "objective": None}
        return Result(name, replace(plan, status=status, native_status="made up", **none), "", None)

    monkeypatch.setattr(JobSolver, "cell", cell)
    names = ["cp-sat"] if others == "alone" else ["cp-sat", "data-parallel"]
    client, job = serve(), state[1]
    folder = state[0] / "jobs" / job
    order = json.loads((folder / "job.json").read_text())
    order["asked"] |= {"formulations": names, "report": (status, others) in WRITTEN_UP}
    work(folder, order)
    page = client.get(f"/jobs/{job}")
    assert page.status_code == 200
    assert f">{status.value}</span>" in page.text and "made up" in page.text
    shown = client.get(f"/api/jobs/{job}").json()
    assert [one["formulation"] for one in shown["outcome"]["cells"]] == names
    why = WRITTEN_UP.get((status, others), "")
    assert shown["outcome"]["unreported"] == why
    assert ("No report: there is no plan to report" in page.text) == bool(why)
    report = client.get(f"/jobs/{job}/report/instance.html").status_code
    assert report == (200 if (status, others) in WRITTEN_UP and not why else 404)


def test_each_state_is_shown(state, serve):
    client, job = serve(), state[1]
    store = client.app._app.state.site.store
    for one in (QUEUED, RUNNING, DONE, FAILED, CANCELLED, INTERRUPTED, DAMAGED):
        store._db.execute("UPDATE jobs SET state = ?, began = NULL", (one,))
        for path in (f"/jobs/{job}", "/jobs", "/"):
            page = client.get(path)
            assert page.status_code == 200
            assert f"state-{one}" in page.text
