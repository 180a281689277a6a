"""What a rule is that says which gradients go next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.studies.transfers.link import LinkState
    from hypar_opt.studies.transfers.messages import GradientPart


@dataclass(frozen=True)
class TransferRule:
    """A named rule.

    Parameters
    ----------
    name, summary, source
        What it is called, what it does, and who described it.
    next_message
        From what is known when the link is free to the parts of the next message; none to wait for the next gradient.
    rank
        Where it stands among the others.
    cuts
        Whether it cuts gradients into chunks.
    """

    name: str
    summary: str
    source: str
    next_message: Callable[[LinkState], Sequence[GradientPart]]
    rank: int
    cuts: bool = False
