"""Accelerators of an array as devices of a pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.importers.pipelines import PipelineWishes

ACCELERATOR = "accelerator"
"""What devices are called where all are alike."""


@dataclass(frozen=True)
class ArrayDevices:
    """Accelerators of an array that are alike.

    Parameters
    ----------
    name, count
        What they are called, and how many there are.
    capacity, bandwidth
        Bytes of the memory, and bytes a second of a link; None where the array does not say.
    """

    name: str
    count: int
    capacity: Fraction | None
    bandwidth: Fraction | None

    def fields(self, wishes: PipelineWishes) -> dict[str, Any]:
        """Return what a pipeline's file says of them.

        Raises
        ------
        InputError
            If neither the array nor a wish says how fast links are.
        """
        count = wishes.devices or self.count
        memory = wishes.memory if wishes.memory is not None else self.capacity
        bandwidth = wishes.bandwidth if wishes.bandwidth is not None else self.bandwidth
        if bandwidth is None:
            message = "the array does not say how fast its links are; expected --bandwidth B, or an array that does"
            raise InputError(message, field="array")
        found: dict[str, Any] = {"kind": self.name, "count": count}
        if memory is not None:
            found["memory"] = _decimal(Fraction(memory))
        found["bandwidth"] = _decimal(Fraction(bandwidth))
        if not wishes.straight:
            found["replicas"] = count
        return found


def _decimal(number: Fraction) -> Decimal:
    """Return a number of a file, which is a decimal; of one that none is its first 28 digits."""
    return Decimal(number.numerator) / number.denominator
