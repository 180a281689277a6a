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
Acquire: TypeAlias = Literal["ordered", "route"]
"""In which order it takes them."""


@dataclass(frozen=True)
class Options:
    """What holds in a simulation.

    Parameters
    ----------
    overlap
        `none`: a barrier after every phase of a layer and after every level of an exchange, the order of the analytic
        model. `full`: tasks wait for data and for what they run on, for nothing else.
    contention
        True: a transfer needs all links of its route at once, for its bytes over the least of their bandwidths, and
        keeps those that it has while it waits for others, first come first served. False: the links of a route each
        serve their share by themselves, first come first served, and the transfer ends with the last; what the
        analytic model charges.
    hold
        With contention: `rate`, of every link as much bandwidth as the slowest of the route has, so that a link twice
        as fast carries two such transfers at once; or `whole`, every link alone.
    acquire
        With contention: `ordered`, in one order for all transfers, so that they cannot wait for each other in a circle;
        or `route`, link by link from source to target as a header moves, in which they can.
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
    acquire: Acquire = "ordered"
    memory_bandwidth: Fraction | None = None

    def __post_init__(self) -> None:
        if self.memory_bandwidth is not None and self.memory_bandwidth <= 0:
            raise ValueError(f"expected a memory bandwidth above 0, got {self.memory_bandwidth}")
