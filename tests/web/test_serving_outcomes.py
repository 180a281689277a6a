"""Every page, for every kind of outcome: none of a template's values is ever missing."""

import json
from dataclasses import replace
from fractions import Fraction
from html import unescape

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.web.job import JobSolver, work
from hypar_opt.web.result import Result, gap_of
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_page_says_what_second_best_strategies_would_cost(client):
    from hypar_opt.instance import load
    from hypar_opt.report.numbers import in_objective
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.sensitivity import explain

    job = until(client, submit(client, shipped="lenet-c"))
    outcome, problem = job["outcome"], NetworkProblem(load("lenet-c"))
    regrets = explain(problem, solve(problem)).regrets
    assert len(outcome["rows"]) == len(regrets) > 0
    page = client.get(f"/jobs/{job['id']}").text
    for row in outcome["rows"]:
        regret = regrets[row["layer"]]
        sign = "+" if regret.cost else ""
        assert (row["second"], row["regret"]) == (
            regret.second_best,
            f"{sign}{in_objective(problem.objective, regret.cost)}",
        )
        assert f'<td class="kept">{row["second"]}</td><td class="number">{row["regret"]}</td>' in page
    assert "the optimum is not unique" in outcome["regrets"] and outcome["regrets"][1:] in unescape(page)


WITHOUT_REGRETS = {
    "its tables need about": {"formulations": ["data-parallel"], "limits": {"memory_gib": 1e-7}},
}


@pytest.mark.slow
@pytest.mark.sampled(1)
@pytest.mark.parametrize("why", WITHOUT_REGRETS)
def test_why_there_are_no_regrets_is_said(why, client):
    job = until(client, submit(client, shipped="lenet-c", **WITHOUT_REGRETS[why]))
    said = job["outcome"]["regrets"]
    assert said.startswith("no regrets: ") and why in said
    assert not any(row["second"] for row in job["outcome"]["rows"])
    assert said[1:] in unescape(client.get(f"/jobs/{job['id']}").text)


@pytest.mark.parametrize("error", [MemoryError(), Refusal("no more")])
def test_regrets_that_fail_leave_the_plan(error, state, serve, monkeypatch):
    from hypar_opt.studies import sensitivity

    def failing(*_):
        raise error

    monkeypatch.setattr(sensitivity, "explain", failing)
    client, job = serve(), state[1]
    folder = state[0] / "jobs" / job
    work(folder, json.loads((folder / "job.json").read_text()))
    outcome = client.get(f"/api/jobs/{job}").json()["outcome"]
    assert (outcome["status"], outcome["error"]) == ("OPTIMAL", "")
    assert outcome["regrets"] == f"no regrets: {str(error) or 'out of memory'}"
    assert outcome["certificate"]["proven"]


def test_what_given_strategies_cost_is_said_as_the_terminal_says_it(client):
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance import load
    from hypar_opt.solver.given_price import with_price
    from hypar_opt.solver.network_problem import NetworkProblem

    given = {"conv1": "mmmm"}
    job = until(client, submit(client, shipped="lenet-c", overrides={"fix": given}))
    said, page = job["outcome"]["price"], unescape(client.get(f"/jobs/{job['id']}").text)
    assert said.startswith("the given strategies cost ") and said.endswith("(proven by joint-dp)")
    assert f'id="price">T{said[1:]}.</p>' in page
    problem = NetworkProblem(load("lenet-c", fix=given))
    assert with_price(problem, solve(problem), Limits()).note.endswith(f"; {said}")


@pytest.mark.slow
def test_without_given_strategies_nothing_is_said_of_what_they_cost(client):
    job = until(client, submit(client, shipped="lenet-c"))
    assert job["outcome"]["price"] == ""
    assert 'id="price"' not in client.get(f"/jobs/{job['id']}").text


def test_a_price_that_is_not_found_leaves_the_plan(serve, monkeypatch, tmp_path):
    from hypar_opt.solver import given_price

    def failing(_problem, _plan, _limits):
        outcome = json.loads((tmp_path / "outcome.json").read_text())
        assert outcome["status"] == "OPTIMAL" and outcome["regrets"], "the plan waits for it"
        raise MemoryError

    monkeypatch.setattr(given_price, "with_price", failing)
    (tmp_path / "instance.yaml").write_text(LENET + "fix: {conv1: mmmm}\n")
    work(tmp_path, {"memory": GIB, "time_s": 60, "asked": {}})
    outcome = json.loads((tmp_path / "outcome.json").read_text())
    assert (outcome["status"], outcome["error"]) == ("OPTIMAL", "")
    assert outcome["price"] == "what the given strategies cost is not known: out of memory"


@pytest.mark.parametrize(
    ("cost", "least", "said"),
    [(7, 7, "none"), (3, 2, "50 %"), (3, 0, ""), (0, 0, "none"), (None, 2, ""), (3, None, "")],
)
def test_how_far_a_plan_is_above_its_bound(cost, least, said):
    assert gap_of(*(None if value is None else Fraction(value) for value in (cost, least))) == said


def test_values_of_other_problems_are_not_told(tmp_path):
    """A placement's bound holds for its strategies alone, and these were found by another objective."""
    from hypar_opt.instance import load
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.web.event_log import Teller

    placed = load("lenet-c", array="torus-16", placement="free", objective="hop-bytes")
    problem, told = NetworkProblem(placed), tmp_path / "events.jsonl"
    heard = []
    with told.open("ab", buffering=0) as stream, Teller(stream, problem) as teller:
        plan = solve(problem, "placement-cp-sat", listener=lambda event: (heard.append(event), teller.hear(event)))
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    values = [(line["event"], line["value"]) for line in lines if "value" in line]
    assert "bound" in {event.kind for event in heard} and plan.objective is not None
    assert values[-1] == ("incumbent", int(plan.objective))
    assert {kind for kind, _ in values} == {"incumbent"}
    assert {line["source"] for line in lines if "value" in line} == {"placement-cp-sat"}


def test_at_the_end_the_bound_is_told_that_the_search_did_not_come_to(tmp_path):
    """The chart's lines meet where the page says that there is no gap; nothing is told twice."""
    from hypar_opt.instance import load
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.web.event_log import Teller

    problem, told = NetworkProblem(load("lenet-c", fix={"conv1": "mmmm"})), tmp_path / "events.jsonl"
    with told.open("ab", buffering=0) as stream, Teller(stream, problem) as teller:
        plan = solve(problem, "joint-dp")
        for _ in range(2):
            teller.conclude(plan)
        teller.conclude(replace(plan, status=Status.ERROR, objective=Fraction(1)))
    lines = [json.loads(line) for line in told.read_text().splitlines()]
    assert [(line["event"], line["value"], line["unit"]) for line in lines] == [
        ("incumbent", int(plan.objective), "B"), ("bound", int(plan.objective), "B"),
    ]  # fmt: skip


@pytest.mark.slow
def test_the_sentences_why_are_those_of_the_terminal(client):
    from hypar_opt.instance import load
    from hypar_opt.report.reasons import why_lines
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.reasons import reasons_of

    job = until(client, submit(client, shipped="lenet-c"))
    problem = NetworkProblem(load("lenet-c"))
    lines = why_lines(problem, reasons_of(problem, solve(problem)))
    assert job["outcome"]["why"] == [*lines[1:], lines[0].removeprefix("why: ")]
    assert lines[1] in unescape(client.get(f"/jobs/{job['id']}").text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("objective", "why"),
    [("energy", "certificates are of weighted bytes, and the objective is more than that"), (None, "")],
)
def test_a_certificate_that_is_not_there_says_why_and_a_report_has_what_the_page_has(client, objective, why):
    overrides = {"array": "hypar-16", "objective": objective} if objective else {}
    job = until(client, submit(client, shipped="lenet-c", overrides=overrides, report=bool(objective)))
    assert job["outcome"]["uncertified"] == why
    page = client.get(f"/jobs/{job['id']}").text
    assert (f"No certificate: {why}." in page) == bool(why)
    if objective:
        report = client.get(f"/jobs/{job['id']}/report/instance.html").text
        assert "what the best plan with another strategy of a layer costs more" in report
        assert "Why each layer is as it is" in report and "not asked for" not in report


def test_what_workers_run_and_what_killed_them_is_told_in_words(tmp_path):
    from hypar_opt.formulation.progress import Progress
    from hypar_opt.formulation.run import Event
    from hypar_opt.instance import load
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.web.event_log import Teller

    told = tmp_path / "events.jsonl"
    with told.open("ab", buffering=0) as stream, Teller(stream, NetworkProblem(load("lenet-c"))) as teller:
        teller.hear(Event("progress", 0.0, "explore", progress=Progress(3, 1024, "plans", running=2, failed=1)))
    assert json.loads(told.read_text())["text"] == "3 of 1,024 plans, 2 running, 1 failed"
