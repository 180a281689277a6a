"""How benchmarks measure: medians of interleaved runs, with the machine, the versions and the commit beside them."""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypar_opt.report.content.provenance import processor
from hypar_opt.report.tables import csv_lines
from hypar_opt.util.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REPORTS = Path(__file__).parent
PACKAGES = ("numpy", "ortools", "pulp", "highspy", "networkx", "pandas", "pydantic", "click")


@cache
def machine() -> str:
    """Return a line that says where, when and with what is measured; asked for before anything is written."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False, cwd=REPORTS.parents[1]
    )
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"Measured {time.strftime('%Y-%m-%d')} at commit {commit.stdout.strip() or 'unknown'}, Python "
        f"{platform.python_version()}, {processor()}, {packages}."
    )


def interleaved(commands: Mapping[str, Sequence[str]], runs: int) -> dict[str, list[float]]:
    """Return whole-process wall times, one run of each in turn, after one of each that does not count."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, command in commands.items():
            began = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            if run:
                times[name].append(time.perf_counter() - began)
    return times


def median(values: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def write(name: str, title: str, rows: Sequence[Mapping[str, Any]], notes: Sequence[str]) -> None:
    """Write NAME.csv and NAME.md to the reports, and the table to the terminal."""
    import pandas as pd

    REPORTS.mkdir(parents=True, exist_ok=True)
    table = pd.DataFrame(rows).fillna("-").to_markdown(index=False)
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = "\n\n".join([f"# {title}", table, *notes, machine()])
    write_atomically(REPORTS / f"{name}.csv", csv_lines(names, ([row.get(name) for name in names] for row in rows)))
    write_atomically(REPORTS / f"{name}.md", text + "\n")
    sys.stdout.write(f"\n{text}\n")
