"""Plans by a rule about named dimensions, for operators on axes of any size.

A rule says how good a word is; of each operator the words that are best by it stay, and of these, and of all
placements of tensors that several operators read, the cheapest are taken, by elimination.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

import numpy as np

from formulations.fitting import COMPONENT, cheapest_fitting
from formulations.joint_dp import FORMULATION as JOINT_DP
from hypar_opt.costgraph import Edge, Objective, TableEdge, TableUnary
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph import Array, CostGraph, EdgeCost, Variable
    from hypar_opt.formulation.run import Run

Merit: TypeAlias = "tuple[int, ...]"
"""How good a word is by a rule, compared from the first number on."""
BATCH: Final = "batch"
NONE: Final = "none"
POSITIONS: Final = frozenset((BATCH, "sequence", "height", "width", "depth", "length"))
"""Samples, and where in one: what is not split along features, heads or classes."""


@dataclass(frozen=True)
class SplitRule:
    """Which words of an operator a rule prefers.

    Parameters
    ----------
    merit
        How good a word is.
    """

    merit: Callable[[Sequence[str]], Merit]

    def refusal(self, graph: CostGraph, run: Run) -> str | None:
        """Return why the tables of what the rule leaves open are too large, or None."""
        return JOINT_DP.accepts(self._left(graph)[1], run)

    def solution(self, graph: CostGraph, run: Run) -> Solution:
        """Return the cheapest of the plans that are best by the rule; where it exceeds a memory, a cheap one that fits.

        The rule decides words; how parameters and maps are kept, and where tensors lie, is left open, and is chosen by
        a price on what is used where the cheapest does not fit.
        """
        kept, left = self._left(graph)
        quiet = replace(run, listener=None, proof=None)

        def cheapest(priced: CostGraph) -> tuple[int, ...] | None:
            found = JOINT_DP.solve(priced, quiet)
            if found.choices is None:
                return None
            return tuple(int(values[choice]) for values, choice in zip(kept, found.choices, strict=True))

        choices = cheapest(left)
        if choices is None:
            return Solution(Status.NO_SOLUTION, native_status="stopped by the limit")
        if not graph.feasible(choices):
            fitting = cheapest_fitting(graph, left, kept, cheapest, run)
            if isinstance(fitting, str):
                return Solution(Status.NO_SOLUTION, native_status="rule not allowed", note=fitting)
            choices = fitting
        run.incumbent(graph.value(choices), choices)
        return Solution(Status.FEASIBLE, choices, None, "a rule, not a search")

    def _left(self, graph: CostGraph) -> tuple[tuple[Array, ...], CostGraph]:
        """Return the values of every variable that the rule leaves, and the graph of these."""
        kept = tuple(self._best(variable) for variable in graph.variables)
        own = (cost.dense(graph.dtype)[values] for cost, values in zip(graph.unary_costs, kept, strict=True))
        edges = [
            Edge(first, second, {COMPONENT: TableEdge(cost.dense(graph.dtype)[np.ix_(kept[first], kept[second])])})
            for (first, second), cost in graph.weighed_edges.items()
        ]
        nothing: dict[str, EdgeCost] = {}
        edges += (  # not as a cost: what is barred stays so whatever the price of what is used
            Edge(first, second, nothing, barred[np.ix_(kept[first], kept[second])])
            for (first, second), barred in graph.barred.items()
        )
        return kept, graph.replace(
            variables=tuple(
                replace(variable, size=len(values), splits=())
                for variable, values in zip(graph.variables, kept, strict=True)
            ),
            unary=tuple({COMPONENT: TableUnary(values)} for values in own),
            edges=tuple(edges),
            objective=Objective({COMPONENT: Fraction(1)}),
            capacities=(),
        )

    def _best(self, variable: Variable) -> Array:
        """Return the values whose words are best by the rule; all of a variable that says nothing of its values."""
        if not variable.splits:
            return np.arange(variable.size)
        merits = [self.merit(word) for word in variable.splits]
        best = max(merits)
        return np.array([value for value, merit in enumerate(merits) if merit == best])


def has_splits(graph: CostGraph) -> bool:
    """Return whether values of a graph say what they split."""
    return any(variable.splits for variable in graph.variables)


def _batch(word: Sequence[str]) -> Merit:
    """Prefer the batch on as many axes as can be, the outermost first, and elsewhere none."""
    return (word.count(BATCH), *(int(one == BATCH) for one in word), word.count(NONE))


def _features_inside(word: Sequence[str]) -> Merit:
    """Prefer the batch on all axes but the innermost, and on that whatever is neither the batch nor positions."""
    *outer, inner = word
    return (outer.count(BATCH), *(int(one == BATCH) for one in outer), int(inner not in POSITIONS))


BATCH_EVERYWHERE: Final = SplitRule(_batch)
FEATURES_INSIDE: Final = SplitRule(_features_inside)


@dataclass(frozen=True)
class Megatron:
    """The batch on the outer axes; on the innermost heads, columns and rows of matrices, and what else is no position.

    Shoeybi et al., arXiv:1909.08053, section 3, say which matrices are split by columns and which by rows. Here the
    cheapest of all such plans is taken, which costs at most as much as theirs.
    """

    name: ClassVar[str] = "megatron"
    summary: ClassVar[str] = "of operators: batch, on the innermost axis heads, columns and rows"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False, needs_splits=True, capacities=True, pairwise_capacities=True, rank=85
    )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept graphs of operators where the tables of what the rule leaves open are not too large."""
        return FEATURES_INSIDE.refusal(graph, run)

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Return the cheapest plan by the rule."""
        return FEATURES_INSIDE.solution(graph, run)


MEGATRON: Final = Megatron()
