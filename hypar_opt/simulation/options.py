"""How a step is simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

Overlap: TypeAlias = Literal["none", "full"]
"""What goes on at once."""
Acquire: TypeAlias = Literal["ordered", "route"]
"""In which order a transfer takes the links of its route."""


@dataclass(frozen=True)
class Options:
    """What holds in a simulation.

    Parameters
    ----------
    overlap
        `none`: a barrier after every phase of a layer and after every level of an exchange, the order of the analytic
        model. `full`: tasks wait for data and for what they run on, for nothing else.
    contention
        True: a transfer holds all links of its route, from when it has the last of them, for its bytes over the least
        of their bandwidths. False: the links of a route each serve their share by themselves, first come first
        served, and the transfer ends with the last; what the analytic model charges.
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
    acquire: Acquire = "ordered"
    memory_bandwidth: Fraction | None = None

    def __post_init__(self) -> None:
        if self.memory_bandwidth is not None and self.memory_bandwidth <= 0:
            raise ValueError(f"expected a memory bandwidth above 0, got {self.memory_bandwidth}")
