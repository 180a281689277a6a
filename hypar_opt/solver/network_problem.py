"""A network's problem: how `solve` prepares, decides and explains it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.formulation.registry import choose
from hypar_opt.formulation.solution import Decides, Solution, Status
from hypar_opt.instance.objective.function import PRODUCT
from hypar_opt.solver.check import noted, refuted
from hypar_opt.solver.infeasibility.bounds import beyond_bounds
from hypar_opt.solver.infeasibility.indivisible import without_strategy
from hypar_opt.solver.infeasibility.memory import shortage_of
from hypar_opt.solver.network_costs import NetworkCosts
from hypar_opt.solver.network_tasks import (
    FrontTask,
    JointTask,
    PlacementTask,
    StrategiesTask,
    known_costs,
    sites_of,
    without_splits,
)
from hypar_opt.solver.product import least_product
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.protocol import Capabilities, Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Ask, AskSimpler, AskWithin, Start, Task, Tell


@dataclass(frozen=True)
class NetworkProblem(NetworkCosts):
    """What `solve` works on where the instance is a network's; a `Problem`."""

    kind: ClassVar[str] = "network"
    is_explained: ClassVar[bool] = True
    presolve_counts: ClassVar[bool] = False
    certified_where: ClassVar[str] = ", where its tables fit"
    refuted: ClassVar[None] = None
    axes_text: ClassVar[None] = None

    @property
    def use(self) -> Use:
        """Strategies, or both they and the placement."""
        return "joint" if self.is_free else "network"

    @property
    def setting(self) -> tuple[str, int, int]:
        """Accounting, batch and levels."""
        return self.instance.accounting, self.instance.batch, self.instance.levels

    @property
    def unfixed(self) -> NetworkProblem | None:
        """The same problem without the strategies that are given, at any level; None where none are."""
        one = self.instance
        if not any(one.fix.values()):
            return None
        return NetworkProblem(one.changed(one.machine if one.is_placed else None, fix={}))

    @property
    def sizing_graph(self) -> CostGraph:
        """The strategies by their bytes alone, for which no routes are followed."""
        return self.by_communication.graph

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the problem: networks are not presolved."""
        return self

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Follow the routes that costs depend on."""
        self.follow_routes(lambda: limits.over, components)

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the problem."""
        if self.is_free:
            return choose("joint", self.joint, limits, "give a placement: --placement identity")
        return choose("network", self.graph, limits)

    def proves(self, able: Capabilities) -> bool:
        """Return whether a formulation hands over potentials."""
        return able.certifies

    def check_start(self, start: Start) -> None:
        """Check that strategies and placement are this problem's."""
        self.choices(start.strategies or {})
        if start.placement is not None:
            sites_of(self, start.placement)

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return what is to be decided: strategies, both, or the placement of strategies that are found first."""
        if decides == "strategies":
            return StrategiesTask(self), ""
        self.joint  # noqa: B018 - which refuses where there is no placement to decide
        if decides == "both":
            return JointTask(self), ""
        if start.strategies is not None:
            return PlacementTask(self, self._allowed(start.strategies)), "those of the start"
        first = solve(self.by_communication)
        if first.status is Status.ERROR:
            return Solution(Status.ERROR, native_status=f"no strategies to place: {first.native_status}"), ""
        if first.strategies is None:
            status = Status.INFEASIBLE if first.status is Status.INFEASIBLE else Status.NO_SOLUTION
            said = f"no strategies to place: {first.status} by {first.formulation}"
            return Solution(status, native_status=said), ""
        proven = "proven" if first.status is Status.OPTIMAL else "not proven"
        return PlacementTask(self, first.strategies), f"those of least communication ({first.formulation}, {proven})"

    def _allowed(self, strategies: Mapping[str, str]) -> Mapping[str, str]:
        """Return strategies that are given and stay as they are, which have to be a plan of the instance."""
        self.choices(strategies)  # which names a word that none can be, and what it should be
        fault = self.fault_of(strategies)
        if fault is not None:
            raise InputError(f"only a plan that is allowed can be placed: {fault}", field="start")
        return strategies

    def front(self, components: Sequence[str]) -> FrontTask:
        """Return the strategies, charged by each of several components alone."""
        return FrontTask(self, tuple(components))

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> Plan | None:
        """Return the plan of the least product, found by weighted sums; None for any other objective."""
        if self.objective.kind != PRODUCT:
            return None
        asked = time.perf_counter()
        plan = least_product(self, lambda weighed: solve(weighed, limits, None))
        plan = replace(plan, runtime_s=time.perf_counter() - asked)
        if plan.strategies is None or plan.status is Status.ERROR:
            return plan
        breakdown, placed = self.bytes_of(plan.strategies), self.placed
        names = None if placed is None else tuple(self.instance.machine.accelerators[site] for site in placed)
        plan = replace(plan, placement=names, costs=known_costs(self, breakdown, placed))
        recomputed = self.objective_of(breakdown, placed)
        if recomputed == plan.objective:
            return plan
        fault = f"boxes and routes give the product {recomputed}, the search {plan.objective}"
        return replace(plan, status=Status.ERROR, native_status=fault, bound=None)

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say why there is no plan, recounted layer by layer."""
        if self.is_feasible and self.instance.bounds:
            tell("looking for why there is no plan")
            return beyond_bounds(self, plan, solve, limits, without_splits)
        if self.is_feasible:
            room = "" if self.capacity is None else ", and by the smallest of each they fit into the memory"
            return refuted(plan, f"every layer has a strategy that is allowed{room}")
        shortage = shortage_of(self)
        return noted(plan, None if shortage is None else shortage.text, without_strategy(self))

    @property
    def uncertifiable(self) -> str | None:
        """Why no certificate can be written of this problem, or None: they are of bytes and level weights."""
        if not self.is_of_bytes:
            return "certificates are of weighted bytes, and the objective is more than that"
        if self.memory is not None:
            return "certificates know no memory that plans have to fit into"
        if self.instance.bounds:
            return "certificates know no bounds on what plans cost"
        if self.instance.spec.cost.as_released:
            return "certificates know no adds as released"
        return None
