"""hypar-opt: exact optimisation of parallelism for training networks on accelerator arrays."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from hypar_opt.util.lazy import lazy_names
from hypar_opt.util.moved import MovedFinder

if TYPE_CHECKING:
    from hypar_opt.formulation.registry import formulations
    from hypar_opt.formulation.run import Event, Limits
    from hypar_opt.formulation.solution import Status
    from hypar_opt.instance import Instance
    from hypar_opt.instance.array import Array
    from hypar_opt.instance.network import (
        Activation,
        Add,
        Concat,
        Conv,
        Flatten,
        GlobalPool,
        Layer,
        Linear,
        Network,
        Pool,
    )
    from hypar_opt.instance.read import load
    from hypar_opt.instance.strategy_graph import StrategyGraph
    from hypar_opt.solver.front import ParetoFront, TradeOff
    from hypar_opt.solver.given_price import with_price
    from hypar_opt.solver.graph_problem import GraphProblem
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.pareto import pareto_front
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.solve import solve
    from hypar_opt.studies.compare import Comparison, compare
    from hypar_opt.studies.compare_arrays import compare_arrays
    from hypar_opt.studies.compare_plans import compare_plans
    from hypar_opt.studies.plan_comparison import PlanComparison
    from hypar_opt.studies.sensitivity import explain
    from hypar_opt.studies.simulation import simulate_plan
    from hypar_opt.studies.sweep import explore
    from hypar_opt.util.errors import HyparError, InputError, MissingPackage, NetworkError, RecomputationError, Refusal
    from hypar_opt.util.extras import show_versions
    from hypar_opt.util.interrupt import Interrupted
    from hypar_opt.verification import Claim, Verdict, read_claim, verify

__all__ = [
    "Activation",
    "Add",
    "Array",
    "Claim",
    "Comparison",
    "Concat",
    "Conv",
    "Event",
    "Flatten",
    "GlobalPool",
    "GraphProblem",
    "HyparError",
    "InputError",
    "Instance",
    "Interrupted",
    "Layer",
    "Limits",
    "Linear",
    "MissingPackage",
    "Network",
    "NetworkError",
    "NetworkProblem",
    "ParetoFront",
    "Plan",
    "PlanComparison",
    "Pool",
    "RecomputationError",
    "Refusal",
    "Status",
    "StrategyGraph",
    "TradeOff",
    "Verdict",
    "compare",
    "compare_arrays",
    "compare_plans",
    "explain",
    "explore",
    "formulations",
    "load",
    "pareto_front",
    "read_claim",
    "show_versions",
    "simulate_plan",
    "solve",
    "verify",
    "with_price",
]

__getattr__ = lazy_names(
    __name__,
    {
        "formulation.registry": ("formulations",),
        "formulation.run": ("Event", "Limits"),
        "formulation.solution": ("Status",),
        "instance": ("Instance",),
        "instance.array": ("Array",),
        "instance.network": (
            "Activation",
            "Add",
            "Concat",
            "Conv",
            "Flatten",
            "GlobalPool",
            "Layer",
            "Linear",
            "Network",
            "Pool",
        ),
        "instance.read": ("load",),
        "instance.strategy_graph": ("StrategyGraph",),
        "solver.given_price": ("with_price",),
        "solver.graph_problem": ("GraphProblem",),
        "solver.network_problem": ("NetworkProblem",),
        "solver.front": ("ParetoFront", "TradeOff"),
        "solver.pareto": ("pareto_front",),
        "solver.plan": ("Plan",),
        "solver.solve": ("solve",),
        "studies.compare": ("Comparison", "compare"),
        "studies.compare_arrays": ("compare_arrays",),
        "studies.compare_plans": ("compare_plans",),
        "studies.plan_comparison": ("PlanComparison",),
        "studies.sensitivity": ("explain",),
        "studies.simulation": ("simulate_plan",),
        "studies.sweep": ("explore",),
        "util.errors": ("HyparError", "InputError", "MissingPackage", "NetworkError", "RecomputationError", "Refusal"),
        "util.extras": ("show_versions",),
        "util.interrupt": ("Interrupted",),
        "verification": ("Claim", "Verdict", "read_claim", "verify"),
    },
    renamed={"Problem": "NetworkProblem"},
)


def __dir__() -> list[str]:
    """Return what there is, also of what has not been imported yet."""
    return sorted({*globals(), *__all__})


if not any(isinstance(finder, MovedFinder) for finder in sys.meta_path):
    sys.meta_path.insert(0, MovedFinder())
