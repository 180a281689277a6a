"""An objective: a weighting of cost components, exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Weight: TypeAlias = Fraction | tuple[Fraction, ...]
"""Of a component: one for all levels, or one a level."""


@dataclass(frozen=True)
class Objective:
    """Weights by component, and the integers that they become over one common denominator.

    Parameters
    ----------
    weights
        Non-negative rationals.
    """

    weights: Mapping[str, Weight]

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", dict(self.weights))
        if any(part < 0 for weight in self.weights.values() for part in _parts(weight)):
            raise ValueError("the weights of an objective are not negative")

    @cached_property
    def denominator(self) -> int:
        """The common denominator: costs of the CostGraph are integers in units of one over it."""
        return lcm(*(part.denominator for weight in self.weights.values() for part in _parts(weight)))

    def divided(self, number: int) -> Objective:
        """Return the objective for components that are counted in parts of their unit."""
        if number == 1:
            return self
        return Objective({name: _divided(weight, number) for name, weight in self.weights.items()})

    def scalar(self, component: str) -> int:
        """Return a component's weight times the denominator.

        Raises
        ------
        ValueError
            If the component is weighted by level.
        """
        weight = self.weights.get(component, Fraction(0))
        if isinstance(weight, tuple):
            raise ValueError(f"'{component}' is weighted by level, and this cost has no levels")
        return int(weight * self.denominator)

    def by_level(self, component: str, levels: int) -> tuple[int, ...]:
        """Return a component's weight at every level, times the denominator."""
        weight = self.weights.get(component, Fraction(0))
        if not isinstance(weight, tuple):
            return (self.scalar(component),) * levels
        if len(weight) != levels:
            raise ValueError(f"'{component}' has {len(weight)} weights for {levels} levels")
        return tuple(int(part * self.denominator) for part in weight)


def _divided(weight: Weight, number: int) -> Weight:
    return tuple(part / number for part in weight) if isinstance(weight, tuple) else weight / number


def _parts(weight: Weight) -> tuple[Fraction, ...]:
    return weight if isinstance(weight, tuple) else (weight,)
