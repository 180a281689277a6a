"""A real server, ended in every way, and started again."""

import signal
import socket
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.web.conftest import LENET, gone, without_vega, workers_in
from tests.web.server import running


@pytest.mark.slow
def test_after_sigkill_what_was_done_is_there_what_ran_is_interrupted_and_what_waited_runs(misbehaving, tmp_path):
    state = without_vega(tmp_path / "state")
    with running(state, "--jobs", "1", environment=misbehaving) as server:
        done = server.submit(instance=LENET)
        assert server.until(done)["state"] == "done"
        ran = server.submit(instance=LENET, formulations=["forks"])
        child = state / "jobs" / ran / "child"
        while not (child.is_file() and child.read_text()):
            assert server.until(ran, "running")["state"] == "running"
        waited = server.submit(instance=LENET)
        cancelled = server.submit(instance=LENET)
        server.client.post(f"/api/jobs/{cancelled}/cancel")
        workers = workers_in(state)
        assert workers
        assert server.end(signal.SIGKILL)[0] == -signal.SIGKILL
    assert gone([*workers, int(child.read_text())]), "what the killed server started runs on"
    with running(state, environment=misbehaving) as server:
        again = server.client.get(f"/api/jobs/{done}").json()
        assert again["state"] == "done"
        assert server.client.get(again["links"]["plan.json"]).json()["status"] == "OPTIMAL"
        interrupted = server.client.get(f"/api/jobs/{ran}").json()
        assert (interrupted["state"], interrupted["error"]) == (
            "interrupted", "the server was ended while the job ran",
        )  # fmt: skip
        assert server.client.get(f"/api/jobs/{cancelled}").json()["state"] == "cancelled"
        assert server.until(waited)["state"] == "done"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_and_its_workers(number, code, misbehaving, tmp_path):
    state = without_vega(tmp_path / "state")
    with running(state, environment=misbehaving) as server:
        job = server.submit(instance=LENET, formulations=["waits"])
        assert server.until(job, "running")["state"] == "running"
        with server.client.stream("GET", f"/api/jobs/{job}/events") as stream:  # whoever watches does not hold it up
            next(stream.iter_lines())
            workers = workers_in(state)
            assert server.end(number) == (code, "")
    assert gone(workers)
    with running(state) as server:
        assert server.client.get(f"/api/jobs/{job}").json()["state"] == "interrupted"


@pytest.mark.slow
def test_two_servers_do_not_share_a_folder(tmp_path):
    state = without_vega(tmp_path / "state")
    with running(state), pytest.raises(AssertionError) as second, running(state):
        pass
    assert str(second.value) == f"error: {state}/jobs.sqlite3: another server uses this folder\n"


def test_a_gigabyte_is_refused_while_it_is_sent(tmp_path):
    sent = 0

    def gigabyte():
        nonlocal sent
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="x.yaml"\r\n\r\n'
        for _ in range(1024):
            sent += 1
            yield b"#" * 2**20

    with running(without_vega(tmp_path / "state"), "--upload-limit", "8") as server:
        headers = {"content-type": "multipart/form-data; boundary=b"}
        try:
            answer = server.client.post("/api/jobs", content=gigabyte(), headers=headers)
            assert (answer.status_code, answer.json()["error"]) == (413, "larger than 8 MiB, the limit for an upload")
        except (httpx.WriteError, httpx.ReadError):  # it stopped reading, which a slow client may see first
            pass
        assert sent < 64
        assert server.client.get("/api/jobs").json() == []
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        size = int(status.partition("VmHWM:")[2].split()[0])
        assert size < 300 * 1024, "the upload was kept in memory"


def test_a_port_that_is_taken(run_serve):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run_serve("--port", str(port))
    assert ran == (
        2, "", f"error: --port: 127.0.0.1:{port} cannot be had: Address already in use; "
        "try another port, or --port 0 for any\n",
    )  # fmt: skip


def test_a_file_where_the_jobs_folder_belongs(run_serve, tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "jobs").touch()
    said = f"error: {tmp_path}/state/jobs: is a file, expected a folder to write to\n"
    assert run_serve("--port", "0") == (2, "", said)


@pytest.mark.slow
def test_a_folder_where_the_bundle_of_vega_belongs(run_serve, tmp_path):
    (bundle,) = without_vega(tmp_path / "state").iterdir()
    bundle.unlink()
    bundle.mkdir()
    said = f"error: {bundle}: is a directory, expected the name of a file to write\n"
    assert run_serve("--port", "0") == (2, "", said)


WRONG = [
    (("--host", "no.such.host.invalid"), "error: --host: no address of this machine: "),
    (("--host", "192.0.2.1"), "error: --port: 192.0.2.1:8787 cannot be had: Cannot assign requested address\n"),
    (("--job-time", "0"), "expected a positive number, at most 1048576\n"),
    (("--job-memory", "nan"), "expected a positive number, at most 1048576\n"),
    (("--upload-limit", "65"), "65 is not in the range 1<=x<=64.\n"),
]


@pytest.mark.parametrize(("options", "said"), WRONG)
def test_wrong_options(run_serve, options, said):
    code, out, err = run_serve(*options)
    assert (code, out) == (2, "")
    assert said in err


@pytest.fixture
def run_serve(tmp_path, capsys, monkeypatch):
    """Return a function that runs the command in this process, for what does not serve."""
    from hypar_opt.cli import invoke

    def run(*options):
        code = invoke.invoke(["serve", str(tmp_path / "state"), *options])
        return (code, *capsys.readouterr())

    return run
