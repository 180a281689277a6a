"""Running HiGHS on a placement, through PuLP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.milp import highs
from formulations.placement.milp.model import build
from formulations.polytope.refinement import refined

if TYPE_CHECKING:
    from formulations.placement.assignment import Programme
    from formulations.polytope import Answer, Best
    from hypar_opt.run import Run


def search(programme: Programme, best: Best, run: Run) -> Answer:
    """Build and solve relaxations in small numbers; placements go to `best` as they come."""
    run.phase("searching")
    return refined(programme, best, run, _built)


def _built(programme: Programme, best: Best, run: Run) -> Answer:
    return highs.search(build(programme), programme, best, run)
