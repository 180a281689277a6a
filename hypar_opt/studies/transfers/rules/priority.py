"""The first layer's gradient first, of those that are ready: whole, or in chunks that go before larger ones end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.studies.transfers.messages import GradientPart
from hypar_opt.studies.transfers.rules.rule import TransferRule

if TYPE_CHECKING:
    from hypar_opt.studies.transfers.link import LinkState


def _whole(state: LinkState) -> list[GradientPart]:
    return [state.ready[0]]


def _chunk(state: LinkState) -> list[GradientPart]:
    gradient, left = state.ready[0]
    return [GradientPart(gradient, min(left, state.chunk))]


RULES: Final = (
    TransferRule("priority", "the first layer's of those that are ready, each by itself", "common", _whole, 20),
    TransferRule(
        "priority-chunks", "the same, cut into chunks: between two of them another gradient may go first",
        "as P3 and ByteScheduler, 2019", _chunk, 30, cuts=True,
    ),
)  # fmt: skip
