"""A network's problem in which one layer may not have one strategy: what is the best plan without it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from hypar_opt.solver.network_problem import NetworkProblem

if TYPE_CHECKING:
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import AskWithin, Tell


@dataclass(frozen=True)
class ExcludingProblem(NetworkProblem):
    """The problem.

    Parameters
    ----------
    layer, word
        Which may not have which strategy.
    """

    layer: str = ""
    word: str = ""

    @classmethod
    def of(cls, problem: NetworkProblem, layer: str, word: str) -> Self:
        """Return a problem without a strategy, compiled once for both."""
        made = cls(problem.instance, layer, word)
        return made._alike(made.instance, problem.given_weights, problem.compiled)

    @cached_property
    def base(self) -> CostGraph:
        """Strategies and the bytes that they exchange, each weighing 1."""
        whole = self.compiled.base
        variables = tuple(
            replace(one, words=replace(one.words, without=self.word))
            if one.name == self.layer and one.words is not None
            else one
            for one in whole.variables
        )
        return whole.replace(variables=variables)

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Return the plan: that there is none without a strategy needs no explanation."""
        return plan
