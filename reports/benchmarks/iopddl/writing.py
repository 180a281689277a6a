"""The report: our runs beside what is published, then all runs."""

from __future__ import annotations

import statistics
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

from hypar_opt.util.files import write_atomically
from reports.benchmarks.iopddl import over_time
from reports.benchmarks.iopddl.baselines.searches import SEARCHES
from reports.benchmarks.iopddl.published import AT_MOST, PROVEN, published
from reports.benchmarks.iopddl.runs import DEFAULT, GRACE_S, WORKERS
from reports.benchmarks.protocol import machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from reports.benchmarks.iopddl.curves import Curve
    from reports.benchmarks.iopddl.rows import Row

TITLE: Final = "Strategy graphs of the ASPLOS 2025 contest on intra-operator parallelism"
WHOLE: Final = (
    "cost",
    "bound",
    "best published",
    "peak MiB",
    "best",
    "median",
    "worst",
    "compiler",
    "published",
    "best known",
)
BESIDES: Final = ("numba", "scipy", "msgspec", "pytoulbar2")
"""Packages that results depend on here only."""
NOTES: Final = (
    f"Every run is a process of its own with the contest's time limit from its start, reading included, and {WORKERS} "
    "workers on the machine below (the contest's had 8 cores and 32 GB, and the published costs are of such machines). "
    "`hypar-opt` is `hypar-opt solve FILE` as it comes. 'wall s' is of the whole process, 'found s' when it had the "
    "plan, 'peak MiB' the resident memory of all its processes together. Every plan was verified by `hypar-opt "
    "verify`, a process of its own: 'confirmed' means that it is allowed, fits and costs what is shown; no other cost "
    "is shown. Bounds are the method's own word; those of baselines come from their solvers in floating point.",
    "Best published: the least cost of the contest's twenty teams, the production compiler's solver, and the winners' "
    "results after it, sources in reports/benchmarks/iopddl/published.py. Targets are this project's own; of instances "
    "without one nothing is shown.",
    "Baselines read the graph as it is: parallel edges summed, loops and edges of a node with one strategy folded into "
    "nodes, and of the rows of memory those of maximal live sets; nothing else is reduced. `cp-sat, unreduced`: table "
    "constraints. `alpa`: Alpa's formulation, one-hot pairs, every variable binary, every such row in full. `xla`: the "
    "production compiler's, a product at least the sum of its factors less one, memory by levels. `toulbar2`: cost "
    f"functions, rows of memory added as they are violated, one core. They have the same limit and {GRACE_S:g} s more "
    "to hand over; a cell without a figure (-) was not reached, and the status says why; what has "
    "no run below was not run.",
)


def write(path: Path, rows: list[Row], curves: Sequence[Curve] = ()) -> None:
    """Write the report, and a picture of every instance whose runs' improvements are known."""
    table = _table(rows)
    where = (
        f"{machine()} Also {', '.join(f'{name} {_version(name)}' for name in BESIDES)}; rows name their own commits."
    )
    summary, beside = _table(list(_summary(rows))), _table(list(_beside(rows)))
    parts = [f"# {TITLE}", summary, "## Methods side by side", beside, *NOTES]
    if curves:
        pictures = over_time.drawn(path.parent, curves, (DEFAULT, *SEARCHES))
        parts += ["## Over time", _table(over_time.time_rows(rows, curves)), *over_time.NOTES, *pictures]
    text = "\n\n".join([*parts, "## All runs", table, where])
    write_atomically(path, text + "\n")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def _summary(rows: list[Row]) -> Iterable[dict[str, str]]:
    """Yield for every instance our default's runs beside what is published, those with the contest's limit only."""
    for name in dict.fromkeys(row["instance"] for row in rows):
        known = published(name)
        of_it = [row for row in rows if (row["instance"], row["method"]) == (name, DEFAULT)]
        runs = [row for row in of_it if known.limit_s is None or row["limit s"] == str(known.limit_s)]
        costs = sorted(int(row["cost"]) for row in runs if row["cost"])
        bounds = [int(row["bound"]) for row in runs if row["bound"]]
        yield {
            "instance": name,
            "limit s": _text(known.limit_s),
            "compiler": _text(known.compiler),
            "published": _text(known.best),
            "seeds": " ".join(row["seed"] for row in runs),
            "best": _text(costs[0] if costs else None),
            "median": _text(statistics.median_low(costs) if costs else None),
            "worst": _text(costs[-1] if len(costs) == len(runs) and costs else None),
            "bound": _text(max(bounds, default=None)),
            "gap %": " to ".join(_ends([row["gap %"] for row in runs], float)),
            "proven": f"{sum(row['status'] == 'OPTIMAL' for row in runs)} of {len(runs)}",
            "wall s": " to ".join(_ends([row["wall s"] for row in runs], float)),
            "difference %": " to ".join(_ends([row["difference %"] for row in runs], float)),
            "target": _target(name),
            "reached": ", ".join(dict.fromkeys(row["target"] for row in runs if row["target"])),
        }


def _beside(rows: list[Row]) -> Iterable[dict[str, str]]:
    """Yield for every instance the best plan of each method at its longest limit: its cost, or why none."""
    methods = list(dict.fromkeys(row["method"] for row in sorted(rows, key=lambda row: row["method"] != DEFAULT)))
    for name in dict.fromkeys(row["instance"] for row in rows):
        of_it = [row for row in rows if row["instance"] == name]
        cells = {"instance": name, "published": _text(published(name).best)}
        for method in methods:
            runs = [row for row in of_it if row["method"] == method]
            longest = max((row["limit s"] for row in runs), key=float, default="")
            cells[method] = _shown([row for row in runs if row["limit s"] == longest])
        yield cells


def _shown(runs: list[Row]) -> str:
    """Return the least cost of runs of one method, and whether it is proven."""
    found = [(int(row["cost"]), row["status"] != "OPTIMAL") for row in runs if row["cost"]]
    if not found:
        return ", ".join(dict.fromkeys(row["status"] for row in runs))
    cost, unproven = min(found)
    return f"{cost:,}{'' if unproven else ' (proven)'}"


def _ends(cells: list[str], number: type[float]) -> list[str]:
    """Return the least and the greatest cell, or the one."""
    known = sorted({cell for cell in cells if cell}, key=number)
    return known if len(known) < 2 else [known[0], known[-1]]


def _target(name: str) -> str:
    return "proven optimal" if name in PROVEN else f"at most {AT_MOST[name]:,}" if name in AT_MOST else ""


def _text(value: int | None) -> str:
    return "" if value is None else str(value)


def _table(rows: list[Mapping[str, str]] | list[Row]) -> str:
    """Return Markdown; numbers in groups of three, '-' where there is nothing."""
    import pandas as pd

    shown = [{name: _cell(name, cell) for name, cell in row.items()} for row in rows]
    return str(pd.DataFrame(shown).to_markdown(index=False, disable_numparse=True))


def _cell(name: str, cell: str) -> str:
    if not cell:
        return "-"
    return f"{int(cell):,}" if name in WHOLE else cell
