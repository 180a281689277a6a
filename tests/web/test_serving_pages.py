"""Pages: hostile names are text, addresses lead nowhere else."""

import re

import pytest

from hypar_opt.instance.overrides import NETWORK_OVERRIDES
from hypar_opt.web.api import FILES
from tests.web.conftest import LENET, submit, until

NAME = "</script><script>alert(1)</script>"
SPELT = "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
HOSTILE = LENET.replace("name: lenet-c", f'name: "{NAME}"').replace("name: fc1", f"name: '{NAME}'")


def test_the_form_offers_what_there_is(client):
    text = client.get("/").text
    for one in ("vgg-e", "hypar-row-stationary-16", "milp-highs", 'data-field="cost.accounting"'):
        assert one in text


def test_the_form_replaces_what_the_command_line_does(client):
    text = client.get("/").text
    assert [
        name for name in NETWORK_OVERRIDES if f' id="o-{NETWORK_OVERRIDES[name].option[2:]}" name="{name}"' not in text
    ] == []
    sent = {name: "nothing of the kind" for name in NETWORK_OVERRIDES if not NETWORK_OVERRIDES[name].example}
    for name, value in sent.items():
        answer = client.post("/api/jobs", files={"file": ("a.yaml", LENET.encode())}, data={name: value})
        assert (answer.status_code, answer.json()["field"]) == (400, f"overrides.{name}")


def test_hostile_names_are_text(client):
    done = until(client, submit(client, instance=HOSTILE))
    assert (done["state"], done["label"]) == ("done", NAME)
    for path in (f"/jobs/{done['id']}", "/jobs", "/"):
        text = client.get(path).text
        assert NAME not in text and "<script>alert" not in text
        assert SPELT in text
    assert client.get(f"/api/jobs/{done['id']}").headers["content-type"] == "application/json"
    plan = client.get(done["links"]["plan.json"])
    assert plan.headers["content-type"] == "application/json"
    assert plan.headers["content-disposition"] == 'attachment; filename="plan.json"'


@pytest.mark.slow
def test_hostile_names_in_a_report_are_text(client):
    done = until(client, submit(client, instance=HOSTILE, report=True))
    base = done["links"]["report"].removesuffix("index.html")
    for page in ("index.html", "instance.html"):
        assert "<script>alert" not in client.get(base + page).text


def test_a_hostile_file_name_is_text(client):
    files = {"file": ("<img src=x onerror=alert(1)>.yaml", b"<script>")}
    job = client.post("/api/jobs", files=files).json()["id"]
    until(client, job)
    assert "<img" not in client.get("/jobs").text


TRAVERSALS = [
    "/static/../../../etc/passwd", "/static/..%2f..%2fetc%2fpasswd", "/static/%2e%2e/app.py", "/static/app.py",
    "/jobs/%2e%2e%2fjobs.sqlite3", "/jobs/..%2f..%2fetc", "/jobs/%00", "/jobs/'%20OR%20'1'='1",
    "/api/jobs/..%2f", "/api/jobs/%2e%2e/events", "/api/instances/..%2fhypar%2fsfc", "/api/instances/networks",
    "/api/instances/%2fetc%2fpasswd", "/jobs/x/files/plan.json", "/jobs/x/report/index.html",
]  # fmt: skip


@pytest.mark.parametrize("path", TRAVERSALS)
def test_addresses_lead_nowhere_else(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "root:" not in answer.text


@pytest.mark.slow
def test_a_job_has_no_other_files(client):
    job = submit(client, instance=LENET)
    until(client, job)
    others = ["../instance.yaml", "..%2f..%2fjobs.sqlite3", "job.json", "outcome.json", "%2e", "instance.yaml%00", "x"]
    for name in others:
        assert client.get(f"/jobs/{job}/files/{name}").status_code == 404, name
    assert client.get(f"/jobs/{job}/files/instance.yaml").status_code == 200
    assert "job.json" not in FILES


def test_a_page_that_is_not_there(client):
    answer = client.get("/jobs/none")
    assert answer.status_code == 404
    assert "there is no such job, or it is no longer kept" in answer.text
    assert client.get("/api/jobs/none").json() == {
        "error": "there is no such job, or it is no longer kept", "field": None,
    }  # fmt: skip


def test_every_script_and_style_of_a_page_is_there_and_none_stands_in_it(client):
    done = until(client, submit(client, instance=LENET))
    for page in ("/", "/jobs", f"/jobs/{done['id']}"):
        text = client.get(page).text
        for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', text):
            assert client.get(path).status_code == 200, path
        for tag in re.findall(r"<script[^>]*>", text):
            assert " src=" in tag or 'type="application/json"' in tag
        assert " onclick" not in text and "javascript:" not in text


def test_what_can_be_picked(client):
    assert "lenet-c" in client.get("/api/instances").json()["hypar"]
    text = client.get("/api/instances/lenet-c").text
    assert "file:" not in text and "- {name: conv1" in text
    assert client.get("/api/instances/lenet").json() == {
        "error": "no shipped instance is called 'lenet'; did you mean 'lenet-c'?", "field": None,
    }  # fmt: skip
    (one,) = [one for one in client.get("/api/formulations").json() if one["name"] == "joint-dp"]
    assert (one["proves"], one["certifies"], one["decides"]) == ("optimality", True, "strategies")


def test_every_shipped_instance_is_a_good_one_as_text(tmp_path):
    from hypar_opt.instance import load, shipped_names
    from hypar_opt.web.form import instance_text
    from hypar_opt.web.job_request import RequestOverrides, receive

    for name in shipped_names():
        path = tmp_path / "instance.yaml"
        path.write_text(instance_text(name))
        assert receive(path, RequestOverrides()).sha256 == load(name).sha256
