"""Ways of groups whose slots are given, so that stages fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.pipeline.sparing import least_sparing, spared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.pipeline import StageGraph


def fitted(graph: StageGraph, slots: Sequence[int]) -> tuple[int, ...]:
    """Return choices: the slots, and ways in which each stage fits in the least time, in one order of the stages.

    The order is one in which stages stand that keep as little as they can. Stages that never fit stay as they are.
    """
    if not any(option.ways for option in graph.options):
        return tuple(slots)
    options = [graph.options[graph.slots[slot].option] for slot in slots]
    many = len(graph.slots)
    least = [
        slot
        + many
        * min(range(1 + len(option.ways.get(group, ()))), key=lambda n: option.way(group, n).kept(graph.in_flight))
        for group, (slot, option) in enumerate(zip(slots, options, strict=True))
    ]
    found, behind, held = list(slots), 0, graph.held(slots)
    for slot in reversed(graph.stages(least) or sorted(set(slots))):
        option = graph.options[graph.slots[slot].option]
        behind += option.replicas
        if option.capacity is None:
            continue
        count = graph.microbatches(option.replicas, behind)
        needed = sum(option.way(group, 0).kept(count) for group in held[slot]) - option.capacity
        answer = least_sparing({group: spared(option, group, count) for group in held[slot]}, needed)
        for group, number in (answer[1] if answer is not None else {}).items():
            found[group] += many * number
    return tuple(found)
