"""What a chunk is on a link: messages of flits, each with a head."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil


@dataclass(frozen=True)
class MessageFormat:
    """How links carry bytes.

    A flit is what a link carries at once, and is sent whole. Messages of 256 bytes in flits of 16 are 17 flits with
    their heads; with message-based flow control (Huang et al., ISCA 2021, section 4) what is sent at once has one head.

    Parameters
    ----------
    flit
        Bytes of a flit.
    payload
        Flits of a message besides its head; None where all that is sent at once is one message.
    head
        Flits of a message's head.

    Raises
    ------
    ValueError
        If a flit or a payload has no bytes, or a head less than none.
    """

    flit: int
    payload: int | None = None
    head: int = 1

    def __post_init__(self) -> None:
        if self.flit < 1 or (self.payload is not None and self.payload < 1) or self.head < 0:
            raise ValueError(f"expected flits and payloads of at least 1, and heads of at least 0, got {self}")

    def flits(self, amount: Fraction) -> int:
        """Return how many flits so many bytes are, with all heads."""
        carried = ceil(amount / self.flit)
        messages = min(carried, 1) if self.payload is None else -(-carried // self.payload)
        return carried + messages * self.head

    def bytes_on_link(self, amount: Fraction) -> Fraction:
        """Return what so many bytes take of a link."""
        return Fraction(self.flits(amount) * self.flit)
