"""One run of HiGHS: what its callbacks tell, and how it is waited for no longer than it should be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from formulations.polytope.rounding import chosen, safe_bound
from formulations.polytope.waiting import came_back

if TYPE_CHECKING:
    from formulations.milp.model import Built
    from formulations.polytope import Best, Programme
    from hypar_opt.run import Run


@dataclass
class HighsRun:
    """The problem, and what is known of it so far.

    Parameters
    ----------
    built, polytope, best, run
        The problem, and who hears of it.
    bound
        The highest lower bound told, scaled.
    left
        Whether nobody waits for this run any more.
    failure
        What was raised in its thread.
    """

    built: Built
    polytope: Programme
    best: Best
    run: Run
    bound: int | None = None
    left: bool = False
    failure: Exception | None = None

    def told(self, event: Any) -> None:
        """Take note of a bound, and stop HiGHS if the run is over."""
        if self.left or self.run.limits.over:
            event.interrupt()
        bound = None if self.left else safe_bound(event.data_out.mip_dual_bound)
        if bound is not None and (self.bound is None or bound > self.bound):
            self.bound = bound
            self.best.bound(self.polytope.constant + self.polytope.unit * bound)

    def improved(self, event: Any) -> None:
        """Take a better plan."""
        if not self.left:
            self.offer(event.data_out.mip_solution)

    def offer(self, columns: Any) -> tuple[int, ...] | None:
        """Read x from HiGHS's columns, and return the positions of what it chooses."""
        positions = chosen([[columns[x.index] for x in own] for own in self.built.x])
        if positions is None:
            return None
        self.best.offer(self.polytope.choices(positions))
        return tuple(positions)

    def finished(self, solver: Any) -> bool:
        """Run HiGHS; return False if it did not come back soon after the run was over."""
        try:
            self.left = not came_back(lambda: solver.callSolver(self.built.problem), self.run.limits)
        except Exception as error:  # noqa: BLE001 - told by the answer
            self.failure = error
        return not self.left
