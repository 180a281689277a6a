"""Running CP-SAT on a placement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.cp_sat.search import search as solve
from formulations.placement.cp_sat.model import build

if TYPE_CHECKING:
    from formulations.placement.assignment import Programme
    from formulations.polytope import Answer, Best
    from hypar_opt.run import Run

STRATEGIES = ("core", "no_lp")
"""Two full searches: one raises the bound by sums of prices that cannot all be avoided, one learns clauses.

Of two workers CP-SAT would give one to neighbourhoods of the incumbent, which is the optimum nearly always. Seconds
to a proof on 2 busy cores (ortools 9.15; `>`: stopped), comm-time, 16 accelerators:

| array | volumes | its own choice | no_lp, max_lp | core, no_lp |
| --- | --- | --- | --- | --- |
| mesh 4 x 4 | 1, 1, 1, 1 | > 60 | 1.6 | 4.8 |
| mesh 4 x 4 | 1, 2, 4, 8 | > 60 | 7.3 | 13 |
| ring | 1, 1, 1, 1 | 33 | > 60 | 24 |
| ring | 1, 2, 4, 8 | 11 | 19 | 2.9 |
"""


def search(programme: Programme, best: Best, run: Run) -> Answer:
    """Build and solve; placements go to `best` as they come."""
    built = build(programme)
    run.phase("searching")
    strategies = STRATEGIES if run.limits.workers > 1 else ()
    return solve(built, programme, best, run, presolve=True, strategies=strategies)
