"""Many clients of one server at once: `python -m tests.web.soak --clients 50 --seconds 60`.

Every client submits jobs, looks at pages and asks how its jobs go, until the time is up; then all that were taken
in have to come to an end. What is counted: answers by kind, errors, jobs that were lost, and the server's memory on
the way.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx2 as httpx

from tests.web.server import Server

PAGES = ("/", "/jobs", "/static/live.css", "/api/jobs", "/api/formulations", "/api/instances/lenet-c")
LONGEST_END_S = 300
"""For jobs that wait when the time is up."""


@dataclass
class Seen:
    """What happened."""

    answers: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    jobs: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    resident: list[int] = field(default_factory=list)


async def ask(client: httpx.AsyncClient, seen: Seen, method: str, path: str, **more) -> httpx.Response | None:
    """Ask once, and count what comes of it; being told to wait is an answer, not an error."""
    began = time.monotonic()
    try:
        answer = await client.request(method, path, **more)
    except httpx.HTTPError as error:
        seen.errors[f"{method} {path.split('/')[1] or 'form'}: {type(error).__name__}"] += 1
        return None
    seen.slowest_s = max(seen.slowest_s, time.monotonic() - began)
    waits = answer.status_code == 503 and "retry-after" in answer.headers
    seen.answers["told to wait" if waits else str(answer.status_code)] += 1
    if answer.status_code >= 400 and not waits:
        seen.errors[f"{method} {path}: {answer.status_code}"] += 1
    return answer


async def one_client(number: int, url: str, end: float, seen: Seen) -> None:
    """Behave like somebody with a browser, though faster."""
    chance = random.Random(number)
    own: list[str] = []
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        while time.monotonic() < end:
            what = chance.random()
            if what < 0.15:
                answer = await ask(client, seen, "POST", "/api/jobs", json={"shipped": "lenet-c"})
                if answer is not None and answer.status_code == 201:
                    own.append(answer.json()["id"])
            elif what < 0.25:
                await ask(client, seen, "POST", "/api/check", json={"text": "name: x"})
            elif what < 0.6 and own:
                await ask(client, seen, "GET", f"/jobs/{chance.choice(own)}")
            else:
                await ask(client, seen, "GET", chance.choice(PAGES))
            await asyncio.sleep(chance.uniform(0.05, 0.5))
    seen.jobs += own


async def watch(pid: int, seen: Seen) -> None:
    """Look at the server's memory twice a second."""
    while True:
        seen.resident.append(_resident(pid))
        await asyncio.sleep(0.5)


def _resident(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


async def ended(url: str, jobs: list[str]) -> Counter[str]:
    """Wait until all jobs are over; return how many ended how, those that nobody knows as lost."""
    end = time.monotonic() + LONGEST_END_S
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        while True:
            states = {job["id"]: job["state"] for job in (await client.get("/api/jobs")).json()}
            found = Counter(states.get(job, "lost") for job in jobs)
            if not found["queued"] + found["running"] or time.monotonic() > end:
                return found
            await asyncio.sleep(0.5)


async def soak(server: Server, clients: int, seconds: float) -> dict[str, object]:
    """Let the clients loose; return the figures."""
    seen = Seen()
    watching = asyncio.create_task(watch(server.process.pid, seen))
    end = time.monotonic() + seconds
    await asyncio.gather(*(one_client(number, server.url, end, seen) for number in range(clients)))
    states = await ended(server.url, seen.jobs)
    watching.cancel()
    quarter = max(1, len(seen.resident) // 4)
    return {
        "clients": clients, "seconds": seconds, "answers": dict(seen.answers), "errors": dict(seen.errors),
        "jobs": dict(states), "lost": states["lost"] + states["queued"] + states["running"],
        "slowest answer, s": round(seen.slowest_s, 2),
        "server's memory, MB: first, after a quarter, at most, last": [
            round(one / 1e6, 1)
            for one in (seen.resident[0], seen.resident[quarter - 1], max(seen.resident), seen.resident[-1])
        ],
    }  # fmt: skip


def main() -> None:
    """Start a server of its own, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            print(json.dumps(asyncio.run(soak(server, asked.clients, asked.seconds)), indent=1))
        finally:
            server.end(signal.SIGINT)


if __name__ == "__main__":
    main()
