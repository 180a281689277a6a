"""How long a placement takes to be proven the best: sixteen accelerators, every topology; and gaps for 64."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.cost.links import compile_placement
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.hardware import Shape, Wire, machine_of
from hypar_opt.util.partition import halves
from reports.benchmarks.protocol import write

if TYPE_CHECKING:
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.solution import Solution

TOPOLOGIES = (
    "h-tree", "binary-tree", "torus", "mesh", "hypercube", "fully-connected", "star", "fat-tree", "ring", "bigraph",
    "hmc-chain",
)  # fmt: skip
OBJECTIVES = ("hop-bytes", "comm-time")
EXACT = ("placement-cp-sat", "placement-milp")
LIMITS_S = {"placement-cp-sat": 60.0, "placement-milp": 20.0}
LARGE_LIMIT_S = 30.0
LARGE = ("h-tree", "torus", "mesh", "ring", "hypercube")
TITLE = "Seconds to a proof that a placement is the best: 16 accelerators"
NOTES = (
    "One call of each formulation, two workers, seed 0, building included; the limit is 60 s, for the MILP 20 s. "
    "Volumes: every level the same, or 1 : 2 : 4 : 8 from the root down. The value is the objective for volumes of so "
    "many bytes and links of 1 B/s, times 16 (what all accelerators send): for hop-bytes and equal volumes that is "
    "twice the pair-hops. `>`: stopped, with the bound's distance. 'how' is the formulation's own word.",
)
LARGE_TITLE = "Placements of 64 accelerators: the best found, and what is proven"
LARGE_NOTES = (
    "`local-search`, seed 0, a limit of 30 s; the bound is what its own lower bound proves, the gap what is left.",
)


def run() -> None:
    """Measure every topology."""
    rows = [
        _row(topology, objective, volumes)
        for objective in OBJECTIVES
        for volumes in ((1, 1, 1, 1), (1, 2, 4, 8))
        for topology in TOPOLOGIES
    ]
    write("placements", TITLE, rows, NOTES)
    large = [_large(topology, objective) for objective in OBJECTIVES for topology in LARGE]
    write("placements-64", LARGE_TITLE, large, LARGE_NOTES)


def _graph(topology: str, objective: str, volumes: tuple[int, ...]) -> PlacementGraph:
    machine = machine_of(topology, Shape(len(volumes), wire=Wire(bandwidth=Fraction(1))))
    return compile_placement(machine, {objective: Fraction(1)}, halves(len(volumes)), volumes)


def _solved(graph: PlacementGraph, name: str, limit_s: float) -> tuple[Solution, float]:
    began = time.monotonic()
    formulation, runner = load_formulation(name), Run(name, Limits(began + limit_s, workers=2))
    refusal = formulation.accepts(graph, runner)
    if refusal is not None:
        raise AssertionError(f"{name} declines: {refusal}")
    return formulation.solve(graph, runner), time.monotonic() - began


def _scaled(graph: PlacementGraph, value: int) -> str:
    return str(Fraction(value, graph.unit) * graph.leaves)


def _row(topology: str, objective: str, volumes: tuple[int, ...]) -> dict[str, Any]:
    graph = _graph(topology, objective, volumes)
    row: dict[str, Any] = {"topology": topology, "objective": objective, "volumes": ":".join(map(str, volumes))}
    proven: dict[str, int] = {}
    for name in EXACT:
        solution, seconds = _solved(graph, name, LIMITS_S[name])
        value = graph.value(solution.choices or ())
        row["value"] = _scaled(graph, min(value, proven.get("value", value)))
        if solution.status is Status.OPTIMAL:
            if proven.setdefault("value", value) != value:
                raise AssertionError(f"{topology}, {objective}: two proofs disagree: {proven} and {value}")
            row[name] = f"{seconds:.2f}"
            row["how"] = row.get("how", solution.native_status)
        else:
            row[name] = f"> {seconds:.0f} ({(value - (solution.bound or 0)) / value:.1%})"
    return row


def _large(topology: str, objective: str) -> dict[str, Any]:
    graph = _graph(topology, objective, (1,) * 6)
    solution, seconds = _solved(graph, "local-search", LARGE_LIMIT_S)
    value, bound = graph.value(solution.choices or ()), solution.bound or 0
    return {
        "topology": topology,
        "objective": objective,
        "best": _scaled(graph, value),
        "bound": _scaled(graph, bound),
        "gap": f"{(value - bound) / value:.1%}",
        "seconds": round(seconds, 1),
        "how": solution.native_status,
    }
