"""A network whose layers also choose in how many bits they send: how `solve` decides and explains it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.formulation.registry import choose
from hypar_opt.formulation.solution import Decides, Solution, Status
from hypar_opt.instance.objective.components import ROUNDING, unknown_needs
from hypar_opt.instance.text import dotted
from hypar_opt.solver.check import noted
from hypar_opt.solver.infeasibility.bounds import beyond_bounds
from hypar_opt.solver.infeasibility.indivisible import without_strategy
from hypar_opt.solver.infeasibility.memory import shortage_of
from hypar_opt.solver.precision_compiled import CompiledPrecision
from hypar_opt.solver.precision_tasks import PrecisionFront, PrecisionTask
from hypar_opt.solver.uncertified import UncertifiedProblem
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Collection

    from hypar_opt.costgraph import Capacity, CostGraph
    from hypar_opt.formulation.protocol import Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Ask, AskWithin, Start, Task, Tell


@dataclass(frozen=True, eq=False)
class PrecisionProblem(CompiledPrecision, UncertifiedProblem):
    """What `solve` works on where bits are chosen beside strategies; a `Problem`.

    Parameters
    ----------
    instance
        As read.
    """

    kind: ClassVar[str] = "precision"
    use: ClassVar[Use] = "network"
    is_explained: ClassVar[bool] = False
    uncertifiable: ClassVar[str] = "certificates are of words alone, and here layers choose their bits as well"

    @property
    def setting(self) -> tuple[str, int, int]:
        """Accounting, batch and levels."""
        return self.instance.accounting, self.instance.batch, self.instance.levels

    @property
    def sizing_graph(self) -> CostGraph:
        """The strategies alone."""
        return self.network.base

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Follow the routes that costs depend on."""
        asked = (*(self.objective.components if components is None else components), *self.instance.bounds)
        names = [name for name in asked if name != ROUNDING]
        self.network.follow_routes(lambda: limits.over, names)
        if self.instance.is_placed and self.instance.placement is not None:
            self.evaluator.walk_routes(self.instance.placement, lambda: limits.over)

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the problem."""
        return choose(self.use, self.graph, limits)

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return words and bits as what is to be decided."""
        if decides != "strategies":
            raise Refusal(f"{name} decides {decides}, and here words and bits are; try joint-dp or cp-sat")
        if not self.network.is_feasible:
            return Solution(Status.INFEASIBLE, native_status="a layer has no word, or the least is too much"), ""
        return PrecisionTask(self), ""

    def front(self, components: Sequence[str]) -> PrecisionFront:
        """Return words and bits, charged by each of several components alone."""
        fault = unknown_needs(self.instance.spec.array, [name for name in components if name != ROUNDING])
        if fault is not None:
            raise InputError(fault[1], file=self.instance.source, field=dotted(fault[0]))
        return PrecisionFront(self, tuple(components))

    def minimising(self, component: str, bounded: Collection[str]) -> Self:
        """Return the same problem with a component as its objective, and bounds on some of the others."""
        kept = {name: most for name, most in self.instance.spec.subject_to.items() if name in bounded}
        return type(self)(self.instance.changed(self._built, objective={component: Decimal(1)}, subject_to=kept))

    @property
    def memory(self) -> Capacity | None:
        """What has to fit into an accelerator's memory, where the array says how much does."""
        return self.network.memory

    def excess(self, strategies: Mapping[str, str]) -> str | None:
        """Return which bound a plan does not keep, recounted, or None."""
        return self.judged(strategies).excess

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say why there is no plan."""
        if self.network.is_feasible and self.instance.bounds:
            tell("looking for why there is no plan")
            return beyond_bounds(self, plan, solve, limits, lambda *_: "")
        shortage = shortage_of(self.network)
        return noted(plan, None if shortage is None else shortage.text, without_strategy(self.network))
