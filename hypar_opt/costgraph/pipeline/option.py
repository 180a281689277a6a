"""Ways to do a stage, in exact integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array


@dataclass(frozen=True, eq=False)
class StageOption:
    """A way to do a stage: on so many devices of a kind, and what it then takes of every group.

    Parameters
    ----------
    kind, devices
        Of which kind, by its number, and how many of them.
    times
        By group, of its computing; exact integers.
    transfers
        By output, of reading it from another stage, or of sending it to others; exact integers.
    usages, capacity
        By group what each device keeps with one microbatch in flight, and how much fits; None where any amount does.
    allowed
        By group, whether it may be done so.
    activations
        By group what each device keeps more for every further microbatch in flight.
    replicas
        How many of it take microbatches in turn: all its devices, unless several do one together.
    """

    kind: int
    devices: int
    times: Array
    transfers: Array
    usages: Array
    capacity: int | None
    allowed: Array
    activations: Array
    replicas: int

    def kept(self, count: int) -> Array:
        """Return by group what each device keeps with so many microbatches in flight."""
        found: Array = self.usages + (count - 1) * self.activations
        return found


@dataclass(frozen=True)
class Slot:
    """A stage that there may be: the first, second, ... of an option."""

    option: int
    number: int


def integers(values: Sequence[int], most: int = 0) -> Array:
    """Return exact integers as an array: of 64 bits where all sums of them fit, else of Python's.

    Parameters
    ----------
    most
        What sums of them and of others come to.
    """
    fits = max(sum(map(abs, values)), most) < 2**62
    return np.array(values, dtype=np.int64 if fits else object).reshape(len(values))
