"""A store that is not as it was left: what is damaged is shown, with what is wrong, and can be deleted."""

import json
import os
import shutil
import sqlite3

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hypar_opt.util.errors import InputError
from hypar_opt.web.job_files import EVENTS, INSTANCE, JOB, MOST_STORED, OUTCOME, PICTURE, START
from hypar_opt.web.job_request import read_order
from hypar_opt.web.outcome import read_outcome, read_picture
from hypar_opt.web.store import DAMAGED, QUEUED, JobStore
from tests.web.conftest import LENET, submit, until

pytestmark = pytest.mark.slow

SHAPES = [
    (b'{"facts": null, "cells": 5}', "outcome.json: cells: expected a list, got 5"),
    (b'{"headline": 5}', "outcome.json: headline: expected a list, got 5"),
    (b'{"facts": {"instance": 5, "layers": 1, "levels": 1, "batch": 1, "accounting": ""}}',
     "outcome.json: facts.instance: expected text, got 5"),
    (b'{"cells": [{"formulation": "x", "status": "OPTIMAL", "note": "", "best": 1}]}',
     "outcome.json: cells[0].best: expected true or false, got 1"),
    (b'{"cells": [{"status": "OPTIMAL", "note": "", "best": true}]}',
     "outcome.json: cells[0].formulation: missing (its name)"),
    (b'{"certificate": {"proven": "yes", "faults": [], "by": ""}}',
     "outcome.json: certificate.proven: expected true or false, got 'yes'"),
    (b'{"more": -1}', "outcome.json: more: expected an integer of at least 0, got -1"),
    (b'{"line": NaN}', "outcome.json: not JSON: NaN is not a finite number"),
    (b'{"error": "\\ud800"}', "outcome.json: not JSON: 'utf-8' codec can't encode character '\\ud800'"),
    (b'{"salary": 1}', "outcome.json: salary: unknown field 'salary', expected one of "),
    (b"[]", "outcome.json: expected a mapping, got []"),
    (b"", "outcome.json: not JSON: "), (b"{", "outcome.json: not JSON: "),
    (b"\xff\x00\xfe", "outcome.json: not JSON: "),
    (b"[" * 200_000, "outcome.json: not JSON: "), (b'{"line": ' + b"9" * 5000 + b"}", "outcome.json: not JSON: "),
]  # fmt: skip


def missing(path):
    path.unlink()


def folder(path):
    path.unlink()
    path.mkdir()


def pipe(path):
    path.unlink()
    os.mkfifo(path)


def link(path):
    path.unlink()
    path.symlink_to("/etc/passwd")


def loop(path):
    path.unlink()
    path.symlink_to(path)


def huge(path):
    with path.open("wb") as stream:
        stream.truncate(MOST_STORED + 1)


KINDS = [
    (missing, "missing"), (folder, "expected a regular file"), (pipe, "expected a regular file"),
    (link, "expected a regular file"), (loop, "expected a regular file"),
    (huge, "expected at most 64 MiB, got 64.0 MiB"),
]  # fmt: skip


def shown_as_damaged(client, job, said):
    """Assert that a job is shown as damaged wherever it is shown, and that it can be deleted."""
    found = client.get(f"/api/jobs/{job}").json()
    assert (found["state"], found["outcome"]) == (DAMAGED, None)
    assert said in found["error"]
    for path in ("/", "/jobs", f"/jobs/{job}"):
        page = client.get(path)
        assert page.status_code == 200
        assert "state-damaged" in page.text
    assert "What is stored of this job is damaged: " in page.text
    assert [one["state"] for one in client.get("/api/jobs").json() if one["id"] == job] == [DAMAGED]
    assert client.get(f"/api/jobs/{job}/events?as=lines").status_code == 200
    assert client.post(f"/jobs/{job}/delete").headers["location"] == "/jobs"
    assert client.get(f"/jobs/{job}").status_code == 404
    assert client.post(f"/api/jobs/{job}/delete").status_code == 404


def copies(folder, job, number):
    """Copy a job, so many times; return the tokens of the copies."""
    tokens = [f"copy-{position:019}" for position in range(number)]
    with sqlite3.connect(folder / "jobs.sqlite3") as database:
        for token in tokens:
            shutil.copytree(folder / "jobs" / job, folder / "jobs" / token)
            database.execute(
                "INSERT INTO jobs (id, label, state, created) SELECT ?, label, state, created FROM jobs WHERE id = ?",
                (token, job),
            )
    database.close()
    return tokens


@pytest.mark.sampled(1)
@pytest.mark.parametrize("ran", [False, True], ids=["done", "running"])
def test_an_outcome_of_another_shape(ran, state, serve):
    folder, job = state
    jobs = copies(folder, job, len(SHAPES))
    for token, (content, _) in zip(jobs, SHAPES, strict=True):
        (folder / "jobs" / token / OUTCOME).write_bytes(content)
        if ran:  # as if the server had been killed while it ran
            change(folder, f"state = 'running' WHERE id = '{token}'")
    client = serve()
    for token, (_, said) in reversed([*zip(jobs, SHAPES, strict=True)]):
        shown_as_damaged(client, token, said)
    assert client.get(f"/api/jobs/{job}").json()["state"] == "done"


def test_an_outcome_that_is_no_file(state, serve):
    folder, job = state
    jobs = copies(folder, job, len(KINDS))
    for token, (damage, _) in zip(jobs, KINDS, strict=True):
        damage(folder / "jobs" / token / OUTCOME)
    client = serve()
    for token, (_, said) in reversed([*zip(jobs, KINDS, strict=True)]):
        shown_as_damaged(client, token, f"outcome.json: {said}")
        assert not (folder / "jobs" / token).exists()


WAITING = [(JOB, huge), *((name, damage) for name in (JOB, INSTANCE) for damage in (missing, folder, pipe, link))]
WAITING += [(EVENTS, pipe), (START, folder)]


def test_what_waits_with_damaged_files_does_not_run(state, serve):
    folder, job = state
    jobs = copies(folder, job, len(WAITING))
    for token, (name, damage) in zip(jobs, WAITING, strict=True):
        (folder / "jobs" / token / OUTCOME).unlink()
        (folder / "jobs" / token / START).touch()
        damage(folder / "jobs" / token / name)
        change(folder, f"state = 'queued' WHERE id = '{token}'")
    client = serve()
    for token, (name, _) in reversed([*zip(jobs, WAITING, strict=True)]):
        until(client, token, DAMAGED)
        shown_as_damaged(client, token, f"{name}: ")


def test_a_damage_that_is_mended_is_none(state, serve):
    folder, job = state
    path = folder / "jobs" / job / OUTCOME
    content = path.read_bytes()
    client = serve()
    path.write_bytes(b"{")
    assert client.get(f"/api/jobs/{job}").json()["state"] == DAMAGED
    path.write_bytes(content)
    assert client.get(f"/api/jobs/{job}").json()["state"] == "done"


def change(folder, what):
    with sqlite3.connect(folder / "jobs.sqlite3") as database:
        database.execute(f"UPDATE jobs SET {what}")
    database.close()


ROWS = [
    ("created = 'yesterday'", "jobs.sqlite3: created: expected a number, got 'yesterday'"),
    ("created = 9e999", "jobs.sqlite3: created: expected a number of at most 253402214400"),
    ("created = -1", "jobs.sqlite3: created: "),
    ("began = x'00'", "jobs.sqlite3: began: "), ("ended = 1e300", "jobs.sqlite3: ended: "),
    ("label = x'ff00'", "jobs.sqlite3: label: expected text, got "), ("error = x'00'", "jobs.sqlite3: error: "),
    ("headline = 5, label = x'41'", "jobs.sqlite3: label: expected text, got "),
    ("state = 'asleep'", "jobs.sqlite3: state: expected 'queued', 'running', "),
    ("state = x'00'", "jobs.sqlite3: state: "),
]  # fmt: skip


def test_a_row_that_is_no_job(state, serve):
    folder, job = state
    jobs = copies(folder, job, len(ROWS))
    for token, (what, _) in zip(jobs, ROWS, strict=True):
        change(folder, f"{what} WHERE id = '{token}'")
    client = serve()
    for token, (_, said) in reversed([*zip(jobs, ROWS, strict=True)]):
        shown_as_damaged_row(client, token, said)
    assert [one["id"] for one in client.get("/api/jobs").json()] == [job]


def shown_as_damaged_row(client, job, said):
    found = client.get(f"/api/jobs/{job}").json()
    assert found["state"] == DAMAGED
    assert found["error"].startswith(said)
    for path in ("/", "/jobs", f"/jobs/{job}"):
        assert "state-damaged" in client.get(path).text
    assert client.post(f"/api/jobs/{job}/delete").json() == {"deleted": job}
    assert client.get(f"/jobs/{job}").status_code == 404


@pytest.mark.parametrize("token", ["'../..'", "''", "x'00'"])
def test_a_token_that_is_none_leads_nowhere(token, state, serve):
    folder, job = state
    change(folder, f"id = {token}")
    client = serve(keep=1)
    (found,) = client.get("/api/jobs").json()
    shown_as_damaged_row(client, found["id"], "jobs.sqlite3: id: ")
    assert (folder / "jobs" / job / OUTCOME).is_file()


def test_text_that_is_not_utf_8_is_shown_as_it_can_be(state, serve):
    folder, job = state
    change(folder, "label = CAST(x'41ff42' AS TEXT)")
    assert serve().get(f"/api/jobs/{job}").json()["label"] == "A\ufffdB"


def test_a_database_with_damaged_pages_is_refused_in_a_line(tmp_path):
    path = tmp_path / "jobs.sqlite3"
    store = JobStore(path)
    for _ in range(200):
        store.add("x" * 500, lambda _: None, lambda _: None)
    store.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
    path.write_bytes(content)
    with pytest.raises(InputError, match="or a damaged one: "):
        JobStore(path)


LINES = [
    (b"{", "events.jsonl:1: not JSON: "), (b"5", "events.jsonl:1: expected a mapping, got 5"),
    (b"\xff", "events.jsonl:1: "),
    (b'{"event": "bound", "time_s": 1, "source": "x"}', "events.jsonl:1: expected value, near and shown of the bound"),
    (b'{"event": "phase", "time_s": "x", "source": "x"}', "events.jsonl:1: time_s: expected a number, got 'x'"),
    (b"x" * 3 * 2**20, "events.jsonl:1: longer than a line can be"),
]  # fmt: skip


def test_a_damaged_log_is_told_of(state, serve):
    folder, job = state
    client = serve()
    for line, said in LINES:
        (folder / "jobs" / job / EVENTS).write_bytes(line + b"\n" + line + b"\n")
        answer = client.get(f"/api/jobs/{job}/events?as=lines")
        told = [one for one in answer.text.splitlines() if "the log is damaged" in one]
        assert len(told) == 1 and said in told[0]
        assert '"event": "end"' in answer.text


@pytest.mark.parametrize("damage", [folder, pipe])
def test_a_log_that_is_no_file_has_no_lines(damage, state, serve):
    folder, job = state
    damage(folder / "jobs" / job / EVENTS)
    client = serve()
    assert client.get(f"/api/jobs/{job}/events?as=lines").text.count("\n") == 1
    assert client.get(f"/jobs/{job}/files/log.jsonl").status_code == 404


def test_a_damaged_picture_leaves_the_table(state, serve):
    folder, job = state
    client = serve()
    for content in (b"{", b"5", b'{"title": 5}', b"\xff"):
        (folder / "jobs" / job / PICTURE).write_bytes(content)
        page = client.get(f"/jobs/{job}")
        assert page.status_code == 200
        assert "No picture: picture.json: " in page.text and 'id="plan"' in page.text


def test_no_link_is_followed(state, serve):
    folder, job = state
    for name in ("plan.json", "instance.yaml", "errors.txt", "report/index.html"):
        path = folder / "jobs" / job / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to("/etc/passwd")
    client = serve()
    links = client.get(f"/api/jobs/{job}").json()["links"]
    assert links.keys() & {"plan.json", "instance.yaml", "errors.txt", "report"} == set()
    for place in ("files/plan.json", "files/instance.yaml", "files/errors.txt", "report/index.html"):
        assert client.get(f"/jobs/{job}/{place}").status_code == 404


def test_what_stands_in_the_place_of_a_job_s_folder_can_be_deleted(state, serve):
    folder, job = state
    place = folder / "jobs" / job
    elsewhere = folder.parent / "elsewhere"
    place.rename(elsewhere)
    place.symlink_to(elsewhere)
    client = serve()
    assert client.post(f"/api/jobs/{job}/delete").status_code == 200
    assert not place.is_symlink() and (elsewhere / OUTCOME).is_file()


def test_a_job_that_is_not_over_is_not_deleted(misbehaving, serve):
    client = serve(workers=1)
    first, second = (submit(client, instance=LENET, formulations=["waits"]) for _ in range(2))
    until(client, first, "running")
    for job, state in ((first, "running"), (second, QUEUED)):
        answer = client.post(f"/api/jobs/{job}/delete")
        assert (answer.status_code, answer.json()["error"]) == (
            409, f"this job is {state}; cancel it before you delete it",
        )  # fmt: skip


def test_a_job_that_is_deleted_while_its_process_ends_leaves_nothing(misbehaving, serve, tmp_path):
    client = serve(workers=1)
    job = submit(client, instance=LENET, formulations=["waits"])
    until(client, job, "running")
    client.post(f"/api/jobs/{job}/cancel")
    assert client.post(f"/api/jobs/{job}/delete").status_code == 200
    until(client, submit(client, instance=LENET))  # the only worker is free again: the process has ended
    assert not (tmp_path / "state" / "jobs" / job).exists()


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
NAMES = st.sampled_from(
    ["facts", "cells", "headline", "rows", "error", "line", "in", "more", "certificate", "objective", "asked", "memory",
     "time_s", "limits", "title", "alternative", "spec", "formulation", "status", "note", "best"]
)  # fmt: skip
DATA = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(), inner, max_size=5)
)


@given(data=st.dictionaries(NAMES, DATA) | DATA, cut=st.integers(0, 60) | st.none())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_file_says_is_read_or_refused_in_a_line(data, cut, tmp_path):
    for name, read in ((OUTCOME, read_outcome), (PICTURE, read_picture), (JOB, read_order)):
        (tmp_path / INSTANCE).touch()
        (tmp_path / name).write_bytes(json.dumps(data).encode()[:cut])
        try:
            read(tmp_path)
        except InputError as error:
            assert str(error).startswith(f"{name}: ") and "\n" not in str(error)
