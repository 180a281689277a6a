"""All least vectors of times of an array, for the tests: nobody else asks for them all."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

from formulations.placement.bounds.times import below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from formulations.placement.bounds.times import Times
    from formulations.placement.times.vectors import TimeVectors
    from hypar_opt.formulation.run import Run


def least_vectors(vectors: TimeVectors, run: Run) -> Mapping[Times, tuple[int, ...]]:
    """Return the possible vectors that no other one is below, in ascending order, each with a placement.

    All possible vectors are above one of them, in some order of the levels: they say all about the array's times,
    whatever the volumes. They are found by their sums; where all vectors with a smaller sum that a possible one is
    above are impossible or above a least one, it is a least one itself.

    Raises
    ------
    Stopped
        If a limit ends it before they are all found.
    """
    found: dict[Times, tuple[int, ...]] = {}
    heap, seen = [(sum(vectors.first), vectors.first)], {vectors.first}
    while heap:
        run.check()
        vector = heap[0][1]
        if any(below(one, vector) for one in found):
            heapq.heappop(heap)
            continue
        following = vectors.after(vector)
        if following is None:
            placed = vectors.decide(vector, run.limits)
            if placed is not None:
                found[vector] = placed
            continue
        heapq.heappop(heap)
        for one in set(following) - seen:
            seen.add(one)
            heapq.heappush(heap, (sum(one), one))
    return found
