"""The types of one level, by dynamic programming over the layers: AccPar's, with the longer of both sides' times.

Between two layers with types s and t, and for a layer with type t, both sides of a group are as long as they need, and
the longer is waited for:

    c(l + 1, t) = min over s of c(l, s) + max over sides E_cp(l + 1, t) + max over sides E_cm(s, t)

That the longer side counts at every layer is our reading: the paper's text is not at hand. On graphs with several paths
it is solved exactly, by elimination.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from operator import add
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import CostGraph, Edge, Objective, TableEdge, TableUnary, Variable
from hypar_opt.evaluation.mixed import forbidden, stints
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.instance.network import Workload
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.mixed import MixedRules, MixedSetting

COST: Final = "cost"


def level_types(
    work: Workload,
    words: Mapping[str, str],
    shares: Mapping[str, Fraction],
    setting: MixedSetting,
    rules: MixedRules,
) -> dict[str, str]:
    """Return the words of all layers with a letter more, that of the last level.

    Parameters
    ----------
    words
        Of the levels above, by layer.
    shares
        Of all splits.
    setting
        Its array ends with the level.

    Raises
    ------
    Refusal
        If a layer has no letter left.
    """
    longer = [
        [
            words[layer.name] + letter
            for letter in rules.choices
            if forbidden(layer, words[layer.name] + letter, setting, rules) is None
        ]
        for layer in work.layers
    ]
    for layer, each in zip(work.layers, longer, strict=True):
        if not each:
            raise Refusal(f"layer '{layer.name}' has no letter left at level {setting.levels}")
    own = []
    for layer, each in zip(work.layers, longer, strict=True):
        alone = Workload((layer,), ())
        own.append([_longest(alone, {layer.name: word}, shares, setting) for word in each])
    between = []
    for edge in work.boundaries:
        ends = work.layers[edge.producer], work.layers[edge.reader]
        pair = Workload(ends, (replace(edge, producer=0, reader=1),))
        names = [one.name for one in ends]
        rows, columns = longer[edge.producer], longer[edge.reader]
        between.append(
            [[_longest(pair, dict(zip(names, (a, b), strict=True)), shares, setting) for b in columns] for a in rows]
        )
    chosen = _least(work, own, between)
    return {layer.name: longer[i][choice] for i, (layer, choice) in enumerate(zip(work.layers, chosen, strict=True))}


def _longest(
    work: Workload, words: Mapping[str, str], shares: Mapping[str, Fraction], setting: MixedSetting
) -> Fraction:
    """Return how long the slowest side is at a layer, or at the boundary of two, as far as the last level says."""
    total: tuple[Fraction, ...] = (Fraction(0),) * len(setting.array.classes)
    for one in stints(work, words, shares, setting):
        if one.part.level in (None, setting.levels - 1) and (one.part.boundary is None) != bool(work.boundaries):
            total = tuple(map(add, total, one.seconds))
    return max(total)


def _least(
    work: Workload, own: Sequence[Sequence[Fraction]], between: Sequence[Sequence[Sequence[Fraction]]]
) -> Sequence[int]:
    """Return the positions of the types of least cost."""
    rows = [*own, *(row for table in between for row in table)]
    unit = lcm(*(value.denominator for row in rows for value in row))
    largest = sum(max(row) for row in rows) * unit
    dtype = np.dtype(np.int64) if largest < 2**60 else np.dtype(object)

    def table(values: object) -> np.ndarray:
        return np.array(values, dtype=dtype)

    variables = tuple(Variable(layer.name, len(row)) for layer, row in zip(work.layers, own, strict=True))
    unary = tuple({COST: TableUnary(table([int(one * unit) for one in row]))} for row in own)
    edges = tuple(
        Edge(
            edge.producer,
            edge.reader,
            {COST: TableEdge(table([[int(one * unit) for one in row] for row in between[i]]))},
        )
        for i, edge in enumerate(work.boundaries)
    )
    graph = CostGraph(variables, unary, edges, Objective({COST: Fraction(1)}))
    found = load_formulation("joint-dp").solve(graph, Run("joint-dp")).choices
    assert found is not None  # there is no capacity
    return found
