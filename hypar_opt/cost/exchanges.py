"""The communication in parts: partial sums, what is cut and needed whole, and what is cut and needed otherwise.

Of one level they say what any share of unlike halves makes of it: who has a part a of what is cut reads b of what is
moved and ab of what is turned, and all of the sums, whatever a is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.cost.boundaries import exchange_cost
from hypar_opt.cost.layout import moved_quarters, turned_quarters
from hypar_opt.instance.objective.components import COMMUNICATION, MOVED, SUMS, TURNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.layout import CostModel
    from hypar_opt.costgraph import CostGraph, Words
    from hypar_opt.instance.network import Workload


def in_parts(graph: CostGraph, work: Workload, words: Sequence[Words], model: CostModel) -> CostGraph:
    """Return a graph of the communication with its parts as components beside it.

    Parameters
    ----------
    graph
        As compiled, under an accounting that says what each level exchanges.
    work, words, model
        What it was compiled of.
    """
    unary = tuple({**costs, SUMS: costs[COMMUNICATION]} for costs in graph.unary)
    counted = {MOVED: moved_quarters, TURNED: turned_quarters}
    edges = tuple(
        replace(
            edge,
            costs={**edge.costs}
            | {name: exchange_cost(boundary, work, list(words), model, each) for name, each in counted.items()},
        )
        for edge, boundary in zip(graph.edges, work.boundaries, strict=True)
    )
    return graph.replace(unary=unary, edges=edges)
