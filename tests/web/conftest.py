"""A page of the tests' own, and formulations that misbehave in its workers."""

from __future__ import annotations

import os
import shutil
import signal
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hypar_opt.web.app import application
from hypar_opt.web.guard import Address
from hypar_opt.web.settings import Settings
from tests.web.server import running

PATIENCE_S = 600
"""No test is timed; this only ends one whose job is stuck."""
LENET = """schema: hypar-opt/instance/1
name: lenet-c
batch: 256
network:
  input: [1, 28, 28]
  layers:
    - {name: conv1, conv: {filters: 20, kernel: 5}}
    - {name: pool1, pool: {kernel: 2, stride: 2}}
    - {name: conv2, conv: {filters: 50, kernel: 5}}
    - {name: pool2, pool: {kernel: 2, stride: 2}}
    - {name: fc1, linear: {features: 500}}
    - {name: fc2, linear: {features: 10}}
array: {topology: h-tree, levels: 4}
"""
PLUG_IN = """
import os, signal, sys, time
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status


class Misbehaving:
    summary = "for a test"
    capabilities = Capabilities(exact=False)

    def __init__(self, name):
        self.name = name

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        choices = (0,) * len(graph.variables)
        if self.name == "eats":
            bytearray(64 * 2**30)
        if self.name == "aborts":
            print("out of luck", file=sys.stderr, flush=True)
            os.abort()
        if self.name == "looks":
            print(open("/etc/hostname").read(), file=sys.stderr)
        if self.name == "forks":
            import subprocess
            with open("child", "w") as file:
                child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
                file.write(str(child.pid))
        run.incumbent(graph.value(choices), choices)
        if self.name == "obeys":
            return self.obeyed(graph, run, choices)
        run.phase("waiting")
        run.limits.stop.wait(run.limits.remaining_s())
        return Solution(Status.FEASIBLE, choices, 0, "told to stop")

    def obeyed(self, graph, run, choices):
        from hypar_opt.report import pages
        from hypar_opt.studies import sensitivity

        told = 0
        while not os.path.exists("end"):
            if os.path.exists("tell"):
                told += 1
                run.bound(1_000_000 * told)
                os.unlink("tell")
            run.limits.stop.wait(0.02)
        hold(pages, "write_report", "report it")
        hold(sensitivity, "explain", "explain it")
        return Solution(Status.FEASIBLE, choices, 1_000_000 * told, "told to stop")


def hold(module, name, order):
    function = getattr(module, name)

    def held(*given):
        while not os.path.exists(order):
            time.sleep(0.02)
        return function(*given)

    setattr(module, name, held)


WAITS, EATS, ABORTS, FORKS, OBEYS = map(Misbehaving, ("waits", "eats", "aborts", "forks", "obeys"))
"""
"""`obeys` does the next thing when a file of its name stands in the job's folder."""
ENTRY_POINTS = "[hypar_opt.formulations]\n" + "".join(
    f"{name} = misbehaving_plug_in:{name.upper()}\n" for name in ("waits", "eats", "aborts", "forks", "obeys")
)


def put_plug_in(site: Path) -> Path:
    """Install formulations that wait, eat memory, abort, start a process and wait, or obey; return the folder."""
    (site / "misbehaving_plug_in.py").write_text(PLUG_IN)
    info = site / "misbehaving_plug_in-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: misbehaving-plug-in\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return site


@pytest.fixture
def misbehaving(tmp_path_factory, monkeypatch):
    """Install those formulations; return the environment."""
    site = put_plug_in(tmp_path_factory.mktemp("site"))
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.syspath_prepend(str(site))
    from hypar_opt.formulation import registry as formulation

    formulation.found.cache_clear()
    yield dict(os.environ)
    formulation.found.cache_clear()


def without_vega(folder: Path) -> Path:
    """Put a stand-in for the bundle of Vega into a folder of state; making the real one takes a second."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"vega-{version('vl-convert-python')}.js").write_text("// stands in for Vega\n")
    return folder


@pytest.fixture
def serve(tmp_path):
    """Return a function that starts a page and returns its client; limits are given by name."""
    started = []

    def start(**limits):
        settings = Settings(without_vega(tmp_path / "state"), **limits)
        client = TestClient(
            application(settings, Address("127.0.0.1", 8787)), base_url="http://127.0.0.1:8787",
            raise_server_exceptions=False, follow_redirects=False,
        )  # fmt: skip
        client.__enter__()
        started.append(client)
        return client

    yield start
    for client in started:
        client.__exit__(None, None, None)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return a folder of state in which one job is done."""
    state = without_vega(tmp_path_factory.mktemp("kept") / "state")
    with running(state) as server:
        job = server.submit(instance=LENET)
        assert server.until(job)["state"] == "done"
        server.end(signal.SIGTERM)
    return state, job


@pytest.fixture
def state(kept, tmp_path):
    """Return a copy of that, the page's own of this test, and the job."""
    shutil.copytree(kept[0], tmp_path / "state", symlinks=True)
    return tmp_path / "state", kept[1]


@pytest.fixture
def client(serve):
    """Return the client of a page with the usual limits."""
    return serve()


def submit(client, **asked) -> str:
    """Queue a job; return its token."""
    answer = client.post("/api/jobs", json=asked)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def until(client, job: str, *states: str) -> dict:
    """Wait until a job is in one of some states, or over; return what is known of it then."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = client.get(f"/api/jobs/{job}").json()
        if found["state"] in (*states, "done", "failed", "cancelled", "interrupted"):
            return found
        time.sleep(0.05)
    raise AssertionError(f"still {found['state']}")


def workers_in(folder: Path) -> list[int]:
    """Return the processes that work in a folder of state."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if (place / "cwd").resolve().is_relative_to(folder / "jobs") and (place / "cmdline").read_bytes():
                found.append(int(place.name))
        except OSError:
            continue
    return sorted(found)


def gone(pids: list[int]) -> bool:
    """Wait until processes have ended; return whether they have."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if not any(_alive(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


def _alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
