"""python -m reports.benchmarks [NAME]...: measure, and write reports/benchmarks; the names are in ALL."""

from __future__ import annotations

import sys
from importlib import import_module

from reports.benchmarks.protocol import machine

ALL = (
    "startup",
    "scaling",
    "certificates",
    "proofs",
    "placements",
    "joint",
    "simulation",
    "fronts",
    "operators",
    "blocks",
    "mixed",
    "pipelines",
    "collectives",
    "throughput",
    "campaign_stores",
    "handing_out",
    "kills",
)


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all."""
    unknown = set(names) - set(ALL)
    if unknown:
        sys.exit(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(ALL)}")
    machine()
    for name in names or ALL:
        import_module(f"reports.benchmarks.{name}").run()


main(sys.argv[1:])
