"""What need not be kept: labels that no completion makes allowed, or better than what is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from formulations.label_setting.table import Labels
    from hypar_opt.costgraph import Array


@dataclass(frozen=True, eq=False)
class Completion:
    """The least weighted sum of coordinates that completes a label, by variable and value.

    Parameters
    ----------
    weights
        By coordinate.
    least
        By variable, or by whatever else tells labels of different states apart; shape (states,). At least `never`
        where no completion is allowed.
    never
        Larger than any weighted sum.
    """

    weights: tuple[int, ...]
    least: Mapping[Any, Array]
    never: int

    def below(self, variable: Hashable, labels: Labels) -> Array:
        """Return a lower bound of every label's completed weighted sum."""
        total = self.least[variable][labels.states]
        for weight, column in zip(self.weights, labels.values, strict=True):
            if weight:
                wide = column.astype(total.dtype)  # of Python integers where the weighted sums need them
                total = total + (wide if weight == 1 else weight * wide)
        return total


@dataclass(frozen=True, eq=False)
class AtMost:
    """A weighted sum of coordinates may not exceed a threshold once completed."""

    completion: Completion
    threshold: int

    def keeps(self, variable: Hashable, labels: Labels) -> NDArray[np.bool_]:
        """Compare the bound with the threshold; return which labels may lead to something; shape (labels,)."""
        below = self.completion.below(variable, labels)
        return np.asarray(below <= self.threshold, dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Undominated:
    """No known plan is, by every criterion, at or below what a label can become.

    What is dropped ends at or above a known plan, so known plans belong to the result.

    Parameters
    ----------
    completions
        By criterion.
    known
        Values of allowed plans, none dominating another, ascending.
    """

    completions: tuple[Completion, ...]
    known: Sequence[tuple[int, ...]]
    columns: tuple[Array, ...] = field(init=False)

    def __post_init__(self) -> None:
        columns = zip(*self.known, strict=True)
        object.__setattr__(self, "columns", tuple(np.array(column, dtype=object) for column in columns))

    def keeps(self, variable: Hashable, labels: Labels) -> NDArray[np.bool_]:
        """Compare the vectors of bounds with the known plans; return which labels may lead to something."""
        below = [completion.below(variable, labels) for completion in self.completions]
        kept = np.ones(labels.count, dtype=np.bool_)
        for completion, bound in zip(self.completions, below, strict=True):
            kept &= np.asarray(bound < completion.never, dtype=np.bool_)
        if not self.known:
            return kept
        columns = [column.astype(bound.dtype) for column, bound in zip(self.columns, below, strict=True)]
        return kept & ~(_by_stairs(columns, below) if len(below) == 2 else _one_by_one(columns, below))


Bound: TypeAlias = AtMost | Undominated
"""A test of labels."""


def _by_stairs(known: Sequence[Array], below: Sequence[Array]) -> NDArray[np.bool_]:
    """Two criteria: the last known plan that the first bound allows has the least of the second criterion."""
    place = np.searchsorted(known[0], below[0], side="right")
    reached = np.asarray(known[1][np.maximum(place - 1, 0)] <= below[1], dtype=np.bool_)
    return (place > 0) & reached


def _one_by_one(known: Sequence[Array], below: Sequence[Array]) -> NDArray[np.bool_]:
    beaten = np.zeros(len(below[0]), dtype=np.bool_)
    for plan in zip(*known, strict=True):
        worse = [np.asarray(bound >= value, dtype=np.bool_) for bound, value in zip(below, plan, strict=True)]
        beaten |= np.all(worse, axis=0)
    return beaten
