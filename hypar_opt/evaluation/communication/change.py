"""One layer's word changed: the bytes of that layer and of its boundaries laid out anew, all others as they were."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.communication.breakdown import Breakdown, ExchangeSetting
from hypar_opt.evaluation.communication.levels import communication
from hypar_opt.instance.network import Workload

if TYPE_CHECKING:
    from collections.abc import Mapping

Touching: TypeAlias = "Mapping[str, tuple[int, tuple[int, ...]]]"
"""By layer, its position and those of the boundaries that it writes or reads."""


def touching_of(work: Workload) -> Touching:
    """Return where every layer stands, and its boundaries."""
    edges: list[list[int]] = [[] for _ in work.layers]
    for place, one in enumerate(work.boundaries):
        edges[one.producer].append(place)
        edges[one.reader].append(place)
    return {layer.name: (at, tuple(edges[at])) for at, layer in enumerate(work.layers)}


def with_word(
    work: Workload, breakdown: Breakdown, name: str, word: str, setting: ExchangeSetting, touching: Touching
) -> Breakdown:
    """Return the breakdown of a plan in which one layer has another word.

    Parameters
    ----------
    work, breakdown
        The layers, and the bytes of the plan as it is.
    name, word
        Of the layer, and what it has instead.
    touching
        As `touching_of` has it.
    """
    at, edges = touching[name]
    strategies = {**breakdown.strategies, name: word}
    cut = [work.boundaries[place] for place in edges]
    ends = sorted({at, *(one.producer for one in cut), *(one.reader for one in cut)})
    cut = [replace(one, producer=ends.index(one.producer), reader=ends.index(one.reader)) for one in cut]
    anew = communication(Workload(tuple(work.layers[end] for end in ends), tuple(cut)), strategies, setting)
    intra, forward, backward = list(breakdown.intra), list(breakdown.forward), list(breakdown.backward)
    intra[at] = anew.intra[ends.index(at)]
    for position, place in enumerate(edges):
        forward[place], backward[place] = anew.forward[position], anew.backward[position]
    return Breakdown(tuple(intra), tuple(forward), tuple(backward), strategies)
