"""The live page with its jobs on workers of engines."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hypar_opt.executor import engine_spec, open_workers
from hypar_opt.formulation.run import Limits
from hypar_opt.web.app import application
from hypar_opt.web.guard import Address
from hypar_opt.web.handed import HandedJobs
from hypar_opt.web.settings import Settings
from tests.web.conftest import LENET, gone, submit, until, without_vega
from tests.web.server import Server

pytestmark = pytest.mark.slow


def away(folder):
    """Return the processes that work in temporary folders, of tests that have these as their own."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            cwd = (place / "cwd").resolve()
            if cwd.is_relative_to(folder) and "dask" not in str(cwd) and (place / "cmdline").read_bytes():
                found.append(int(place.name))
        except OSError:
            continue
    return sorted(found)


def parent_of(pid):
    """Return who began a process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])


def seen(folder):
    """Wait until a process works in a temporary folder, and return all that do."""
    while not (found := away(folder)):
        time.sleep(0.02)
    return found


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Return the folder in which temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    tempfile.tempdir = None


def again_without_its_worker(first, folder, log):
    """Kill who runs a job: all that it began dies, its folder goes, and it is run again. Return its new processes."""
    os.kill(parent_of(first[0]), signal.SIGKILL)
    assert gone(first)
    while "it is run again" not in log.read_text():
        time.sleep(0.02)
    second = seen(folder)
    assert not set(first) & set(second)
    return second


@pytest.mark.parametrize("engine", ["dask:1", "local:1"])
def test_jobs_run_elsewhere_are_cancelled_and_survive_their_workers(engine, misbehaving, temporary, tmp_path):
    settings = Settings(without_vega(tmp_path / "state"))
    with open_workers(engine_spec(engine), Limits()) as workers:
        page = application(settings, Address("127.0.0.1", 8787), runner=HandedJobs(workers, settings, Limits()))
        with TestClient(page, base_url="http://127.0.0.1:8787", follow_redirects=False) as client:
            forks = submit(client, instance=LENET, formulations=["forks"])
            job = submit(client, instance=LENET, formulations=["joint-dp"])
            until(client, forks, "running")
            log = settings.jobs / forks / "events.jsonl"
            while "waiting" not in log.read_text():  # it comes as it is told
                time.sleep(0.02)
            assert "it runs on 1 " in client.get(f"/jobs/{forks}").text
            processes = seen(temporary)
            assert len(processes) == 2 and not away(settings.jobs)
            if engine == "local:1":
                processes = again_without_its_worker(processes, temporary, log)
            assert client.post(f"/api/jobs/{forks}/cancel").json()["state"] == "cancelled"
            assert gone(processes)
            done = until(client, job)
            assert (done["state"], done["place"]) == ("done", workers.text)
            assert done["outcome"]["certificate"]["proven"]
            assert {"plan.json", "plan.cert", "log.jsonl"} <= done["links"].keys()
            assert f"it ran on {workers.text}" in client.get(f"/jobs/{job}").text
            assert f"on {workers.text}" in client.get("/jobs").text
    assert not list(temporary.glob("hypar-opt-job-*"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_server_s_end_is_that_of_all_jobs(number, misbehaving, temporary, tmp_path):
    environment = misbehaving | {"TMPDIR": str(temporary)}
    server = Server(without_vega(tmp_path / "state"), "--on", "local:1", environment=environment)
    server.submit(instance=LENET, formulations=["waits"])
    found = seen(temporary)
    code, said = server.end(number)
    assert (code, said) == (143, "") if number == signal.SIGTERM else code == -signal.SIGKILL
    assert gone([*found, server.process.pid])
    while list(temporary.glob("hypar-opt-job-*")):
        time.sleep(0.02)
