"""An accelerator: rates, sizes and energies, all exact."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

Model: TypeAlias = Literal["as-evaluated", "row-stationary", "peak"]
"""How operations and accesses are counted.

`as-evaluated`
    Operations on input positions, three DRAM accesses a word held or exchanged.
`row-stationary`
    Operations on output positions, accesses of a row-stationary dataflow, DRAM bandwidth.
`peak`
    Operations on output positions and nothing else.
"""


@dataclass(frozen=True)
class Optimiser:
    """What updates the weights.

    Parameters
    ----------
    states
        Numbers kept for every weight beside the weight and its gradient.
    multiplies, adds
        Operations for every weight; a division or a root counts as a multiplication.
    """

    states: int
    multiplies: int
    adds: int


OPTIMISERS: Final[Mapping[str, Optimiser]] = MappingProxyType(
    {
        "sgd": Optimiser(0, 1, 1),  # w - eta g
        "momentum": Optimiser(1, 2, 2),  # v = mu v + g; w - eta v
        "adam": Optimiser(2, 8, 4),  # m, v, two corrections, root, quotient; Kingma & Ba 2015, Algorithm 1
    }
)
"""By name."""


@dataclass(frozen=True)
class Energies:
    """Joules of one operation, or of one access to a 32-bit word."""

    add: Fraction
    multiply: Fraction
    sram: Fraction
    dram: Fraction


@dataclass(frozen=True)
class Accelerator:
    """One accelerator with its memory; all of an array are alike.

    Parameters
    ----------
    model
        How operations and accesses are counted.
    rate
        Operations a second at the peak: a multiplication and an addition are two.
    grid
        Rows and columns of processing elements; None where the model does not ask.
    buffer
        Bytes on the chip; None where the model does not ask.
    utilisation
        Share of the peak that is reached, or None for what the mapping on the grid fills.
    bandwidth
        Bytes a second between the chip and its memory; None where that never limits.
    capacity
        Bytes of the memory; None where everything fits.
    energies
        None where nobody needs them.
    """

    model: Model
    rate: Fraction
    grid: tuple[int, int] | None = None
    buffer: Fraction | None = None
    utilisation: Fraction | None = None
    bandwidth: Fraction | None = None
    capacity: Fraction | None = None
    energies: Energies | None = None

    @property
    def pace(self) -> Fraction:
        """Operations a second that are reached, or at the peak where that is left to the mapping of every layer."""
        return self.rate if self.utilisation is None else self.rate * self.utilisation
