"""The best cuts of one order of the groups: a plan to start from, and to compare with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from formulations.pipeline.bounds import BYTES_A_STATE, LONGEST, upper_bound

if TYPE_CHECKING:
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run

MOST_STATES: Final = 100_000
"""Of groups times the ways to take devices, for a start that is found in seconds."""


def too_large(graph: StageGraph, run: Run) -> str | None:
    """Return why there are no tables of the cuts of one order, or None."""
    from formulations.pipeline.down_sets.search import states_of

    if upper_bound(graph) >= LONGEST:
        return "the times of this pipeline have too many digits for sums of 64 bits; try pipeline-equal"
    needed = (graph.groups + 1) * (states_of(graph) * BYTES_A_STATE + 2 * graph.groups)
    if needed > run.limits.memory_bytes:
        return f"its tables would have {needed:,} bytes, beyond the memory limit; try pipeline-equal"
    return None


def cuts(graph: StageGraph, run: Run) -> tuple[int, ...] | None:
    """Return the best contiguous cuts of the groups' own order; None where none are allowed.

    Raises
    ------
    Stopped
        If the run's limits are over before.
    """
    from formulations.pipeline.down_sets.best import best_of
    from formulations.pipeline.down_sets.lattice import chain_of
    from formulations.pipeline.down_sets.search import DownSetSearch

    run.phase("cutting the groups' own order")
    search = DownSetSearch(graph, chain_of(graph, range(graph.groups)))
    cut = best_of(search, replace(run, listener=None), None)
    return None if cut is None else cut.choices


def begin(graph: StageGraph, run: Run, best: Incumbent) -> None:
    """Offer the best cuts of the groups' own order, where these are found soon.

    Raises
    ------
    Stopped
        If the run's limits are over before.
    """
    from formulations.pipeline.down_sets.search import states_of

    if graph.groups * states_of(graph) <= MOST_STATES and too_large(graph, run) is None:
        found = cuts(graph, run)
        if found is not None:
            best.offer(found)
