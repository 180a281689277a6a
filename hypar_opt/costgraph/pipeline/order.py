"""In which order stages stand, where each stands only so much behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Set


def stages_in_order(before: Mapping[int, Set[int]], room: Mapping[int, int]) -> tuple[int, ...] | None:
    """Return stages in an order in which each has before it what it needs; None where there is none.

    Of the stages that may come next the one with the most room comes, of several the first
    of `before`. So if any order has behind
    every stage, the stage itself included, no more than it has room for, this one has: see `StageGraph.stages`.

    Parameters
    ----------
    before
        By stage, those that come before it.
    room
        By stage, how much may stand behind it, itself included.
    """
    waits = {stage: len(others) for stage, others in before.items()}
    behind: dict[int, list[int]] = {stage: [] for stage in before}
    for stage, others in before.items():
        for other in others:
            behind[other].append(stage)
    place = {stage: number for number, stage in enumerate(before)}
    ready = [stage for stage, number in waits.items() if not number]
    found = []
    while ready:
        stage = max(ready, key=lambda one: (room[one], -place[one]))
        ready.remove(stage)
        found.append(stage)
        for other in behind[stage]:
            waits[other] -= 1
            if not waits[other]:
                ready.append(other)
    return tuple(found) if len(found) == len(before) else None
