"""How long each solver takes to prove a plan optimal: the tight formulations, and the textbook's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from reports.benchmarks.linearisations import TEXTBOOK
from reports.benchmarks.protocol import median, write

if TYPE_CHECKING:
    from hypar_opt.solver.plan import Plan

TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")
HARDER = (("resnet-18", 4), ("resnet-50", 4), ("vgg-a", 6), ("vgg-e", 6))
ACCOUNTINGS = ("published", "as-evaluated", "receiver")
EXACT = ("joint-dp", "cp-sat", "milp-highs", "milp-cbc")
RUNS = 3
LIMIT_S = 30.0
TITLE = "Seconds to a proof: ten networks of the paper at H = 4, and harder ones"
NOTES = (
    f"The tight formulations: median of {RUNS} calls of `solve` (encoding, solving, decoding and recomputation), two "
    "workers, seed 0. Columns 'textbook': one call with pair variables e >= x + y - 1 for every pair of strategies "
    f"with a cost (the form of XLA's open auto-sharding solver) and a limit of {LIMIT_S:.0f} s; behind '>' the solver "
    "was stopped without a proof, in brackets the gap that was left (100 % where the bound was 0 or none), accounting "
    "`published` only. Target: 5 s for each tight formulation.",
)


def run() -> None:
    """Measure every network, accounting and solver."""
    rows = [_row(name, accounting, 4) for accounting in ACCOUNTINGS for name in TEN]
    rows += [_row(name, "published", levels) for name, levels in HARDER]
    write("proofs", TITLE, rows, NOTES)


def _row(name: str, accounting: str, levels: int) -> dict[str, Any]:
    problem = NetworkProblem(load(name, accounting=accounting, levels=levels))
    row: dict[str, Any] = {"network": name, "accounting": accounting, "H": levels}
    plans: dict[str, list[Plan]] = {formulation: [] for formulation in EXACT}
    for _ in range(RUNS):
        for formulation in EXACT:
            plans[formulation].append(solve(problem, formulation, limits=Limits(workers=2)))
    costs = {plan.objective for found in plans.values() for plan in found}
    if len(costs) != 1 or any(plan.status is not Status.OPTIMAL for found in plans.values() for plan in found):
        raise AssertionError(f"{name}, {accounting}: the exact formulations disagree: {costs}")
    row |= {formulation: round(median([plan.runtime_s for plan in found]), 4) for formulation, found in plans.items()}
    if accounting == "published":
        row |= {f"textbook {solver}": _textbook(problem, solver, int(min(costs) or 0)) for solver in TEXTBOOK}
    return row


def _textbook(problem: NetworkProblem, solver: str, optimum: int) -> str:
    status, value, bound, seconds = TEXTBOOK[solver](problem.graph, LIMIT_S)
    if status is Status.OPTIMAL:
        if value != optimum:
            raise AssertionError(f"{problem.instance.name}: textbook {solver} says {value}, the optimum is {optimum}")
        return f"{seconds:.2f}"
    gap = 1.0 if value is None or bound is None else (value - max(bound, 0)) / value
    return f"> {seconds:.0f} ({gap:.0%})"
