"""What `solve` takes of networks of equal blocks, as a user starts it: reading to printing, and the plan written."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from reports.benchmarks.operators import instance
from reports.benchmarks.protocol import median, write

NETWORK, AXES, BLOCKS = "gpt2-block", (2, 4), (10, 100, 1000)
RUNS: Final = 3
OTHER: Final = "OF"
"""The environment's variable that says where another checkout lies, to be measured beside this one."""
START: Final = "from hypar_opt.cli import main; main()"
TITLE = "Seconds of whole solves: networks of equal blocks"
NOTES = (
    f"Seconds of the processor, user and system, of a whole process of `hypar-opt solve FILE -o PLAN.json` of "
    f"{NETWORK} repeated, on {' x '.join(map(str, AXES))} devices: its start, reading, compiling, the search, the "
    "recount by device, the plan's file, regrets and the tables of the terminal. Medians of "
    f"{RUNS} runs, all cases in turn, after one of each that does not count. `x 10 blocks`: against ten blocks.",
    f"`before` is of another checkout, where `{OTHER}` names one: its commit is in the heading of its column.",
)


def run() -> None:
    """Measure this checkout, and the other one."""
    checkouts = {"now": Path(__file__).parents[2]}
    if OTHER in os.environ:
        other = Path(os.environ[OTHER]).resolve()
        said = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=other, capture_output=True, check=True)
        checkouts = {f"before, {said.stdout.decode().strip()}": other, **checkouts}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in BLOCKS:
            document = instance(NETWORK, count, AXES).to_dict()
            (folder / f"{count}.json").write_text(json.dumps(document), encoding="utf-8")
        seconds: dict[tuple[str, int], list[float]] = {}
        for number in range(RUNS + 1):
            for count in BLOCKS:
                for which, checkout in checkouts.items():
                    spent = _spent(checkout, folder, count)
                    if number:
                        seconds.setdefault((which, count), []).append(spent)
    write("blocks", TITLE, [_row(count, list(checkouts), seconds) for count in BLOCKS], NOTES)


def _row(count: int, checkouts: list[str], seconds: dict[tuple[str, int], list[float]]) -> dict[str, Any]:
    row: dict[str, Any] = {"blocks": count, "operators": 14 * count}
    for which in checkouts:
        spent, least = median(seconds[which, count]), median(seconds[which, BLOCKS[0]])
        row |= {which: round(spent, 2), f"{which}: x {BLOCKS[0]} blocks": round(spent / least, 2)}
    return row


def _spent(checkout: Path, folder: Path, count: int) -> float:
    """Return the processor's seconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", START, "solve", str(folder / f"{count}.json"), "-o", str(folder / "plan.json")]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
