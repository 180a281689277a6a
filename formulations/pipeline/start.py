"""The best cuts of one order of the groups: a plan to start from, and to compare with."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from formulations.pipeline.bounds import bytes_a_state
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from formulations.pipeline.down_sets.search import StageCut
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run

MOST_STATES: Final = 100_000
"""Of groups times the ways to take devices, for a start that is found in seconds."""


def too_large(graph: StageGraph, run: Run) -> str | None:
    """Return why there are no tables of the cuts of one order, or None."""
    from formulations.pipeline.down_sets.states import states_of

    needed = (graph.groups + 1) * (states_of(graph) * bytes_a_state(graph) + 2 * graph.groups)
    if needed > run.limits.memory_bytes:
        return f"its tables would have {needed:,} bytes, beyond the memory limit; try pipeline-equal"
    return None


def cuts(graph: StageGraph, run: Run) -> StageCut | None:
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
    search = DownSetSearch(graph, chain_of(graph))
    return best_of(search, replace(run, listener=None), None)


def begin(graph: StageGraph, run: Run, best: Incumbent) -> None:
    """Offer the best cuts of the groups' own order, and of all orders where these are few.

    Raises
    ------
    Stopped
        If the run's limits are over before.
    """
    from formulations.pipeline.down_sets.best import best_of
    from formulations.pipeline.down_sets.lattice import lattice_of
    from formulations.pipeline.down_sets.search import DownSetSearch
    from formulations.pipeline.down_sets.states import states_of

    most = MOST_STATES // states_of(graph)
    if graph.groups > most or too_large(graph, run) is not None:
        return
    found = cuts(graph, run)
    if not graph.contiguous:  # else the programme over down-sets is asked itself
        with suppress(Refusal):
            lattice = lattice_of(graph, run, most)
            run.check()
            if lattice.members[:, -1].all():  # else groups wait for each other
                run.phase("cutting all orders")
                found = best_of(DownSetSearch(graph, lattice), replace(run, listener=None), found)
    if found is not None:
        best.offer(found.choices)
