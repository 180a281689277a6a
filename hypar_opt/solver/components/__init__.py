"""Strategy graphs of which presolve leaves several components: these are solved apart, one after the other.

The smallest comes first. With k of them still to come, the next is given of the time that is left

    EQUALLY / k + (1 - EQUALLY) size / (sum of the sizes of the k),

the last all of it. What could not be proven in its share is searched again while there is time, from its best plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from hypar_opt.formulation.registry import refusal
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.solver.check import well_formed, without_forbidden
from hypar_opt.solver.components.bounds import FINAL, Decomposition, SearchedComponent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.protocol import Formulation
    from hypar_opt.formulation.run import Limits, Run
    from hypar_opt.solver.problem import Task

EQUALLY: Final = 0.1
"""So much of the time is shared whatever the sizes: the smallest has to begin at all."""


def solve_apart(formulation: Formulation, task: Task, run: Run) -> Solution:
    """Solve a task: its components apart where presolve leaves several, else in one piece.

    Where the formulation declines a part of what it has accepted it is given the whole.
    """
    found = task.components
    parts = tuple(SearchedComponent.of(f"component {n} of {len(found)}", one) for n, one in enumerate(found, start=1))
    if parts and not any(refusal(formulation, part.graph, run) for part in parts):
        return _Apart(formulation, run, Decomposition(cast("CostGraph", task.graph).tables, run, parts)).search()
    return formulation.solve(task.graph, run)


@dataclass
class _Apart:
    formulation: Formulation
    run: Run
    known: Decomposition

    def search(self) -> Solution:
        """Search until all parts are proven, one says that there is no plan, or the time is over."""
        self.known.begin()
        left = self._round(self.known.parts)
        while left and not self.run.limits.over:
            left = self._round(left)
        return self.known.concluded()

    def _round(self, parts: Sequence[SearchedComponent]) -> list[SearchedComponent]:
        """Search each once; return those that more time may help."""
        left = []
        for number, part in enumerate(parts):
            limits = self._limits(parts[number:])
            solution = self._solution(part, limits)
            if solution.status in FINAL:
                return []
            if solution.status is not Status.OPTIMAL and limits is not self.run.limits:
                left.append(part)
        return left

    def _limits(self, parts: Sequence[SearchedComponent]) -> Limits:
        """Return what the first of those that are still to come may use."""
        limits, seconds = self.run.limits, self.run.limits.remaining_s()
        if seconds is None or len(parts) == 1:
            return limits
        by_size = parts[0].component.size / sum(part.component.size for part in parts)
        return limits.within(seconds * (EQUALLY / len(parts) + (1 - EQUALLY) * by_size))

    def _solution(self, part: SearchedComponent, limits: Limits) -> Solution:
        """Let the formulation search a part; an answer that can't be true is an error."""
        run = replace(
            self.run,
            limits=limits,
            start=part.choices,
            listener=partial(self.known.hear, part),
            proof=None if self.run.proof is None else partial(self.known.keep, part),
            others=None,
        )
        answer = well_formed(self.formulation.solve(part.graph, run), part.sizes)
        return self.known.conclude(part, without_forbidden(answer, part.graph.tables.allowed))
