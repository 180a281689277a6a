"""What a CostGraph is made of: variables, edges and capacities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np

from hypar_opt.costgraph.unary import TableUnary, UnaryCost

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hypar_opt.costgraph.edge import EdgeCost
    from hypar_opt.costgraph.words import Words


@dataclass(frozen=True)
class Variable:
    """A decision with a finite domain.

    Parameters
    ----------
    name
        A layer's.
    size
        Number of values.
    words
        The domain's structure, where its values are words.
    attributes
        What else is known of it, such as the layer's kind.
    splits
        By value, what it splits on each axis, by names, where that is known; `none` where nothing.
    """

    name: str
    size: int
    words: Words | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    splits: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", dict(self.attributes))
        if self.splits and len(self.splits) != self.size:
            raise ValueError(
                f"'{self.name}' has {self.size} values, and {len(self.splits)} of them say what they split"
            )
        if self.words is not None and self.words.size != self.size:
            raise ValueError(f"'{self.name}' has {self.size} values, its words are {self.words.size}")

    @property
    def mask(self) -> NDArray[np.bool_] | None:
        """Which values are allowed, or None if all are."""
        return self.words.mask if self.words is not None and self.words.restricted else None


@dataclass(frozen=True)
class Edge:
    """Costs of the values of two variables, by component.

    Parameters
    ----------
    first, second
        Positions of two different variables. Parallel edges, in either direction, add up.
    costs
        By component.
    barred
        Pairs of values that are not allowed together; None where all are.
    """

    first: int
    second: int
    costs: Mapping[str, EdgeCost]
    barred: NDArray[np.bool_] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Repeats:
    """Where variables are said to come in blocks that are alike; whoever uses it has to look whether they are.

    Parameters
    ----------
    first, length, times
        The first block's first variable, variables in each block, and how many blocks there are.
    """

    first: int
    length: int
    times: int

    @property
    def end(self) -> int:
        """The variable behind the last block."""
        return self.first + self.length * self.times


@dataclass(frozen=True, eq=False)
class Capacity:
    """A linear constraint: the usages of the chosen values, and of pairs of them, sum to at most a limit.

    Parameters
    ----------
    name
        For messages.
    limit
        An exact integer.
    usages
        By variable: the usage of each value, as a cost, or as a tuple of numbers.
    unit
        How many of the limit's units make one of what the name speaks of.
    pairs
        By two variables, the smaller first, that share an edge: the usage of their values, never negative.
    """

    name: str
    limit: int
    usages: Mapping[int, UnaryCost]
    unit: int = 1
    pairs: Mapping[tuple[int, int], EdgeCost] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = {variable: _as_cost(usage) for variable, usage in self.usages.items()}
        object.__setattr__(self, "usages", found)

    @property
    def can_be_exceeded(self) -> bool:
        """Whether the largest usages are more than the limit; else every assignment keeps to it."""
        own = sum(usage.upper for usage in self.usages.values())
        return own + sum(usage.upper for usage in self.pairs.values()) > self.limit

    def used(self, choices: Sequence[int]) -> int:
        """Return what an assignment uses."""
        own = sum(usage.value(choices[variable]) for variable, usage in self.usages.items())
        pairs = self.pairs.items()
        return own + sum(usage.value(choices[first], choices[second]) for (first, second), usage in pairs)


def _as_cost(usage: UnaryCost | Sequence[int]) -> UnaryCost:
    return TableUnary(np.array(usage, dtype=object)) if isinstance(usage, tuple) else cast("UnaryCost", usage)
