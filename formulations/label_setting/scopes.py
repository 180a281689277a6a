"""Label sets by the values of several variables at once: what bucket elimination passes on where a graph has cycles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from formulations.label_setting.arcs import gathering, steps_of
from formulations.label_setting.table import Labels, added, advanced, one_each, shifted, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from formulations.label_setting.arcs import ArcLayer
    from hypar_opt.costgraph import Array, EdgeCost

    Positions = NDArray[np.intp]
    Origins = Mapping[int, Positions]
    Scope = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ScopedLabels:
    """Labels whose states are the values of some variables.

    Parameters
    ----------
    scope
        The variables; the last one's value varies fastest.
    sizes
        Of all variables.
    labels
        By state.
    origins
        By child: which of its labels a label comes from.
    """

    scope: Scope
    sizes: Sequence[int]
    labels: Labels
    origins: Origins

    @staticmethod
    def of(variable: int, sizes: Sequence[int], own: Sequence[Array]) -> ScopedLabels:
        """Return one label for every value of a variable."""
        return ScopedLabels((variable,), sizes, one_each(own, np.ones(sizes[variable], dtype=np.bool_)), {})

    def along(self, scope: Scope) -> ScopedLabels:
        """Return the labels by the values of these variables: its own in another order, and maybe further ones."""
        shape = [self.sizes[x] for x in scope]
        axes = np.ogrid[tuple(slice(size) for size in shape)]
        state: Any = np.zeros(shape, dtype=np.intp)
        for x in self.scope:
            state = state * self.sizes[x] + axes[scope.index(x)]
        states = state.reshape(-1)
        counts = self.labels.counts[states]
        positions = spread(self.labels.offsets[states], counts)
        columns = tuple(column[positions] for column in self.labels.values)
        found = Labels(columns, np.concatenate([[0], np.cumsum(counts)]))
        return replace(self, scope=scope, labels=found, origins=_follow(self.origins, positions))

    def plus(self, other: ScopedLabels, room: Callable[[int, int], None]) -> ScopedLabels:
        """Return the non-dominated sums, by the values of all variables of both."""
        scope = tuple(dict.fromkeys((*self.scope, *other.scope)))
        left, right = self.along(scope), other.along(scope)
        total, first, second = added(left.labels, right.labels, room)
        origins = {**_follow(left.origins, first), **_follow(right.origins, second)}
        return ScopedLabels(scope, self.sizes, total, origins)

    def shifted(self, tables: Sequence[Array]) -> ScopedLabels:
        """Return the labels with what their states cost added, by criterion; an axis a variable, or of length 1."""
        shape = tuple(self.sizes[x] for x in self.scope)
        by = [np.broadcast_to(table, shape).reshape(-1) for table in tables]
        return replace(self, labels=shifted(self.labels, by))

    def only(self, kept: NDArray[np.bool_]) -> ScopedLabels:
        """Return the labels that are kept."""
        if kept.all():
            return self
        labels, positions = self.labels.only(kept)
        return replace(self, labels=labels, origins=_follow(self.origins, positions))

    def values_of(self, variable: int, positions: Positions) -> Positions:
        """Return what value of a variable some labels have."""
        states = self.labels.state_of(positions)
        after = self.scope[self.scope.index(variable) + 1 :]
        value: Positions = states // prod(self.sizes[x] for x in after) % self.sizes[variable]
        return value

    def without(
        self, variable: int, other: int | None, costs: Sequence[EdgeCost], dtype: Any, room: Callable[[int, int], None]
    ) -> ScopedLabels:
        """Return the non-dominated labels over all values of a variable.

        Parameters
        ----------
        variable
            Of the scope.
        other
            A variable that takes its place; None where there is none.
        costs
            By criterion, of the variable's value and the other one's.
        """
        rest = tuple(x for x in self.scope if x != variable)
        at = self.along((*rest, variable))
        times, size = prod(self.sizes[x] for x in rest), self.sizes[variable]
        layers = [gathering(size, len(at.labels.values))] if other is None else steps_of(costs, dtype)
        labels, pointer = at.labels, np.arange(at.labels.count)
        for layer in layers:
            labels, sources = advanced(labels, _repeated(layer, times, size), room)
            pointer, size = pointer[sources], layer.size
        scope = rest if other is None else (*rest, other)
        return ScopedLabels(scope, self.sizes, labels, _follow(at.origins, pointer))

    @property
    def bare(self) -> ScopedLabels:
        """The same without labels' values."""
        return replace(self, labels=Labels((), self.labels.offsets))

    def from_(self, variable: int) -> ScopedLabels:
        """Return the same labels, to be told apart by their positions from here on."""
        return replace(self, origins={variable: np.arange(self.labels.count)})


def _follow(origins: Origins, positions: Positions) -> Origins:
    return {child: pointer[positions] for child, pointer in origins.items()}


def _repeated(layer: ArcLayer, times: int, size: int) -> ArcLayer:
    """Return the layer for every state of further variables before those that it leads from."""
    each = np.arange(times)[:, None]
    tails = (each * size + layer.tails).reshape(-1)
    heads = (each * layer.size + layer.heads).reshape(-1)
    return replace(
        layer, tails=tails, heads=heads, costs=tuple(np.tile(cost, times) for cost in layer.costs),
        size=times * layer.size,
    )  # fmt: skip
