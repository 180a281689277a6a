"""A box closed by all plans in it that no other is at least as good as at every share.

What a word or a pair of words costs a class before a wait is of degree two in the share; in a box it is a sum of its
values at the ends and of a number in between (its Bernstein coefficients) with weights that are never negative. A plan
none of whose sums of these is below another plan's is not better at any share of the box. So the front of all these
sums together, whose plans are each looked at at their best shares, leaves nothing of the box; where memory may be
short, what is kept at both ends counts as well, as it is linear in the share.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, lcm
from typing import TYPE_CHECKING

from hypar_opt.solver.mixed.box_sums import BoxSums, ThreeSums, coefficients, combined, least

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from hypar_opt.cost.mixed.model import WaitWeights
    from hypar_opt.costgraph import Capacity
    from hypar_opt.formulation.run import Limits


@dataclass(frozen=True, eq=False)
class BoxFront(BoxSums):
    """The front of a box."""

    def plans(self, weights: WaitWeights, bar: Fraction | None, limits: Limits) -> list[dict[str, str]]:
        """Return plans of which one is at least as good as any better one of the box, at every share of it.

        Parameters
        ----------
        weights
            By wait and class: a weighted sum that better plans keep below the bar.
        bar
            What better plans take less than; None where any plan is better than none.

        Raises
        ------
        Refusal
            If they are too many.
        """
        nodes, unit = self._nodes()
        below = [] if bar is None else [*self._below(nodes, unit, weights, bar)]
        return self.front([*map(coefficients, nodes)], below, limits)

    def _nodes(self) -> tuple[list[ThreeSums], int]:
        """Return by wait and class the sums at the ends and in the middle, and the unit of all."""
        compiled, array = self.problem.compiled, self.problem.array
        waits = self.problem.model.barrier.waits(self.problem.work, array.levels)
        graphs = [
            [compiled.wait_graph(shares, wait, one) for shares in self.nodes]
            for wait in range(waits)
            for one in range(len(array.classes))
        ]
        unit = lcm(*(graph.objective.denominator for row in graphs for graph in row))
        return [self.three(row, unit) for row in graphs], unit

    def _below(self, nodes: Sequence[ThreeSums], unit: int, weights: WaitWeights, bar: Fraction) -> Iterator[Capacity]:
        """Yield what better plans keep to: no class, and no weighted sum, may need the bar or more."""
        each = [least(low, high) for low, _, high in nodes]
        flat = [weight for row in weights for weight in row]
        scale = lcm(*(one.denominator for one in flat))
        weighed = combined([int(one * scale) for one in flat], each)
        yield self.capacity("weighted", weighed, ceil(bar * (unit * scale)) - 1)
        if len(weights) == 1:
            for place, one in enumerate(each):
                yield self.capacity(f"class {place + 1}", one, ceil(bar * unit) - 1)
