"""A plan to start from: the best cuts of one order of the groups."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from formulations.pipeline.bounds import upper_bound

if TYPE_CHECKING:
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run

LONGEST: Final = 2**61
"""What all times of a graph may add up to, for sums of 64 bits."""
MOST_STATES: Final = 100_000
"""Of groups times the ways to take devices, for cuts that are found in seconds."""


def begun(graph: StageGraph, run: Run, best: Incumbent) -> None:
    """Offer the best contiguous cuts of the groups' own order.

    Raises
    ------
    Stopped
        If the run's limits are over before.
    """
    from formulations.pipeline.down_sets.best import best_of
    from formulations.pipeline.down_sets.lattice import chain_of
    from formulations.pipeline.down_sets.search import DownSetSearch, states_of

    if upper_bound(graph) >= LONGEST or graph.groups * states_of(graph) > MOST_STATES:
        return
    run.phase("cutting the groups' own order")
    quiet = replace(run, listener=None)
    cut = best_of(DownSetSearch(graph, chain_of(graph, range(graph.groups))), quiet, None)
    if cut is not None:
        best.offer(cut.choices)
