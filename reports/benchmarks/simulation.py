"""How long simulating a step takes: VGG-E on 16 and on 256 accelerators, and what contention and overlap come to."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.simulation import Options, simulate_plan
from reports.benchmarks.protocol import median, write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.studies.simulation import Simulated

NETWORK = "vgg-e"
RUNS = 3
SIZES = {"h-tree": (4, 8), "torus": (4, 8), "ring": (4, 8), "hypercube": (4, 8)}
LINKS: Mapping[str, object] = {
    "h-tree": {"bandwidth": 125000000, "at": "root"},
    "torus": {"bandwidth": 125000000},
    "ring": {"bandwidth": 125000000},
    "hypercube": {"bandwidth": 125000000},
}
ACCELERATOR = {"model": "as-evaluated", "rate": 84 * 10**9}
MODES = {
    "as the model": Options("none", contention=False),
    "contention": Options("none"),
    "overlap": Options("full", contention=False),
    "both": Options("full"),
    "contention, one by one": Options("none", acquire="ordered"),
    "both, one by one": Options("full", acquire="ordered"),
    "both, links whole": Options("full", hold="whole"),
}
TITLE = "Simulated training steps of VGG-E: how long they take, and how long simulating them takes"
NOTES = (
    "Batch 256, the plan of least communication, leaf i on accelerator i, accelerators of 84 GOPS counted as the "
    "paper's evaluation counts, links of 1.25e8 B/s each way (h-tree: the root's links). Columns: seconds of the step "
    "by the analytic model, simulated without contention and overlap (the same exactly, or this benchmark fails), and "
    "with either or both. `one by one`: links taken one after the other and kept meanwhile (`--acquire ordered`) "
    "instead of the whole route at once. `floor`: what the resource with most to do has to do.",
    f"`simulating`: wall seconds of one simulation with contention and overlap, critical path included, the median of "
    f"{RUNS}; the limits that this was built for are 5 s for 16 accelerators and 60 s for 256.",
)


def run() -> None:
    """Simulate on every array."""
    write("simulation", TITLE, [_row(topology, levels) for topology, sizes in SIZES.items() for levels in sizes], NOTES)


def _row(topology: str, levels: int) -> dict[str, Any]:
    array = {
        "topology": topology, "levels": levels, "placement": "identity", "link": LINKS[topology],
        "accelerator": ACCELERATOR,
    }  # fmt: skip
    problem = NetworkProblem(load(NETWORK, array=array))
    strategies = solve(problem.by_communication).strategies
    assert strategies is not None
    placed = tuple(range(1 << levels))
    found = {name: simulate_plan(problem, strategies, placed, options) for name, options in MODES.items()}
    exact = found["as the model"]
    if exact.simulation.time != exact.analytic:
        raise AssertionError(f"{topology}, {levels} levels: simulated {exact.simulation.time}, not {exact.analytic}")
    times = {name: _s(one.simulation.time) for name, one in found.items()}
    seconds = median([_timed(problem, strategies, placed) for _ in range(RUNS)])
    return {
        "array": topology,
        "accelerators": len(placed),
        "tasks": len(exact.simulation.graph),
        "analytic": _s(exact.analytic),
        **times,
        "floor": _s(exact.simulation.floor),
        "simulating": f"{seconds:.2f}",
    }


def _timed(problem: NetworkProblem, strategies: Mapping[str, str], placed: tuple[int, ...]) -> float:
    began = time.perf_counter()
    _path(simulate_plan(problem, strategies, placed, MODES["both"]))
    return time.perf_counter() - began


def _path(found: Simulated) -> None:
    if not found.simulation.critical_path:
        raise AssertionError("a step without a critical path")


def _s(seconds: Fraction) -> str:
    return f"{float(seconds):.4g}"
