"""What a job was asked for, in the form again: to be changed and started."""

import html
import json
import re

import pytest

from hypar_opt.web.draft import MOST_EDITED
from tests.web.conftest import LENET, submit, until

pytestmark = pytest.mark.slow

ASKED = {
    "formulations": ["data-parallel", "joint-dp"],
    "overrides": {"accounting": "receiver", "batch": 64, "levels": 3, "array": "torus-16", "placement": "identity",
                  "objective": "communication", "splits": "divisible", "input_error": False},
    "limits": {"time_s": 7.5, "seed": 3, "workers": 1, "memory_gib": 0.25},
    "certificate": False,
}  # fmt: skip
CONTROL = re.compile(r"<input [^>]*>|<select [^>]*>.*?</select>|<textarea [^>]*>.*?</textarea>", re.DOTALL)


def form_of(page):
    """Return what a browser would send of a form that nobody touches."""
    sent = []
    for control in CONTROL.findall(page):
        head = control.partition(">")[0]
        named = re.search(r' name="([^"]*)"', head)
        if named is None or 'type="file"' in head:
            continue
        value = re.search(r' value="([^"]*)"', head)
        if control.startswith("<textarea"):
            text = control.partition(">")[2].removesuffix("</textarea>").removeprefix("\n")
        elif control.startswith("<select"):
            option = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', control)
            text = "" if option is None else option[2] if option[1] is None else option[1]
        elif 'type="checkbox"' in head and " checked" not in head:
            continue
        else:
            text = value[1] if value else ""
        sent.append((named[1], html.unescape(text)))
    return sent


def order_of(client, job):
    """Return what is stored of a job: its order, and its texts."""
    folder = client.app._app.state.site.pool.folder(job)
    texts = {path.name: path.read_text() for path in folder.iterdir() if path.name in ("instance.yaml", "start.json")}
    return json.loads((folder / "job.json").read_text())["asked"] | {"shipped": None}, texts


def asked_again(client, job):
    """Send a job's form as it stands; return the new job."""
    page = client.get(f"/jobs/{job}/again")
    assert page.status_code == 200
    data = {}
    for name, value in form_of(page.text):
        data.setdefault(name, []).append(value)
    answer = client.post("/api/jobs", data=data, files={"file": ("", b"")})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def test_a_form_that_nobody_touches_asks_for_the_same(client):
    job = until(client, submit(client, instance=LENET, **ASKED))
    assert f'href="/jobs/{job["id"]}/again"' in client.get(f"/jobs/{job['id']}").text
    order, texts = order_of(client, asked_again(client, job["id"]))
    assert (order, texts) == order_of(client, job["id"])
    given = {name: one for name, one in order["overrides"].items() if one is not None}
    assert (
        given == {name: one for name, one in ASKED["overrides"].items() if one is not None}
        and order["limits"] == ASKED["limits"]
    )
    assert order["formulations"] == ASKED["formulations"]


def test_the_form_has_the_start_and_the_name_of_what_is_shipped(client):
    plan = client.get(until(client, submit(client, shipped="lenet-c"))["links"]["plan.json"]).text
    job = until(client, submit(client, shipped="lenet-c", start=plan, formulations=["cp-sat"]))
    page = client.get(f"/jobs/{job['id']}/again").text
    assert "<option selected>lenet-c</option>" in page
    again = until(client, asked_again(client, job["id"]))
    assert order_of(client, again["id"])[0] == order_of(client, job["id"])[0]
    assert order_of(client, again["id"])[1]["start.json"] == plan.strip()
    assert again["state"] == "done"


def test_what_stops_a_text_area_is_text_in_it(client):
    text = "\n\n# </textarea><script>alert(1)</script> &amp; \u2028\n" + LENET
    job = until(client, submit(client, instance=text))
    page = client.get(f"/jobs/{job['id']}/again").text
    assert "<script>alert" not in page
    assert dict(form_of(page))["instance"] == text


def test_a_job_that_failed_can_be_put_right(client):
    job = until(client, submit(client, instance=LENET.replace("levels: 4", "levels: 40")))
    assert job["state"] == "failed"
    assert "levels: 40" in dict(form_of(client.get(f"/jobs/{job['id']}/again").text))["instance"]


def test_a_text_that_is_too_large_to_be_edited_is_told_of(client):
    text = "#" * MOST_EDITED + "\n" + LENET
    job = client.post("/api/jobs", files={"file": ("a.yaml", text.encode())}).json()["id"]
    until(client, job)
    page = client.get(f"/jobs/{job}/again").text
    assert "Its instance is too large to be edited here: choose its file again." in page
    assert dict(form_of(page))["instance"] == ""


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("job.json", b"{", "job.json: not JSON"),
        ("job.json", b'{"memory": 1, "time_s": 1, "asked": {"limits": {"seed": -1}}}', "asked.limits.seed"),
        ("instance.yaml", None, "instance.yaml: expected a regular file"),
    ],
)
def test_a_damaged_order_is_no_form(file, content, said, state, serve):
    folder, job = state
    client = serve()
    path = folder / "jobs" / job / file
    path.unlink()
    if content is None:
        path.symlink_to("/etc/passwd")
    else:
        path.write_bytes(content)
    answer = client.get(f"/jobs/{job}/again")
    assert answer.status_code == 400
    assert said.rpartition(": ")[2] in html.unescape(answer.text) and "root:" not in answer.text
    page = client.get(f"/jobs/{job}")
    assert page.status_code == 200 and "/again" not in page.text


def test_no_form_of_a_job_that_is_not_there(client):
    assert client.get("/jobs/none/again").status_code == 404
