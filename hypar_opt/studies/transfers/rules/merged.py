"""All that is ready in one message: whenever the link is free, or once, when the backward pass is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.studies.transfers.rules.rule import TransferRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.transfers.link import LinkState
    from hypar_opt.studies.transfers.messages import GradientPart


def _all_ready(state: LinkState) -> Sequence[GradientPart]:
    return state.ready


def _all_at_once(state: LinkState) -> Sequence[GradientPart]:
    return () if state.next_ready is not None else state.ready


RULES: Final = (
    TransferRule("merged", "all that are ready in one message, the first layer's first", "as fusion", _all_ready, 60),
    TransferRule("one-message", "all in one message when the last is ready", "without overlap", _all_at_once, 70),
)
