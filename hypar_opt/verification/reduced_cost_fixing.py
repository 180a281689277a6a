"""A strategy graph's problem without what only dearer plans have than one that is known.

Prices prove in exact integers by how much every value and every pair of values lifts a plan above their bound
(`hypar_opt.costgraph.reduced_cost`). What lifts it beyond the known cost goes, and presolve begins anew on the rest.
All plans that cost no more are left, the known one included, so that one without a plan would be a contradiction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.costgraph import FORBIDDEN, Array, Duals, Priced, Tables
from hypar_opt.costgraph.duals import EdgeIndex
from hypar_opt.costgraph.presolve import Reduction, ReductionStep, presolve
from hypar_opt.costgraph.reduced_cost import Excess
from hypar_opt.solver.graph_problem import FirstPlan, GraphProblem

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, eq=False)
class NoDearer(ReductionStep):
    """Values and pairs forbidden that lift every plan beyond a cost.

    Parameters
    ----------
    core
        The tables that forbid them.
    """

    core: Tables

    def contract(self, choices: Array) -> Array | None:
        """Return the same assignment, unless it is one of those that cost more."""
        return choices if self.core.allowed(choices) else None

    def lift(self, duals: Duals) -> Duals:
        """Raise: a bound of what is left says nothing of plans that cost more."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, kw_only=True)
class NarrowedProblem(GraphProblem):
    """A problem whose plans are all that cost no more than a known one, and perhaps others.

    Parameters
    ----------
    whole
        The problem, of the same graph.
    duals
        Prices of the tables that formulations of the whole are given.
    cost
        Of a plan that is known.
    """

    whole: GraphProblem
    duals: Duals
    cost: Fraction

    @cached_property
    def reduction(self) -> Reduction:
        """The whole's reduction, what the prices take away, and what presolve then does."""
        whole, tables, core = self.whole.reduction, self.whole.graph.tables, self._core
        gone = (tables.unary < FORBIDDEN) & (core.unary >= FORBIDDEN)
        left = presolve(core.replace(constant=self.whole.shift), over=self.over)
        steps = (*whole.steps, NoDearer(tables, "values of dearer plans", gone, core), *left.steps)
        return Reduction(whole.original, left.tables, steps, whole.liftable)

    @cached_property
    def first(self) -> FirstPlan | None:
        """None: plans are known, and what is asked is whether there are better ones."""
        return None

    @property
    def _core(self) -> Tables:
        tables = self.whole.graph.tables
        priced, index = Priced(tables, self.duals), EdgeIndex.of(tables)
        gap = self.cost - self.whole.shift - priced.bound
        return Excess.of(priced, index).core(tables, index, math.floor(gap * 2**self.duals.scale) + 1)
