"""hypar-opt: exact optimisation of parallelism for training networks on accelerator arrays."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.comparing import compare
    from hypar_opt.explaining import explain
    from hypar_opt.exploring import explore
    from hypar_opt.graph_problem import GraphProblem
    from hypar_opt.instance import Instance
    from hypar_opt.pareto import ParetoFront, pareto_front
    from hypar_opt.plan import Plan, Status
    from hypar_opt.problem import Problem
    from hypar_opt.reading import load
    from hypar_opt.run import Event, Limits
    from hypar_opt.simulation import simulate_plan
    from hypar_opt.solving import solve
    from hypar_opt.strategy_graph import StrategyGraph
    from hypar_opt.verification import Claim, Verdict, read_claim, verify

__all__ = [
    "Claim",
    "Event",
    "GraphProblem",
    "Instance",
    "Limits",
    "ParetoFront",
    "Plan",
    "Problem",
    "Status",
    "StrategyGraph",
    "Verdict",
    "compare",
    "explain",
    "explore",
    "load",
    "pareto_front",
    "read_claim",
    "simulate_plan",
    "solve",
    "verify",
]

_HOMES = {
    "compare": "comparing",
    "explain": "explaining",
    "explore": "exploring",
    "Instance": "instance",
    "load": "reading",
    "ParetoFront": "pareto",
    "pareto_front": "pareto",
    "Plan": "plan",
    "Status": "plan",
    "Problem": "problem",
    "Event": "run",
    "GraphProblem": "graph_problem",
    "StrategyGraph": "strategy_graph",
    "Limits": "run",
    "simulate_plan": "simulation",
    "solve": "solving",
    "Claim": "verification",
    "Verdict": "verification",
    "read_claim": "verification",
    "verify": "verification",
}
"""Where each public name stands; imported when it is asked for, so that `hypar-opt --help` stays instant."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'hypar_opt' has no attribute '{name}'")
    return getattr(import_module(f"hypar_opt.{_HOMES[name]}"), name)
