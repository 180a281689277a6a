"""Synchronisation points, counted in the graph of steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.conjugate_gradient.unrolling import LoopStep


@dataclass(frozen=True)
class Synchronisation:
    """A step that is done once, and for which all blocks have to have come.

    Parameters
    ----------
    name
        The step's.
    beside
        How many other steps neither have to be over before it begins nor have to wait for its end: what can hide it.
    """

    name: str
    beside: int


def synchronisations(steps: Sequence[LoopStep], blocks: int) -> tuple[Synchronisation, ...]:
    """Return the synchronisation points, in the order of the steps.

    One is a step without a block that waits itself for steps of all blocks: a sum over all, or a barrier. Coefficients
    of the same sums, which wait for nothing else of blocks, are one point with the first of them.

    Parameters
    ----------
    steps
        Of some iterations.
    blocks
        Into how many vectors are cut.
    """
    before: list[int] = []  # as bits: of long graphs sets are too many
    after: list[int] = [0] * len(steps)
    for step in steps:
        before.append(reduce(or_, (before[one] | 1 << one for one in step.waits_for), 0))
    for number in reversed(range(len(steps))):
        for one in steps[number].waits_for:
            after[one] |= after[number] | 1 << number
    found: list[Synchronisation] = []
    summed: set[int] = set()
    for number, step in enumerate(steps):
        if step.block is not None:
            continue
        parts = {one for one in step.waits_for if steps[one].block is not None}
        if len({steps[one].block for one in parts}) == blocks and not parts <= summed:
            found.append(Synchronisation(step.name, len(steps) - 1 - (before[number] | after[number]).bit_count()))
        summed |= parts
    return tuple(found)
