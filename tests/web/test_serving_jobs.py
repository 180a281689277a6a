"""Jobs: what comes of them, and what happens to those that misbehave."""

import json
import os
import signal
import sqlite3
from types import SimpleNamespace

import pytest

from hypar_opt.web.job import work
from hypar_opt.web.job_request import Asked
from hypar_opt.web.settings import GIB, MIB
from tests.web.conftest import LENET, gone, submit, until, workers_in


def test_lenet_c_from_its_text_to_a_certificate(client, tmp_path):
    done = until(client, submit(client, instance=LENET))
    assert done["state"] == "done"
    assert done["label"] == "lenet-c"
    assert done["headline"].startswith("lenet-c: OPTIMAL by joint-dp in ")
    (cell,) = done["outcome"]["cells"]
    assert (cell["objective"]["exact"], cell["bound"]["exact"]) == ("17603040", "17603040")
    assert done["outcome"]["certificate"] == {"proven": True, "faults": [], "by": "joint-dp"}
    assert set(done["links"]) == {"instance.yaml", "plan.json", "plan.cert", "log.jsonl"}
    plan = client.get(done["links"]["plan.json"]).json()
    assert (plan["status"], plan["cost"]) == ("OPTIMAL", {"communication_bytes": 17603040})
    assert [row["word"] for row in done["outcome"]["rows"]] == list(plan["plan"].values())
    from hypar_opt.verification.certificate.header import check_file

    certificate = tmp_path / "plan.cert"
    certificate.write_bytes(client.get(done["links"]["plan.cert"]).content)
    assert check_file(certificate).proven


def test_the_verdict_on_a_certificate_is_what_the_checker_says_of_the_file(tmp_path, monkeypatch):
    seen = []

    def check(path):
        seen.append(path.read_bytes())
        return SimpleNamespace(proven=False, faults=("made up",))

    monkeypatch.setattr("hypar_opt.verification.certificate.header.check_file", check)
    (tmp_path / "instance.yaml").write_text(LENET)
    asked = Asked(instance="in its file").model_dump(exclude={"instance", "start"})
    work(tmp_path, {"memory": GIB, "time_s": 60, "asked": asked})
    outcome = json.loads((tmp_path / "outcome.json").read_text())
    assert outcome["certificate"] == {"proven": False, "faults": ["made up"], "by": "joint-dp"}
    assert seen == [(tmp_path / "plan.cert").read_bytes()]


@pytest.mark.slow
def test_several_formulations_are_compared_and_the_best_is_shown(client):
    names = ["data-parallel", "cp-sat", "joint-dp", "brute-force"]
    outcome = until(client, submit(client, shipped="vgg-a", formulations=names))["outcome"]
    assert [cell["formulation"] for cell in outcome["cells"]] == names
    assert outcome["cells"][3]["status"] == "declined"
    assert outcome["cells"][3]["note"].startswith("brute-force declines: ")
    assert [cell["formulation"] for cell in outcome["cells"] if cell["best"]] == ["cp-sat", "joint-dp"]
    # of two proofs the one that leaves evidence
    assert outcome["headline"][0].startswith("vgg-a: OPTIMAL by joint-dp")


def test_strategies_to_keep_are_applied_and_recorded(client):
    fix = {"conv*": "d...", "fc1": ".m.."}
    done = until(client, submit(client, shipped="lenet-c", overrides={"fix": fix}))
    plan = client.get(done["links"]["plan.json"]).json()
    assert plan["overrides"] == {"fix": fix}
    assert (plan["plan"]["conv1"][0], plan["plan"]["fc1"][1]) == ("d", "m")


def test_overrides_are_applied_and_recorded(client):
    asked = {"levels": 2, "array": "hypar-16", "batch": 64, "accounting": "as-evaluated", "objective": "time"}
    done = until(client, submit(client, shipped="lenet-c", overrides=asked))
    plan = client.get(done["links"]["plan.json"]).json()
    assert {name: plan["overrides"][name] for name in asked if name != "array"} == {
        "levels": 2, "batch": 64, "accounting": "as-evaluated", "objective": "time",
    }  # fmt: skip


@pytest.mark.slow
def test_a_report_is_written_and_served_as_a_page_of_no_origin(client):
    done = until(client, submit(client, instance=LENET, report=True))
    page = client.get(done["links"]["report"])
    assert page.status_code == 200 and "lenet-c" in page.text
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts ")
    base = done["links"]["report"].removesuffix("index.html")
    assert client.get(f"{base}assets/report.css").status_code == 200
    for path in ("../plan.json", "..%2fplan.json", "%2e%2e/plan.json", "assets", "", "/etc/passwd", "%2fetc%2fpasswd"):
        assert client.get(base + path).status_code == 404, path


@pytest.mark.slow
def test_what_is_found_is_shown_while_more_is_looked_for(misbehaving, serve, tmp_path):
    client = serve()
    job = submit(client, instance=LENET, formulations=["obeys"], report=True)
    folder = tmp_path / "state" / "jobs" / job
    assert until(client, job, "running")["state"] == "running"
    page = client.get(f"/jobs/{job}").text
    assert 'id="pending"' not in page and 'id="headline"' not in page
    (folder / "end").touch()
    while 'id="pending"' not in (page := client.get(f"/jobs/{job}").text):
        continue
    assert "its report is still being made" in page.lower() and "FEASIBLE by obeys" in page
    assert "not finished" not in page and "report/index.html" not in page
    running = client.get(f"/api/jobs/{job}").json()
    assert running["state"] == "running" and "outcome" not in running
    assert client.get("/jobs").status_code == 200
    (folder / "explain it").touch()
    (folder / "report it").touch()
    lines = [json.loads(line) for line in client.get(f"/api/jobs/{job}/events?as=lines").text.splitlines()]
    states = [one for one in lines if one["event"] == "state"]
    editions = [one["outcome"] for one in states if "outcome" in one]
    assert len(set(editions)) == len(editions) > 0
    assert until(client, job)["state"] == "done"
    page = client.get(f"/jobs/{job}").text
    assert 'id="pending"' not in page and "report/index.html" in page


def test_a_damaged_outcome_of_a_job_at_work_is_shown_as_none(misbehaving, serve, tmp_path):
    client = serve()
    job = submit(client, instance=LENET, formulations=["waits"])
    until(client, job, "running")
    (tmp_path / "state" / "jobs" / job / "outcome.json").write_text("{")
    page = client.get(f"/jobs/{job}")
    assert page.status_code == 200 and "Cancel this job" in page.text
    assert client.get(f"/api/jobs/{job}").json()["state"] == "running"


def test_a_wrong_instance_fails_with_line_and_field_and_without_the_path_of_its_file(client):
    failed = until(client, submit(client, instance=LENET.replace("levels: 4", "levels: 40")))
    assert failed["state"] == "failed"
    assert failed["error"] == "line 13: array.levels: expected at most 24 levels (2^24 accelerators), got 40"
    assert (failed["outcome"]["line"], failed["outcome"]["field"]) == (13, "array.levels")


FILES = [
    ("network: {file: /etc/passwd}", "network.file", "/etc/passwd"),
    ("network: {file: ../../other/instance.yaml}", "network.file", "../../other/instance.yaml"),
    ("array: {file: plan.json}", "array.file", "plan.json"),
    ("array: {topology: custom, levels: 1, graph: {file: /proc/self/environ}}", "array.graph.file",
     "/proc/self/environ"),
]  # fmt: skip


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("line", "field", "path"), FILES)
def test_no_file_that_a_client_names_is_opened(client, line, field, path):
    text = "schema: hypar-opt/instance/1\nname: x\nbatch: 1\n" + line + "\n"
    failed = until(client, submit(client, instance=text))
    said = f"{field}: no file can be named here, got '{path}'; put what it says in its place"
    assert (failed["state"], failed["error"]) == ("failed", f"line 4: {said}")
    checked = client.post("/api/check", json={"text": text}).json()
    assert checked["fault"]["message"] == said.removeprefix(f"{field}: ")


def test_a_formulation_that_declines_is_the_outcome(client):
    failed = until(client, submit(client, shipped="resnet-18", formulations=["hypar-dp"]))
    assert failed["state"] == "failed"
    assert failed["error"] == "hypar-dp is for chains and this network has joins or branches; try joint-dp or cp-sat"


@pytest.mark.slow
def test_a_job_that_crashes_shows_how_and_harms_no_other(misbehaving, serve):
    client = serve(workers=2)
    waits = submit(client, instance=LENET, formulations=["waits"])
    failed = until(client, submit(client, instance=LENET, formulations=["aborts"]))
    assert (failed["state"], failed["error"].split(";")[0]) == ("failed", "its process ended by SIGABRT")
    assert "it said last: out of luck" in failed["error"]
    assert "out of luck" in client.get(f"/jobs/{failed['id']}").text
    assert client.get(failed["links"]["errors.txt"]).text.startswith("out of luck")
    assert until(client, waits, "running")["state"] == "running"
    assert until(client, submit(client, instance=LENET))["state"] == "done"


def test_a_worker_that_is_killed_harms_no_other(misbehaving, serve, tmp_path):
    client = serve(workers=1)
    job = submit(client, instance=LENET, formulations=["waits"])
    until(client, job, "running")
    after = submit(client, instance=LENET)
    while not (found := workers_in(tmp_path / "state")):
        continue
    os.kill(found[0], signal.SIGKILL)
    killed = until(client, job)
    assert (killed["state"], killed["error"]) == ("failed", "its process ended by SIGKILL")
    assert until(client, after)["state"] == "done"


@pytest.mark.slow
def test_a_worker_that_is_stopped_is_ended_when_its_time_is_up(misbehaving, serve, tmp_path, monkeypatch):
    monkeypatch.setattr("hypar_opt.web.child.GRACE_S", 0.5)
    client = serve(workers=1, job_time_s=10)
    job = submit(client, instance=LENET, formulations=["waits"])
    while not (found := workers_in(tmp_path / "state")):
        continue
    os.kill(found[0], signal.SIGSTOP)
    assert until(client, job)["error"] == "stopped: a job may take 10 s, and did not end within 0.5 s after them"
    assert gone(found)


def test_memory_is_limited(misbehaving, serve):
    client = serve(job_memory=GIB)
    failed = until(client, submit(client, instance=LENET, formulations=["eats"]))
    assert (failed["state"], failed["error"]) == ("failed", "out of memory: a job may use 1 GiB")


def test_memory_is_limited_before_the_instance_is_read(serve):
    client = serve(job_memory=16 * MIB)
    failed = until(client, submit(client, instance=LENET))
    assert failed["state"] == "failed"
    assert failed["error"].startswith(("out of memory", "its process ended "))


@pytest.mark.slow
def test_time_is_limited_and_the_best_plan_is_kept(misbehaving, serve):
    client = serve(job_time_s=2)
    done = until(client, submit(client, instance=LENET, formulations=["waits"]))
    assert (done["state"], done["outcome"]["status"]) == ("done", "FEASIBLE")


@pytest.mark.slow
def test_time_is_limited_by_the_client_too(misbehaving, serve):
    client = serve()
    done = until(client, submit(client, instance=LENET, formulations=["waits"], limits={"time_s": 0.5}))
    assert (done["state"], done["outcome"]["status"]) == ("done", "FEASIBLE")


def test_cancelling_ends_the_process_and_what_it_started(misbehaving, serve, tmp_path):
    client = serve()
    job = submit(client, instance=LENET, formulations=["forks"])
    folder = tmp_path / "state" / "jobs" / job
    while not ((folder / "child").is_file() and (folder / "child").read_text()):
        assert until(client, job, "running")["state"] == "running"
    child = int((folder / "child").read_text())
    assert client.post(f"/api/jobs/{job}/cancel").json()["state"] == "cancelled"
    assert gone([child, *workers_in(tmp_path / "state")])
    assert client.get(f"/api/jobs/{job}").json()["state"] == "cancelled"
    assert client.post(f"/jobs/{job}/cancel").headers["location"] == f"/jobs/{job}"


def test_a_job_that_waits_can_be_cancelled_and_the_queue_says_how_long_it_is(misbehaving, serve):
    client = serve(workers=1, queue_limit=2)
    first = submit(client, instance=LENET, formulations=["waits"])
    until(client, first, "running")
    second, third = submit(client, instance=LENET), submit(client, instance=LENET)
    assert [client.get(f"/api/jobs/{job}").json()["position"] for job in (first, second, third)] == [0, 1, 2]
    full = client.post("/api/jobs", json={"shipped": "sfc"})
    assert (full.status_code, full.headers["retry-after"]) == (503, "5")
    assert full.json()["error"] == "as many jobs wait as may; try again in a few seconds"
    client.post(f"/api/jobs/{second}/cancel")
    assert client.get(f"/api/jobs/{third}").json()["position"] == 1
    client.post(f"/api/jobs/{first}/cancel")
    assert until(client, third)["state"] == "done"
    assert client.get(f"/api/jobs/{second}").json()["state"] == "cancelled"


@pytest.mark.slow
def test_events_are_told_as_a_stream_and_as_lines(client):
    job = submit(client, instance=LENET, formulations=["cp-sat"])
    lines = [json.loads(line) for line in client.get(f"/api/jobs/{job}/events?as=lines").text.splitlines()]
    assert lines[-1]["event"] == "end" and lines[-1]["state"] == "done"
    assert [one["value"] for one in lines if one["event"] == "incumbent"][-1] == 17603040
    answer = client.get(f"/api/jobs/{job}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    told = [one.partition("data: ")[2] for one in answer.text.split("\n\n") if "data: " in one]
    assert [json.loads(one) for one in told] == [one for one in lines if one["event"] != "state"]
    number = answer.text.count("data: ") - 1
    rest = client.get(f"/api/jobs/{job}/events", headers={"last-event-id": str(number)}).text
    assert rest.count("data: ") == 1
    assert client.get(f"/api/jobs/{job}/events?after={number}").text == rest


@pytest.mark.slow
def test_a_full_disk_stops_the_queue_no_longer_than_it_is_full(serve, monkeypatch):
    from hypar_opt.web.store import JobStore

    client = serve(workers=1)
    job = submit(client, instance=LENET)
    refused, begin, end = [], JobStore.begin, JobStore.end

    def full(what):
        def change(*values, **named):
            if refused.count(what) < 2:
                refused.append(what)
                raise sqlite3.OperationalError("database or disk is full")
            return what(*values, **named)

        return change

    monkeypatch.setattr(JobStore, "begin", full(begin))
    monkeypatch.setattr(JobStore, "end", full(end))
    after = submit(client, instance=LENET)
    assert [until(client, one)["state"] for one in (job, after)] == ["done", "done"]
    assert refused.count(end) == refused.count(begin) == 2


def test_what_was_never_taken_in_is_removed_at_the_next_start(serve, tmp_path):
    jobs = tmp_path / "state" / "jobs"
    stray, own, other = jobs / ("x" * 24), jobs / ("y" * 24), jobs / "somebody's"
    for folder in (stray, own, other):
        folder.mkdir(parents=True)
        (folder / "instance.yaml").write_text("half of it")
    (own / "thesis.tex").touch()
    job = submit(serve(), instance=LENET)
    assert {path.name for path in jobs.iterdir()} == {own.name, other.name, job}


@pytest.mark.slow
def test_only_the_newest_jobs_are_kept(serve, tmp_path):
    client = serve(keep=2)
    jobs = [submit(client, instance=LENET) for _ in range(4)]
    for job in jobs[2:]:
        until(client, job)
    left = [job["id"] for job in client.get("/api/jobs").json()]
    assert left == jobs[:1:-1]
    assert sorted(path.name for path in (tmp_path / "state" / "jobs").iterdir()) == sorted(left)
    assert client.get(f"/jobs/{jobs[0]}").status_code == 404
