"""From what an instance says of its accelerators to one of them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.accelerator import Accelerator, Energies

if TYPE_CHECKING:
    from hypar_opt.instance.accelerator_schema import AcceleratorSpec, EnergySpec


def accelerator_of(spec: AcceleratorSpec | None) -> Accelerator | None:
    """Return the accelerator; at the peak every element of the grid multiplies and adds at every tick."""
    if spec is None:
        return None
    if spec.rate is not None:
        rate = Fraction(spec.rate)
    else:
        assert spec.grid is not None and spec.clock is not None  # the schema asks for one or the other
        rate = 2 * spec.grid[0] * spec.grid[1] * Fraction(spec.clock)
    return Accelerator(
        model=spec.model,
        rate=rate,
        grid=spec.grid,
        buffer=_exact(spec.buffer),
        utilisation=Fraction(spec.utilisation) if isinstance(spec.utilisation, Decimal) else None,
        bandwidth=_exact(spec.memory.bandwidth),
        capacity=_exact(spec.memory.capacity),
        energies=_energies(spec.energy),
    )


def _energies(spec: EnergySpec | None) -> Energies | None:
    if spec is None:
        return None
    return Energies(Fraction(spec.add), Fraction(spec.multiply), Fraction(spec.sram), Fraction(spec.dram))


def _exact(number: Decimal | None) -> Fraction | None:
    return None if number is None else Fraction(number)
