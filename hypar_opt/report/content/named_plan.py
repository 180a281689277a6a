"""A plan with its name in a report, and the order in which plans stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.registry import rank_of
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.network_tasks import sites_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.evaluation.step import Step
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True)
class FoundPlan:
    """A plan of a subject of whatever kind, checked.

    Parameters
    ----------
    name
        Unique among a subject's plans: the formulation's, or the plan file's.
    problem
        What it is a plan of.
    plan
        Has strategies.
    source
        The plan file that it was given in, or nothing: its cost was recomputed, what it says of its optimality was not.
    """

    name: str
    problem: Any
    plan: Plan
    source: str = ""

    @property
    def strategies(self) -> Mapping[str, str]:
        """By layer or operator, its word."""
        if self.plan.strategies is None:
            raise ValueError(f"{self.name} has no strategies")
        return self.plan.strategies


@dataclass(frozen=True)
class NamedPlan(FoundPlan):
    """A plan of a network whose layers are split in halves, with what it costs layer by layer."""

    problem: NetworkProblem

    @cached_property
    def breakdown(self) -> Breakdown:
        """Bytes by layer, boundary and level, by boxes."""
        return self.problem.bytes_of(self.strategies)

    @cached_property
    def placed(self) -> tuple[int, ...] | None:
        """An accelerator's position for every leaf: the plan's own, else the instance's; None where neither is."""
        if self.plan.placement is None:
            return self.problem.sites
        return sites_of(self.problem, self.plan.placement)

    @cached_property
    def step(self) -> Step | None:
        """The training step; None where the array does not say what accelerators can do."""
        return self.problem.step(self.breakdown, self.placed)


def best_first(named: FoundPlan) -> tuple[bool, Fraction | int, bool, int]:
    """Return what sorts plans: those of least objective first, of these those with a proof, then by formulation."""
    plan = named.plan
    return plan.objective is None, plan.objective or 0, not proves(plan), rank_of(plan.formulation)


def proves(plan: Plan) -> bool:
    """Return whether it is proven that no plan at all costs less; a proof of a placement is one for its strategies."""
    return plan.status is Status.OPTIMAL and plan.decided != "placement"
