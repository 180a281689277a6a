"""One run of HiGHS: what its callbacks tell, and how it is waited for no longer than it should be."""

from __future__ import annotations

import atexit
import time
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

from formulations.milp.rounding import chosen, safe_bound

if TYPE_CHECKING:
    from formulations.milp.model import Built
    from formulations.polytope import Best, Programme
    from hypar_opt.run import Run

GRACE_S = 0.5
"""How long HiGHS is waited for when the run is over; it looks up only between linear programmes."""
EXIT_S = 60.0
"""How long the end of the process waits for a HiGHS that was left behind."""
POLL_S = 0.02


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
            self.run.bound(self.polytope.constant + self.polytope.unit * bound)

    def improved(self, event: Any) -> None:
        """Take a better plan."""
        if not self.left:
            self.offer(event.data_out.mip_solution)

    def offer(self, columns: Any) -> None:
        """Read x from HiGHS's columns."""
        positions = chosen([[columns[x.index] for x in own] for own in self.built.x])
        if positions is not None:
            self.best.offer(self.polytope.choices(positions))

    def finished(self, solver: Any) -> bool:
        """Run HiGHS in a thread of its own; return False if it did not come back soon after the run was over."""
        thread = Thread(target=self._call, args=(solver,), daemon=True)
        thread.start()
        over: float | None = None
        while thread.is_alive():
            thread.join(POLL_S)
            if over is None and self.run.limits.over:
                over = time.monotonic()
            if over is not None and time.monotonic() - over > GRACE_S:
                self.left = thread.is_alive()
                # a process that ends while HiGHS is at work is aborted
                atexit.register(thread.join, EXIT_S)
                return not self.left
        return True

    def _call(self, solver: Any) -> None:
        import highspy

        try:
            solver.callSolver(self.built.problem)
        except Exception as error:  # noqa: BLE001 - told by the thread that waits
            self.failure = error
        finally:
            # HiGHS's own threads belong to the thread that called it, and end with it only on request
            highspy.Highs.resetGlobalScheduler(False)
