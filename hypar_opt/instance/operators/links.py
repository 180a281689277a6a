"""What a device's link along an axis can do."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class AxisLink:
    """A device's link along an axis.

    Parameters
    ----------
    bandwidth
        Bytes a second that it receives, or None where that is not known.
    latency
        Seconds of a message.
    energy
        Joules a byte, or None where that is not known.
    """

    bandwidth: Fraction | None = None
    latency: Fraction = Fraction(0)
    energy: Fraction | None = None
