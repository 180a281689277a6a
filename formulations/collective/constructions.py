"""What formulations find that construct one schedule: whoever is installed is asked, where that is quick.

There is no list of them but that of the installed formulations, so that a new algorithm is a start of searches, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.costgraph.collective import is_schedule, value_of
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.formulation.registry import constructions, load_formulation, refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

MOST_SENDS: Final = 1_000
"""Of a collective of which all are asked."""
Choices: TypeAlias = tuple[int, ...]


def best_constructed(
    graph: CollectiveGraph, known: Choices | None, run: Run, *, anyway: Sequence[str] = ()
) -> tuple[Choices | None, str]:
    """Return the best schedule that a formulation constructs, and its name; what is known, without, if none is better.

    Parameters
    ----------
    known
        What it has to be better than, if anything.
    anyway
        Who is asked of large collectives, too.
    """
    best, by = known, ""
    least = lower_bound(graph).value
    most = None if best is None else value_of(graph, best)
    sends = sum(max(len(one.sources), len(one.targets)) for one in graph.demands)
    for name in constructions("collective") if sends <= MOST_SENDS else anyway:
        if run.limits.over or (most is not None and most <= least):
            break
        one, quiet = load_formulation(name), replace(run, source=name, listener=None, proof=None, start=None)
        if refusal(one, graph, quiet) is not None:
            continue
        found = one.solve(graph, quiet).choices
        if found is None or not is_schedule(graph, found):
            continue
        value = value_of(graph, found)
        if most is None or value < most:
            best, most, by = found, value, name
    return best, by
