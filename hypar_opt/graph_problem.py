"""A strategy graph compiled: its tables, what presolve leaves of them, and the way between plans and choices."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.aim import Aim
from hypar_opt.components import TOTAL
from hypar_opt.costgraph import graph_of
from hypar_opt.errors import InputError
from hypar_opt.presolve import NoPlan, Reduction, compile_graph, presolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.costgraph import CostGraph, Tables
    from hypar_opt.run import Limits
    from hypar_opt.strategy_graph import StrategyGraph

MOST_DIGITS: Final = 19
"""Of an index, a number of 64 bits."""


@dataclass(frozen=True, eq=False)
class GraphProblem:
    """What `solve` works on where the instance is a strategy graph.

    Parameters
    ----------
    instance
        As read.
    presolved
        Whether formulations are given the reduced tables.
    limits
        When presolve has to end with what it has reduced; None for never.
    """

    instance: StrategyGraph
    presolved: bool = True
    limits: Limits | None = None

    @property
    def aim(self) -> Aim:
        """The total cost."""
        return Aim("sum", {TOTAL: Fraction(1)})

    @cached_property
    def tables(self) -> Tables:
        """One variable a node."""
        return compile_graph(self.instance)

    @cached_property
    def reduction(self) -> Reduction:
        """The tables, and what presolve leaves of them.

        Raises
        ------
        NoPlan
            If they allow nothing.
        """
        if not self.presolved:
            return Reduction(self.tables, self.tables)
        return presolve(self.tables, over=self.over)

    def over(self) -> bool:
        """Return whether presolve has to end."""
        return self.limits is not None and self.limits.over

    @cached_property
    def refuted(self) -> str | None:
        """Why nothing is allowed, as far as presolve sees; or None."""
        try:
            self.reduction  # noqa: B018 - kept where it succeeds
        except NoPlan as reason:
            return str(reason)
        return None

    @property
    def uncertifiable(self) -> str | None:
        """Why no certificate can be written: never."""
        return None

    @property
    def graph(self) -> CostGraph:
        """What formulations read."""
        return self._compiled[0]

    @property
    def shift(self) -> int:
        """What a plan costs besides what the graph says."""
        return self._compiled[1]

    @cached_property
    def _compiled(self) -> tuple[CostGraph, int]:
        return graph_of(self.reduction.tables)

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the strategy of every node.

        Raises
        ------
        InputError
            If a node is missing or unknown, or has no such strategy.
        """
        nodes = self.instance.nodes
        for name in strategies:
            if not _is_index(name, nodes) or str(int(name)) != name:
                raise InputError(f"the plan has a node '{name}', the graph has 0 to {nodes - 1}", field="plan")
        found = []
        for node, size in enumerate(self.instance.sizes.tolist()):
            text = strategies.get(str(node))
            if text is None:
                raise InputError(f"the plan has no strategy for node {node}", field="plan")
            if not _is_index(text, size):
                raise InputError(f"expected a strategy from 0 to {size - 1}, got {text}", field=f"plan.{node}")
            found.append(int(text))
        return tuple(found)


def _is_index(text: str, count: int) -> bool:
    """Return whether a text spells a number from 0 to below a count; one of thousands of digits is not read at all."""
    return text.isdecimal() and text.isascii() and len(text) <= MOST_DIGITS and int(text) < count
