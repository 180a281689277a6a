"""Running CP-SAT on a placement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.cp_sat.search import search as solve
from formulations.placement.cp_sat.model import build

if TYPE_CHECKING:
    from formulations.placement.assignment import Programme
    from formulations.polytope import Answer, Best
    from hypar_opt.run import Run


def search(programme: Programme, best: Best, run: Run) -> Answer:
    """Build and solve; placements go to `best` as they come."""
    built = build(programme)
    run.phase("searching")
    return solve(built, programme, best, run, presolve=True)
