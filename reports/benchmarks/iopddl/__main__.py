"""python -m reports.benchmarks.iopddl: measure, and write reports/benchmarks/iopddl.{md,csv}; --help says what else."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from reports.benchmarks.iopddl import instances, writing
from reports.benchmarks.iopddl.baselines.searches import SEARCHES
from reports.benchmarks.iopddl.curves import Curve, merged_curves, read_curves, write_curves
from reports.benchmarks.iopddl.processes import ROOT
from reports.benchmarks.iopddl.published import published
from reports.benchmarks.iopddl.rows import merged, read, row_of, write_csv
from reports.benchmarks.iopddl.runs import ABLATIONS, DEFAULT, run
from reports.benchmarks.protocol import REPORTS

if TYPE_CHECKING:
    from collections.abc import Iterator

METHODS = [DEFAULT, *ABLATIONS, *SEARCHES]
FOLDER = ROOT.parent / "shared" / "iopddl"


def main(arguments: list[str]) -> None:
    """Run what is asked for; the reports are rewritten after every run, rows of earlier ones stay."""
    asked = _parsed(arguments)
    files = instances.found(asked.folder)
    names = asked.instances.split(",") if asked.instances else list(files)
    missing = [name for name in names if name not in files]
    if missing or not names:
        sys.exit(f"{asked.folder} has no instance {', '.join(missing)}; there are {', '.join(files) or 'none'}")
    methods = asked.only or [DEFAULT, *(ABLATIONS if asked.ablations else SEARCHES)]
    known, curves = read(asked.output / "iopddl.csv"), read_curves(asked.output / "iopddl_curves.csv")
    commit = _commit()
    for name in names:
        limit_s = asked.time_limit or published(name).limit_s
        if limit_s is None:
            sys.exit(f"no time limit is known of {name}; give one with --time-limit")
        for method, seed in _runs(methods, asked.seeds):
            load = os.getloadavg()[0]
            found = run(files[name], method, seed, limit_s, asked.memory_limit)
            row = row_of(name, method, seed, limit_s, found, commit, ours=method == DEFAULT)
            known = merged(known, row, METHODS)
            curve = Curve(name, method, seed, limit_s, found.moves, found.wall_s, found.status, load, commit)
            curves = merged_curves(curves, curve, METHODS)
            asked.output.mkdir(parents=True, exist_ok=True)
            write_csv(asked.output / "iopddl.csv", known)
            write_curves(asked.output / "iopddl_curves.csv", curves)
            writing.write(asked.output / "iopddl.md", known, curves)
            sys.stdout.write(", ".join(f"{column} {cell or '-'}" for column, cell in row.items()) + "\n")
            sys.stdout.flush()


def _runs(methods: list[str], seeds: str) -> Iterator[tuple[str, int]]:
    """Yield methods and seeds: all seeds for ours, the first for the baselines."""
    for method in methods:
        every = [int(seed) for seed in seeds.split(",")]
        yield from ((method, seed) for seed in (every[:1] if method in SEARCHES else every))


def _parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m reports.benchmarks.iopddl", description=writing.TITLE)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the instances (%(default)s)")
    parser.add_argument("--instances", metavar="A,B", help="these only")
    parser.add_argument("--seeds", metavar="0,1", default="0,1,2", help="of our methods; baselines run with the first")
    parser.add_argument(
        "--only", action="append", metavar="NAME", help=f"{', '.join(SEARCHES)}, {DEFAULT} or a formulation; repeatable"
    )
    parser.add_argument("--ablations", action="store_true", help=f"{', '.join(ABLATIONS)} instead of the baselines")
    parser.add_argument("--time-limit", type=float, metavar="S", help="instead of the contest's")
    parser.add_argument("--memory-limit", type=float, metavar="GIB", default=16.0, help="of a process (%(default)s)")
    parser.add_argument("--output", type=Path, default=REPORTS, help="where the reports go (%(default)s)")
    return parser.parse_args(arguments)


def _commit() -> str:
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    return said.stdout.strip() or "unknown"


if __name__ == "__main__":
    main(sys.argv[1:])
