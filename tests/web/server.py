"""A real server in a process of its own, for tests that end it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx

PATIENCE_S = 600


class Server:
    """A running server: its process, its URL, its client."""

    def __init__(self, folder: Path, *options: str, environment: dict[str, str] | None = None) -> None:
        program = "import sys; from hypar_opt.cli import main; sys.argv[0] = 'hypar-opt'; main()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, "serve", str(folder), "--port", "0", "--quiet", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment or dict(os.environ),
        )  # fmt: skip
        line = self.process.stdout.readline().strip()
        if not line:
            raise AssertionError(self.process.communicate()[1])
        self.url = line.rstrip("/")
        self.client = httpx.Client(base_url=self.url, timeout=600)

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; return the exit code and the standard error."""
        self.client.close()
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S), self.process.communicate()[1]

    def until(self, job: str, *states: str) -> dict:
        """Wait until a job is in one of some states, or over."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = self.client.get(f"/api/jobs/{job}").json()
            if found["state"] in (*states, "done", "failed", "cancelled", "interrupted"):
                return found
            time.sleep(0.05)
        raise AssertionError(f"still {found['state']}")

    def submit(self, **asked) -> str:
        """Queue a job; return its token."""
        answer = self.client.post("/api/jobs", json=asked)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]


@contextmanager
def running(folder: Path, *options: str, environment: dict[str, str] | None = None):
    """Run a server until the end of the block."""
    server = Server(folder, *options, environment=environment)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.communicate()
