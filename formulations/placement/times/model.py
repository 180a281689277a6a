"""A placement whose levels keep within given times, by CP-SAT, or a proof that there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.cp_sat.model import linear
from formulations.cp_sat.search import search
from formulations.placement.assignment.programme import Programme, Scale
from formulations.placement.cp_sat import model
from formulations.placement.symmetry import Symmetry
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Limits, Run, Stopped
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.placement.cp_sat.model import CpSatMatching, Family
    from hypar_opt.costgraph.placement import PlacementGraph

FAMILIES: tuple[Family, ...] = (
    model.one_site,
    model.one_leaf,
    model.partner,
    model.one_level,
    model.follows,
    model.first_key,
)
"""What a placement keeps to, whatever it costs."""

STRATEGIES = ("no_lp", "max_lp")
"""Two searches that learn clauses, with the linear programme and without. CP-SAT's own choice for two workers takes
two to four times as long: of ring times (2, 2, 2, 3) it proves in 32 s that there are none, these in 9 s (2 busy cores,
ortools 9.15)."""


def placement_within(graph: PlacementGraph, times: Sequence[int], limits: Limits) -> tuple[int, ...] | None:
    """Return a placement of which no level takes longer than its time, or None where there is none.

    Parameters
    ----------
    graph
        Its volumes do not matter.
    times
        By level, in the unit of the graph's usage.

    Raises
    ------
    Stopped
        If a limit ends the search before that is known.
    RuntimeError
        If CP-SAT rejects the model.
    """
    quiet = Run("placement within times", limits)
    found = Incumbent(graph.replace(volumes=(0,) * graph.levels), quiet)
    # levels of equal times can be exchanged as levels of equal volumes can: each has the same constraints
    symmetry = Symmetry.of(graph.replace(volumes=tuple(times)), quiet)
    programme = Programme.of(graph.replace(volumes=(0,) * graph.levels), symmetry=symmetry)
    tick = Scale.of(graph).tick
    built = within(programme, [time // tick for time in times])
    strategies = STRATEGIES if limits.workers > 1 else ()
    answer = search(built, programme, found, quiet, presolve=True, strategies=strategies)
    if answer.status is Status.ERROR:
        raise RuntimeError(f"CP-SAT says {answer.native_status} of a placement within {tuple(times)}")
    if found.choices is None and answer.status is not Status.INFEASIBLE:
        raise Stopped
    return found.choices


def within(programme: Programme, ticks: Sequence[int]) -> CpSatMatching:
    """Return the model of a programme without volumes, every level held to its ticks."""
    built = model.build(programme, [*FAMILIES, lambda built, programme: no_later(built, programme, ticks)])
    built.model.clear_objective()  # type: ignore[no-untyped-call]
    return built


def no_later(built: CpSatMatching, programme: Programme, ticks: Sequence[int]) -> None:
    """Sum over pairs {u, v} of load[l, u, v] y[h, u, v] <= ticks[h], for every link l and level h."""
    for load in programme.loads:
        for own, most in zip(built.y, ticks, strict=True):
            built.model.add(linear((own[pair], busy) for pair, busy in load.items()) <= most)
