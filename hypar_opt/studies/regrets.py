"""Regrets: what it costs to force a layer or an operator off its strategy, all others chosen anew."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.protocol import Marginals
from hypar_opt.formulation.registry import defaults, load_formulation, refusal
from hypar_opt.formulation.run import Stopped
from hypar_opt.util.errors import readable
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.formulation.run import Run

MOST_NAMED: Final = 3
"""Of capacities in a sentence."""


@dataclass(frozen=True)
class Regret:
    """What it costs to force a layer off its strategy, the rest chosen anew.

    Parameters
    ----------
    second_best
        The best other strategy, the first of several.
    cost
        Its plan's objective less this plan's: 0 means that the plan is not the only one of its cost,
        below 0 that it is not optimal.
    costs
        By component, where the objective is of one before another: what that plan costs more of each.
    """

    second_best: str
    cost: Fraction
    costs: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, repr=False)
class Explanation:
    """The parts of a plan's cost, and its regrets.

    Parameters
    ----------
    breakdown
        Bytes by layer, boundary and level; None of operators.
    regrets
        By layer, or by key of a plan's strategies; None for one that has no other allowed strategy.
    missing
        Why there are no regrets, or nothing.
    source
        Which formulation the regrets come from.
    again
        Whether it solved again without each layer's strategy; else they are min-marginals.
    """

    breakdown: Breakdown | None
    regrets: Mapping[str, Regret | None]
    missing: str = ""
    source: str = ""
    again: bool = False

    def __repr__(self) -> str:
        said = readable(self.missing) or f"regrets of {len(self.regrets):,} layers by {self.source}"
        total = "" if self.breakdown is None else f"{amount(Fraction(self.breakdown.total), 'B')}, "
        return f"Explanation({total}{said})"

    @property
    def unique(self) -> bool | None:
        """Whether the plan is the only one of its cost; None where that is not known."""
        if self.missing:
            return None
        return all(regret.cost > 0 for regret in self.distinct)

    @cached_property
    def distinct(self) -> tuple[Regret, ...]:
        """All regrets that are known, once where several layers share one, as equal blocks do."""
        return tuple({id(one): one for one in self.regrets.values() if one is not None}.values())


def marginals_of(graph: CostGraph, run: Run) -> tuple[Array, ...] | str:
    """Return for every variable and value the least cost of an assignment that has it; or why they are not known.

    Parameters
    ----------
    graph
        Without capacities.
    run
        Of the formulation that networks are solved by.
    """
    solver = load_formulation(defaults("network")[0])
    reason = refusal(solver, graph, run)
    if reason is not None or not isinstance(solver, Marginals):
        return reason or f"{solver.name} has no min-marginals"
    try:
        run.phase("regrets of second-best strategies")
        return solver.min_marginals(graph, run)
    except Stopped:
        return "stopped by the limit"


def exceeded_by_some(graph: CostGraph) -> str:
    """Return which capacities some assignments exceed, in a sentence; nothing where none does."""
    binding = [one.name for one in graph.capacities if one.can_be_exceeded]
    if len(binding) > MOST_NAMED:
        return f"some plans exceed the {binding[0]}, and {len(binding) - 1} more limits of this kind"
    return f"some plans exceed the {' and the '.join(binding)}" if binding else ""
