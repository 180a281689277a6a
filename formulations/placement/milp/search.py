"""Running HiGHS on a placement, through PuLP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.milp import highs
from formulations.placement.milp.model import build

if TYPE_CHECKING:
    from formulations.placement.assignment import Programme
    from formulations.polytope import Answer, Best
    from hypar_opt.run import Run


def search(programme: Programme, best: Best, run: Run) -> Answer:
    """Build and solve; placements go to `best` as they come."""
    built = build(programme)
    run.phase("searching")
    return highs.search(built, programme, best, run)
