"""What a rule knows when the link is free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.studies.transfers.messages import GradientPart
    from hypar_opt.studies.transfers.problem import TransferProblem


@dataclass(frozen=True)
class LinkState:
    """What is known when the link is free.

    Parameters
    ----------
    problem
        What is sent.
    time
        Seconds.
    ready
        What is left of gradients that are ready, in the order of the forward pass; at least one of them.
    next_ready
        When another gradient becomes ready; None where all are.
    chunk
        Seconds of the largest part of a gradient that goes at once.
    """

    problem: TransferProblem
    time: Fraction
    ready: Sequence[GradientPart]
    next_ready: Fraction | None
    chunk: Fraction
