"""Whole processes as a user starts them."""

from __future__ import annotations

import sys
from pathlib import Path

from reports.benchmarks.protocol import interleaved, median, write

RUNS = 15
BARE = "python -c pass"
TITLE = "Whole processes"
NOTES = (
    f"Median wall time of {RUNS} runs of each, interleaved, after one of each that does not count. Targets: --help "
    "at most 6 times a bare interpreter, `solve vgg-e` at most 1 s.",
)


def run() -> None:
    """Time the command line against a bare interpreter."""
    command = str(Path(sys.executable).with_name("hypar-opt"))
    commands = {
        BARE: [sys.executable, "-c", "pass"],
        "hypar-opt --help": [command, "--help"],
        "hypar-opt solve --help": [command, "solve", "--help"],
        "hypar-opt solve vgg-e": [command, "solve", "vgg-e"],
        "hypar-opt solve vgg-e --levels 16 --json": [command, "solve", "vgg-e", "--levels", "16", "--json"],
        "hypar-opt solve vgg-e -f milp-highs": [command, "solve", "vgg-e", "-f", "milp-highs"],
        "hypar-opt solve vgg-e -f cp-sat": [command, "solve", "vgg-e", "-f", "cp-sat"],
    }
    times = interleaved(commands, RUNS)
    rows = [
        {
            "command": name,
            "seconds": round(median(found), 4),
            "fastest": round(min(found), 4),
            "x bare interpreter": round(median([a / b for a, b in zip(found, times[BARE], strict=True)]), 2),
        }
        for name, found in times.items()
    ]
    write("startup", TITLE, rows, NOTES)
