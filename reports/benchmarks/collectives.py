"""How long schedules of collectives take to find, and how near they come to what is proven of all schedules."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hypar_opt.cost.collective import compile_collective
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.instance.collective import read_collective
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from reports.benchmarks.protocol import median, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

RUNS, SHORT_S = 3, 1.0
LINK = {"bandwidth": 25 * 10**9, "latency": 0}
TITLE = "Seconds to schedules of collectives, and their proofs"
NOTES = (
    f"Seconds of the processor, of all threads, median of {RUNS} of what takes less than {SHORT_S:g} s, of the others "
    "once. 'search': the formulation by itself, the bound included; 'solve': the whole call, compiling, decoding and "
    "the recount of every send included, but neither reading nor writing a file. 2^30 bytes, a chunk each, links of "
    "25 GB/s without latency; 'found' and 'bound' are steps, or microseconds where time is to be least, or that of the "
    "bandwidth alone. Where both are equal the schedule is proven. Targets: MultiTree on a 32x32 torus and the optimum "
    "by bandwidth of a 16x16 torus in 60 s each.",
)


@dataclass(frozen=True)
class Case:
    """What is measured.

    Parameters
    ----------
    array
        Its name in the table.
    shape
        Fields of the array.
    formulation
        Who searches.
    collective, objective
        What of.
    """

    array: str
    shape: Mapping[str, Any] = field(hash=False)
    formulation: str
    collective: str = "all-gather"
    objective: str = "steps"


def _grid(topology: str, *dims: int) -> tuple[str, Mapping[str, Any]]:
    return f"{topology} {'x'.join(map(str, dims))}", {"topology": topology, "dims": list(dims)}


CASES = (
    Case(*_grid("torus", 8, 8), "shifted-paths", "all-to-all"),
    Case(*_grid("torus", 16, 16), "link-matching"),
    Case(*_grid("torus", 6, 6, 6), "shifted-trees"),
    Case(*_grid("mesh", 16, 16), "link-matching"),
    Case(*_grid("mesh", 16, 16), "multitree"),
    Case(*_grid("mesh", 6, 6, 6), "link-matching"),
    Case("hypercube of 256", {"topology": "hypercube", "accelerators": 256}, "shifted-trees"),
    Case("ring of 256", {"topology": "ring", "accelerators": 256}, "shifted-trees"),
    Case("fully connected, 64", {"topology": "fully-connected", "accelerators": 64}, "link-matching"),
    Case("star of 64", {"topology": "star", "accelerators": 64}, "ring"),
    Case("binary tree of 64", {"topology": "binary-tree", "accelerators": 64}, "ring"),
    Case("H-tree of 64", {"topology": "h-tree", "accelerators": 64}, "ring"),
    Case("BiGraph of 64", {"topology": "bigraph", "accelerators": 64, "switches": 8}, "multitree"),
    Case("fat tree of 54", {"topology": "fat-tree", "ports": 6}, "ring"),
    Case("HMC chain of 64", {"topology": "hmc-chain", "accelerators": 64}, "link-matching"),
    Case(*_grid("mesh", 3, 3), "collective-cp-sat", "all-reduce"),
    Case(*_grid("mesh", 2, 4), "collective-cp-sat", "all-reduce"),
    Case(*_grid("torus", 8, 8), "shifted-trees", "all-reduce"),
    Case(*_grid("mesh", 5, 5), "collective-cp-sat", objective="time"),
    Case(*_grid("torus", 16, 16), "forestcoll", objective="bandwidth"),
    Case(*_grid("torus", 32, 32), "multitree"),
)


def run() -> None:
    """Measure all."""
    write("collectives", TITLE, list(_rows()), NOTES)


def _rows() -> Iterator[dict[str, Any]]:
    for case in CASES:
        row = _row(case)
        sys.stderr.write(f"{row}\n")
        yield row


def _error(message: str, path: Sequence[str | int] = (), **_: object) -> InputError:
    return InputError(message, field=".".join(map(str, path)))


def _row(case: Case) -> dict[str, Any]:
    document = {
        "schema": "hypar-opt/collective/1",
        "name": case.array.replace(" ", "-").replace(",", ""),
        "array": {**case.shape, "link": LINK},
        "collective": case.collective,
        "bytes": 2**30,
        "objective": case.objective,
    }
    instance = read_collective(document, _error)
    whole: list[float] = []
    alone: list[float] = []
    while len(whole) < (RUNS if not whole or max(whole) < SHORT_S else 1):
        began = time.process_time()
        plan = solve(instance, case.formulation)
        whole.append(time.process_time() - began)
        graph = compile_collective(instance)
        began = time.process_time()
        load_formulation(case.formulation).solve(graph, Run(case.formulation))
        alone.append(time.process_time() - began)
    if plan.objective is None or plan.bound is None:
        raise AssertionError(f"{case.array}: {plan.status}, {plan.native_status}")
    sends = plan.statistics.get("sends")
    return {
        "array": case.array,
        "collective": case.collective,
        "least": case.objective,
        "formulation": case.formulation,
        "found": _shown(plan.objective, case),
        "bound": _shown(plan.bound, case),
        "sends": "-" if sends is None else f"{sends:,}",
        "search": f"{median(alone):.2f}",
        "solve": f"{median(whole):.2f}",
    }


def _shown(value: Fraction | int, case: Case) -> str:
    return f"{int(value):,}" if case.objective == "steps" else f"{float(value * 10**6):,.2f}"
