"""Uploads: what is announced, what comes unannounced, and what is refused before it is read."""

import pytest

from hypar_opt.web.settings import MIB
from tests.web.conftest import LENET, submit, until

TOO_LARGE = "larger than 1 MiB, the limit for an upload"


def test_what_is_announced_as_too_large_is_not_read(serve):
    client = serve(upload_limit=MIB)
    answer = client.post("/api/jobs", content=b"{}", headers={"content-length": str(2**40)})
    assert (answer.status_code, answer.text) == (413, f"{TOO_LARGE}\n")


@pytest.mark.parametrize("length", ["-1", "x", "9" * 30, "1e3"])
def test_a_length_that_is_none(client, length):
    assert client.post("/api/jobs", content=b"{}", headers={"content-length": length}).status_code == 413


@pytest.mark.parametrize("kind", ["application/json", "multipart/form-data; boundary=b"])
def test_what_is_not_announced_is_counted(serve, kind):
    client = serve(upload_limit=MIB)

    def much():
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n'
        for _ in range(3 * 16):
            yield b"x" * (MIB // 16)

    answer = client.post("/api/jobs", content=much(), headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]) == (413, TOO_LARGE)
    assert client.get("/api/jobs").json() == []


def test_large_json_is_refused_with_advice(client):
    answer = client.post("/api/jobs", json={"instance": "x" * (4 * MIB)})
    assert answer.status_code == 413
    assert answer.json()["error"] == (
        "as JSON: larger than 4 MiB, the limit for an upload; send the file as multipart/form-data"
    )


def test_other_kinds_are_refused(client):
    answer = client.post("/api/jobs", content=b"x", headers={"content-type": "text/plain"})
    assert (answer.status_code, answer.json()["error"]) == (415, "expected application/json or multipart/form-data")


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json(client, body):
    answer = client.post("/api/jobs", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("not JSON: ")


def test_a_file_is_solved(client):
    answer = client.post("/api/jobs", files={"file": ("my lenet.yaml", LENET.encode())}, data={"certificate": "yes"})
    assert (answer.status_code, answer.json()["label"]) == (201, "my lenet.yaml")
    done = until(client, answer.json()["id"])
    assert (done["state"], done["label"]) == ("done", "lenet-c")
    assert done["outcome"]["certificate"]["proven"]


def test_a_form_leads_to_the_job(client):
    answer = client.post("/jobs", files={"file": ("", b"")}, data={"instance": LENET.replace("\n", "\r\n")})
    assert answer.status_code == 303
    job = answer.headers["location"].removeprefix("/jobs/")
    assert until(client, job)["state"] == "done"
    assert client.get(f"/jobs/{job}/files/instance.yaml").text == LENET


@pytest.mark.slow
def test_a_form_leaves_the_error_of_the_input_out(client):
    data = {"instance": LENET, "input_error": "false"}
    job = client.post("/jobs", files={"file": ("", b"")}, data=data).headers["location"].removeprefix("/jobs/")
    assert until(client, job)["state"] == "done"
    files = client.get(f"/api/jobs/{job}").json()["outcome"]["cells"]
    assert files
    wrong = client.post("/jobs", files={"file": ("", b"")}, data={"instance": LENET, "input_error": "no"})
    assert "<code>overrides.input_error</code>: expected true or false, got &#39;no&#39;" in wrong.text


@pytest.mark.slow
def test_a_form_gives_strategies_to_keep_as_one_text(client):
    data = {"instance": LENET, "fix": "conv*=d..., fc1=.m..  fc2=mmmm"}
    job = client.post("/jobs", files={"file": ("", b"")}, data=data).headers["location"].removeprefix("/jobs/")
    done = until(client, job)
    given = client.get(done["links"]["plan.json"]).json()["overrides"]
    assert given == {"fix": {"conv*": "d...", "fc1": ".m..", "fc2": "mmmm"}}
    wrong = client.post("/jobs", files={"file": ("", b"")}, data={"instance": LENET, "fix": "conv*"})
    assert wrong.status_code == 400
    assert "<code>overrides.fix</code>: expected PATTERN=WORD" in wrong.text


def test_a_form_that_is_wrong_is_answered_with_a_page(client):
    answer = client.post("/jobs", files={"file": ("", b"")}, data={"instance": LENET, "levels": "<b>"})
    assert answer.status_code == 400
    assert "<code>overrides.levels</code>: expected an integer, got &#39;&lt;b&gt;&#39;" in answer.text


def test_a_form_without_an_instance(client):
    answer = client.post("/api/jobs", files={"file": ("", b"")}, data={"instance": "  "})
    assert answer.status_code == 400
    assert answer.json() == {
        "error": "expected either the text of an instance or the name of a shipped one", "field": "instance",
    }  # fmt: skip


@pytest.mark.slow
def test_a_start_plan_as_a_file(client):
    first = until(client, submit(client, shipped="lenet-c"))
    plan = client.get(first["links"]["plan.json"]).content
    files = {"file": ("x.yaml", LENET.encode()), "start_file": ("plan.json", plan)}
    job = client.post("/api/jobs", files=files, data={"formulations": "cp-sat"}).json()["id"]
    assert until(client, job)["outcome"]["status"] == "OPTIMAL"


def test_a_start_plan_that_does_not_fit(client):
    plan = '{"schema": "hypar-opt/plan/1", "plan": {"conv1": "dddd", "<b>": "x"}}'
    failed = until(client, submit(client, instance=LENET, start=plan))
    assert failed["state"] == "failed"
    assert failed["outcome"]["in"] == "start"
    assert "<b>" in failed["error"] and "<b>" not in client.get(f"/jobs/{failed['id']}").text


def test_a_fault_of_the_start_plan_is_not_blamed_on_the_instance(client):
    failed = until(client, submit(client, instance=LENET, start="[1"))
    assert failed["error"].startswith("the start plan: line 1: not JSON: ")
    assert "The text that was given" not in client.get(f"/jobs/{failed['id']}").text
