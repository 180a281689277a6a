"""How long parallelism and placement together take to be proven the best, by two formulations that must agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from reports.benchmarks.protocol import write

if TYPE_CHECKING:
    from hypar_opt.solver.plan import Plan

TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
THREE = ("sfc", "lenet-c", "vgg-a")
SMALL = ("ring", "mesh", "binary-tree")
LARGER = ("torus", "mesh", "ring", "h-tree")
OBJECTIVES = ("hop-bytes", "comm-time")
LIMIT_S = 120.0
TITLE = "Seconds to a proof: strategies and placement together"
NOTES = (
    "One call of `solve` each, two workers, seed 0, a limit of 120 s: building, solving, decoding and recomputation by "
    "boxes and routes. Where both prove an optimum, that they are equal is asserted. `>`: stopped by the limit, with "
    "the gap that was left.",
)


def run() -> None:
    """Measure the ten networks on 4 and 8 accelerators, three on 16."""
    import time

    rows = []
    for names, topologies, levels in ((TEN, SMALL, 2), (TEN, SMALL, 3), (THREE, LARGER, 4)):
        for topology in topologies:
            for objective in OBJECTIVES:
                for name in names:
                    array = {"topology": topology, "levels": levels, "link": {"bandwidth": 200_000_000}}
                    problem = NetworkProblem(load(name, array=array, objective=objective))
                    plans = {
                        one: solve(problem, one, limits=Limits(time.monotonic() + LIMIT_S, workers=2))
                        for one in ("joint-enumeration", "joint-cp-sat")
                    }
                    rows.append(_row(name, topology, levels, objective, plans))
    write("joint", TITLE, rows, NOTES)


def _row(name: str, topology: str, levels: int, objective: str, plans: dict[str, Plan]) -> dict[str, Any]:
    proven = {plan.objective for plan in plans.values() if plan.status is Status.OPTIMAL}
    if len(proven) > 1:
        raise AssertionError(f"{name}, {topology}, {levels} levels, {objective}: two optima: {proven}")
    row: dict[str, Any] = {
        "network": name, "array": topology, "accelerators": 2**levels, "objective": objective,
        "optimum": f"{float(next(iter(proven))):.6g}" if proven else None,
    }  # fmt: skip
    return row | {one: _cell(plan) for one, plan in plans.items()}


def _cell(plan: Plan) -> str:
    if plan.status is Status.OPTIMAL:
        return f"{plan.runtime_s:.2f}"
    if plan.objective is None or plan.bound is None:
        return f"> {plan.runtime_s:.0f} ({plan.status})"
    return f"> {plan.runtime_s:.0f} ({float((plan.objective - plan.bound) / plan.objective):.1%})"
