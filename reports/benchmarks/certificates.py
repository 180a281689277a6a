"""Certificates: written by one process, checked by another, as a user runs them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reports.benchmarks.protocol import median, write

LEVELS = (4, 8, 12, 16, 18, 20)
RUNS = 3
CHECKER = Path(__file__).parents[2] / "hypar_opt" / "verification" / "certificate" / "check.py"
TITLE = "Certificates of VGG-E's optimum"
NOTES = (
    f"Whole processes, median wall time of {RUNS} runs. solve: `hypar-opt solve vgg-e --levels H --certificate FILE "
    "--no-explain`; check: the checker run alone, `python -I check.py FILE`; verify: `hypar-opt verify` of the plan "
    "with its certificate; again: without one, so that it is made anew. Peak memory is the largest of the four "
    "processes as the operating system accounts for it. Targets: solve + check at most 3 s at H = 16, 20 s and "
    "4 GiB at H = 20.",
)


def timed(command: list[str]) -> tuple[float, float]:
    """Run a command that has to succeed; return its seconds and its peak memory in MiB."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"failed: {' '.join(command)}")
    return time.perf_counter() - began, usage.ru_maxrss / 1024


def measure(levels: int, folder: Path) -> dict[str, float]:
    """Return one H's row."""
    program = str(Path(sys.executable).with_name("hypar-opt"))
    plan, certificate = str(folder / "plan.json"), str(folder / "plan.cert")
    where = ["--levels", str(levels), "-o", plan, "--certificate", certificate, "--no-explain"]
    commands = {
        "solve": [program, "solve", "vgg-e", *where],
        "check": [sys.executable, "-I", str(CHECKER), certificate],
        "verify": [program, "verify", "vgg-e", plan, "--certificate", certificate],
        "again": [program, "verify", "vgg-e", plan],
    }
    found = {name: [timed(command) for _ in range(RUNS)] for name, command in commands.items()}
    seconds = {name: round(median([run[0] for run in runs]), 3) for name, runs in found.items()}
    return {
        "H": levels,
        **seconds,
        "solve + check": round(seconds["solve"] + seconds["check"], 3),
        "file_MB": round(Path(certificate).stat().st_size / 1e6, 2),
        "peak_MiB": round(max(run[1] for runs in found.values() for run in runs)),
    }


def run() -> None:
    """Measure every H and write the table."""
    with tempfile.TemporaryDirectory() as folder:
        write("certificates", TITLE, [measure(levels, Path(folder)) for levels in LEVELS], NOTES)
