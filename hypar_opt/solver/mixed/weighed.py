"""What the words and shares of least time are found by: weighted sums at given shares, and tables of a box."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.costgraph import TableEdge, TableUnary
from hypar_opt.solver.mixed.costs import MixedCosts
from hypar_opt.solver.mixed.dual import weighted_seconds
from hypar_opt.solver.mixed.near import restricted
from hypar_opt.solver.mixed.task import MixedTask, TableTask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cost.mixed.model import Shares, WaitWeights
    from hypar_opt.costgraph import Array, Capacity, CostGraph
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides, Solution
    from hypar_opt.solver.mixed.box import ShareBox
    from hypar_opt.solver.mixed.compiled import CompiledMixed
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Ask, AskSimpler, Start, Task


Kept: TypeAlias = "tuple[Array, ...]"
"""By layer, the positions of some of its words among all."""


@dataclass(frozen=True, eq=False)
class SimplerProblem(MixedCosts):
    """A problem that is a sum, over all words of every layer or over some.

    Parameters
    ----------
    shared
        What it has in common with the problem that it helps to solve.
    kept
        Which; None for all.
    """

    shared: CompiledMixed
    kept: Kept | None

    @property
    def compiled(self) -> CompiledMixed:
        """What does not depend on shares and weights."""
        return self.shared

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> Plan | None:
        """Return None: it is solved as it is."""
        return None

    def strategies(self, choices: Sequence[int]) -> dict[str, str]:
        """Return each layer's word."""
        if self.kept is None:
            return super().strategies(choices)
        return super().strategies([int(words[choice]) for words, choice in zip(self.kept, choices, strict=True)])

    def encoded(self, strategies: Mapping[str, str]) -> tuple[int, ...] | None:
        """Return the choices that words are; None where one is left out."""
        choices = self.choices(strategies)
        if self.kept is None:
            return choices
        places = [(words == choice).nonzero()[0] for words, choice in zip(self.kept, choices, strict=True)]
        return tuple(int(place[0]) for place in places) if all(map(len, places)) else None


@dataclass(frozen=True, eq=False)
class WeighedProblem(SimplerProblem):
    """The least weighted sum of all classes' seconds at given shares.

    Parameters
    ----------
    shares
        By split.
    weights
        By wait and class.
    fits_in
        Plans have to fit at some shares of this box.
    """

    shares: Shares
    weights: WaitWeights
    fits_in: ShareBox

    @cached_property
    def graph(self) -> CostGraph:
        """The weighted sum."""
        whole = self.compiled.weighed_graph(self.shares, self.weights, self.fits_in)
        if self.kept is None:
            return whole
        unit = whole.objective.denominator
        memory = tuple(narrowed(one, self.kept) for one in whole.capacities)
        part = restricted(whole, self.kept)
        return part.replace(objective=part.objective.divided(unit), capacities=memory)

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the words as what is to be decided."""
        self.check_decided(decides)
        return MixedTask(self), ""

    def recounted(self, strategies: Mapping[str, str], plan: Plan) -> tuple[Plan, Fraction, str | None]:
        """Return the words and their weighted seconds; whether they fit is asked of the whole plan."""
        found = weighted_seconds(self.seconds(strategies, self.shares), self.weights)
        return replace(plan, strategies=strategies), found, None


@dataclass(frozen=True, eq=False)
class TableProblem(SimplerProblem):
    """Tables of what some words cost at least in a box of shares.

    Parameters
    ----------
    table
        The tables.
    """

    table: CostGraph

    @property
    def graph(self) -> CostGraph:
        """The tables."""
        return self.table

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the words as what is to be decided."""
        self.check_decided(decides)
        return TableTask(self), ""


def narrowed(capacity: Capacity, kept: Kept) -> Capacity:
    """Return a capacity of all words as one of those that are kept."""
    usages = {i: TableUnary(usage.dense(object)[kept[i]]) for i, usage in capacity.usages.items()}
    pairs = {(i, j): TableEdge(usage.among(kept[i], kept[j], object)) for (i, j), usage in capacity.pairs.items()}
    return replace(capacity, usages=usages, pairs=pairs)
