"""What exploring finds: every combination's cost, exact, and which is best."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.exploring.space import Space


@dataclass(frozen=True, eq=False)
class Exploration:
    """All combinations, weighed.

    Parameters
    ----------
    space
        The combinations.
    base
        Where the base plan comes from, in words.
    against
        What gains are over, in words.
    reference
        By component, what that costs.
    values
        By component, every combination's cost as an integer; the first component is the one that is compared.
    units
        By component, how many of these integers make one of its unit.
    allowed
        Which combinations keep to every capacity.
    fault
        Where recomputation by boxes and routes disagrees, or nothing.
    """

    space: Space
    base: str
    against: str
    reference: Mapping[str, Fraction]
    values: Mapping[str, Array]
    units: Mapping[str, int]
    allowed: Array
    fault: str = ""

    @property
    def components(self) -> tuple[str, ...]:
        """What was weighed; the first is compared."""
        return tuple(self.values)

    def value(self, component: str, index: int) -> Fraction:
        """Return what a combination costs."""
        return Fraction(int(self.values[component][index]), self.units[component])

    def gain(self, component: str, index: int) -> Fraction | None:
        """Return how many times as much the reference costs; None for what costs nothing."""
        value = self.value(component, index)
        return self.reference[component] / value if value else None

    @cached_property
    def best(self) -> tuple[int, ...]:
        """All combinations that cost the least of what is compared, in their order; none where none is allowed."""
        first = self.values[self.components[0]]
        if not self.allowed.any():
            return ()
        least = first[self.allowed].min()
        return tuple(int(i) for i in np.flatnonzero(self.allowed & (first == least)))

    @property
    def winner(self) -> int | None:
        """The base plan if it is among the best, else the first of them."""
        if not self.best:
            return None
        return self.space.base_index if self.space.base_index in self.best else self.best[0]

    def rank(self, index: int) -> int:
        """Return a combination's place: one more than how many that are allowed cost less."""
        first = self.values[self.components[0]]
        return 1 + int(np.count_nonzero(self.allowed & (first < first[index])))

    def order(self, count: int) -> Sequence[int]:
        """Return the combinations with the least cost first, equal ones in their order, and only what is allowed."""
        first = self.values[self.components[0]]
        places = np.flatnonzero(self.allowed)
        return [int(i) for i in places[np.argsort(first[places], kind="stable")][:count]]
