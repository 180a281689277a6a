"""python -m reports.benchmarks.iopddl.baselines NAME FILE REPORT.json LIMIT_S SEED WORKERS: run one here."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from hypar_opt.cli.options import process_age_s
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.instance.strategy_graph import read_strategy_graph
from reports.benchmarks.iopddl.baselines.report import NotBuilt, Report
from reports.benchmarks.iopddl.baselines.searches import SEARCHES


def main(name: str, file: str, path: str, limit_s: str, seed: str, workers: str) -> None:
    """Solve; the limit begins with the process, and reading and stating the model count."""
    began = time.monotonic() - process_age_s()
    graph = read_strategy_graph(Path(file))
    report = Report(Path(path), compile_graph(graph), began, float(limit_s), int(seed), int(workers))
    report.known |= {"instance": graph.name, "sha256": graph.sha256}
    try:
        SEARCHES[name](report)
    except NotBuilt:
        report.ended("model not built within the limit")
    except MemoryError:
        report.ended("out of memory")


main(*sys.argv[1:])
