"""What `solve` takes of words and shares on accelerators of several kinds, as a user starts it."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from reports.benchmarks.protocol import write

CASES: Final = (
    ("mixed-alexnet", ()),
    ("mixed-alexnet", ("--choices", "dp,mp,op,none")),
    ("mixed-alexnet", ("--barrier", "layer")),
    ("mixed-vgg-11", ()),
    ("mixed-three-kinds", ()),
    ("mixed-vgg-19", ()),
    ("mixed-resnet-50", ()),
)
LIMIT_S: Final = 300
START: Final = "from hypar_opt.cli import main; main()"
TITLE = "Seconds of whole solves: accelerators of several kinds"
NOTES = (
    f"A whole process of `hypar-opt solve INSTANCE OPTIONS -o PLAN.json --time-limit {LIMIT_S}`, once each, in this "
    "order: from its start to the tables of the terminal. `wall` and `processor` in seconds, the latter user and "
    "system of all threads. Boxes of shares and sums are those of the search; `above` is how far the plan is above "
    "the proven bound.",
)


def run() -> None:
    """Measure every case."""
    with tempfile.TemporaryDirectory() as name:
        rows = [_row(instance, options, Path(name) / "plan.json") for instance, options in CASES]
    write("mixed", TITLE, rows, NOTES)


def _row(instance: str, options: tuple[str, ...], plan: Path) -> dict[str, Any]:
    given = ["solve", instance, *options, "-o", str(plan), "--time-limit", str(LIMIT_S)]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", START, *given], check=False, stdout=subprocess.DEVNULL, env=environment)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(plan.read_text(encoding="utf-8"))
    objective, bound = Fraction(found["objective"]), Fraction(found["bound"] or 0)
    return {
        "instance": instance,
        "options": " ".join(options),
        "status": found["status"],
        "step, ms": round(float(objective) * 1000, 3),
        "above": f"{float((objective - bound) / objective):.2%}",
        "boxes": found["statistics"]["boxes"],
        "sums": found["statistics"]["weighted_sums"],
        "wall": round(wall, 1),
        "processor": round(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, 1),
    }
