"""What a topology is built from."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Wire:
    """What one link can do; in a tree, a leaf's.

    Parameters
    ----------
    bandwidth
        Bytes a second, each way; None where nobody needs it.
    latency
        Seconds.
    energy
        Joules a byte; None where nobody needs it.
    """

    bandwidth: Fraction | None = None
    latency: Fraction = Fraction(0)
    energy: Fraction | None = None


@dataclass(frozen=True)
class Shape:
    """The size of an array; None leaves it to the topology.

    Parameters
    ----------
    levels
        H: at least 2^H accelerators are needed.
    accelerators
        How many there are.
    dims
        Of a torus or a mesh: accelerators along each dimension.
    ports
        Of every switch of a fat tree.
    switches
        Of each side of a BiGraph.
    wire
        What every link can do.
    """

    levels: int
    accelerators: int | None = None
    dims: tuple[int, ...] | None = None
    ports: int | None = None
    switches: int | None = None
    wire: Wire = field(default_factory=Wire)

    @property
    def count(self) -> int:
        """Accelerators where any number can be: as many as are given, or else 2^H."""
        return 1 << self.levels if self.accelerators is None else self.accelerators
