"""Prophet's blocks: as many gradients as fit into the time until the next one is ready.

    start-up + sum of the block's seconds <= next ready - now

A block goes behind one start-up, the first layer's gradients first, and none in front of one of an earlier layer: the
first that does not fit ends it. When no more become ready, all that are left are one block. Its authors' words leave
open what a gradient does that fits into no gap: it waits, it is cut into chunks, or it goes all the same, a rule each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.studies.transfers.messages import GradientPart
from hypar_opt.studies.transfers.rules.rule import TransferRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.transfers.link import LinkState

SOURCE: Final = "Prophet, Zhang and others, ICPP 2021"


def _waits(state: LinkState) -> Sequence[GradientPart]:
    return _block(state, cuts=False)


def _cut(state: LinkState) -> Sequence[GradientPart]:
    return _block(state, cuts=True)


def _goes(state: LinkState) -> Sequence[GradientPart]:
    return _block(state, cuts=False) or [state.ready[0]]


def _block(state: LinkState, cuts: bool) -> Sequence[GradientPart]:
    if state.next_ready is None:
        return state.ready
    room = state.next_ready - state.time - state.problem.start_up
    found: list[GradientPart] = []
    for part in state.ready:
        if part.seconds > room:
            chunks = room // state.chunk if cuts else 0
            return [*found, GradientPart(part.gradient, chunks * state.chunk)] if chunks > 0 else found
        found.append(part)
        room -= part.seconds
    return found


RULES: Final = (
    TransferRule("prophet", "blocks that fit until the next is ready; what fits nowhere waits", SOURCE, _waits, 40),
    TransferRule("prophet-chunks", "the same, of gradients that are cut into chunks", SOURCE, _cut, 45, cuts=True),
    TransferRule("prophet-busy", "the same, but what does not fit goes all the same, whole", SOURCE, _goes, 50),
)
