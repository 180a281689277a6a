"""A stage of a pipeline as recounted."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.instance.pipeline import StageDevices


@dataclass(frozen=True)
class PipelineStage:
    """What is done by one device, or by several that are replicas of each other.

    Parameters
    ----------
    devices
        That do it.
    operators
        In the instance's order.
    computing, reading, sending
        Seconds a sample; computing has the adding up of replicas' gradients.
    overlapped
        Whether these are at the same time.
    bytes_read, memory, capacity
        Bytes; memory has what is kept of microbatches in flight; no capacity where any amount fits.
    in_flight, behind
        How many microbatches each device has in flight at most, and how many replicas stand behind the stage, its own
        included; None where these are not counted, or stages are in no order.
    anew
        Operators that compute their activations anew.
    """

    devices: StageDevices
    operators: tuple[str, ...]
    computing: Fraction
    reading: Fraction
    sending: Fraction
    bytes_read: Fraction
    memory: Fraction
    capacity: Fraction | None
    overlapped: bool = False
    in_flight: int | None = None
    behind: int | None = None
    anew: tuple[str, ...] = ()

    @property
    def seconds(self) -> Fraction:
        """What it takes."""
        parts = (self.computing, self.reading, self.sending)
        return max(parts) if self.overlapped else sum(parts, start=Fraction(0))
