"""How a step is simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

Overlap: TypeAlias = Literal["none", "full"]
"""What goes on at once."""
Hold: TypeAlias = Literal["rate", "whole"]
"""What a transfer takes of the links of its route."""
Acquire: TypeAlias = Literal["together", "ordered", "route"]
"""How it comes to them: all at once, or one after the other in some order."""


@dataclass(frozen=True)
class Options:
    """What holds in a simulation.

    Parameters
    ----------
    overlap
        `none`: a barrier after every phase of a layer and after every level of an exchange, the order of the analytic
        model. `full`: tasks wait for data and for what they run on, for nothing else.
    contention
        True: a transfer needs all links of its route at once, for its bytes over the least of their bandwidths. False:
        the links of a route each serve their share by themselves, first come first served, and the transfer ends with
        the last; what the analytic model charges.
    hold
        With contention: `rate`, of every link as much bandwidth as the slowest of the route has, so that a link twice
        as fast carries two such transfers at once; or `whole`, every link alone.
    acquire
        With contention: `together`, the whole route at a moment when all of it has room, first come first served among
        those that can go; nothing is held before, so that nobody waits for each other. Or one link after the other,
        first come first served, each kept while the next is waited for: `ordered`, in one order for all transfers, so
        that they cannot wait for each other in a circle, or `route`, from source to target as a header moves, in which
        they can.
    memory_bandwidth
        Bytes a second of every accelerator's memory port, which whatever it sends and receives crosses as if it were a
        link; None leaves memories out, as the analytic model does.

    Raises
    ------
    ValueError
        If the memory has no bandwidth.
    """

    overlap: Overlap = "none"
    contention: bool = True
    hold: Hold = "rate"
    acquire: Acquire = "together"
    memory_bandwidth: Fraction | None = None

    def __post_init__(self) -> None:
        if self.memory_bandwidth is not None and self.memory_bandwidth <= 0:
            raise ValueError(f"expected a memory bandwidth above 0, got {self.memory_bandwidth}")
