"""What a conversion of a plan of operators, or the reading of a halo, moves along one axis."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.evaluation.operators.conversion import Kind
    from hypar_opt.evaluation.operators.program import Phase


@dataclass(frozen=True)
class Movement:
    """What a conversion, or the reading of a halo, moves along one axis.

    Parameters
    ----------
    tensor
        Its name; of an operator's sums `OPERATOR:statistic`.
    phase
        When.
    reader
        The operator that needs it, or whose gradient it is; None where it is done once for several, or for nobody.
    kind, axis
        As what, and along which axis, by its name.
    bytes
        That all devices together receive.
    collectives
        Calls of each device: one for every conversion and axis, of an all-to-all along several axes the outermost has
        it, of a halo likewise.
    received, steps
        Bytes that the device with the longest wait receives, and in how many messages one after the other.
    """

    tensor: str
    phase: Phase
    reader: str | None
    kind: Kind
    axis: str
    bytes: Fraction
    collectives: int
    received: Fraction
    steps: int


def total(moved: Iterable[Movement]) -> Fraction:
    """Return the bytes of all."""
    return sum((one.bytes for one in moved), start=Fraction(0))
