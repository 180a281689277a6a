"""The phases of a training step, and what one accelerator does of a layer in each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

StepPhase: TypeAlias = Literal["forward", "backward", "gradient", "update"]
"""A part of a training step."""
PHASES: Final[tuple[StepPhase, ...]] = ("forward", "backward", "gradient", "update")
"""In the order of a training step."""
NOTHING: Final = Fraction(0)


@dataclass(frozen=True)
class Stage:
    """What one accelerator computes of one layer in one phase.

    Parameters
    ----------
    layer, phase
        Which.
    seconds
        How long that takes.
    multiplies, adds
        Operations.
    sram, dram
        Accesses to the buffer and to the memory, in elements.
    """

    layer: str
    phase: StepPhase
    seconds: Fraction = NOTHING
    multiplies: Fraction = NOTHING
    adds: Fraction = NOTHING
    sram: Fraction = NOTHING
    dram: Fraction = NOTHING
