"""A problem as flat arrays: what methods for tens of thousands of variables read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hypar_opt.costgraph.memory import Memory, least_of, offsets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.unary import Array

FORBIDDEN: Final = 2**61
"""The mark of what is not allowed; a finite cost lies below it, so that four summands of any kind fit 64 bits."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Variables, costs and memory as flat arrays of 64-bit integers.

    Parameters
    ----------
    sizes
        By variable, its number of values; shape (variables,).
    unary
        Costs of all values, variable by variable; FORBIDDEN where one is not allowed.
    ends
        By edge, its two variables, the lower one first, no pair twice; shape (edges, 2).
    edges
        Costs of all pairs of values, edge by edge, the first variable's values by row; FORBIDDEN likewise.
    memory
        What values keep in memory.
    constant
        What every assignment costs besides.
    """

    sizes: Array
    unary: Array
    ends: Array
    edges: Array
    memory: Memory = field(default_factory=Memory.none)
    constant: int = 0

    def replace(self, **changes: Any) -> Tables:
        """Return a copy with fields changed."""
        return replace(self, **changes)

    @property
    def count(self) -> int:
        """Number of variables."""
        return len(self.sizes)

    @cached_property
    def starts(self) -> Array:
        """Where in `unary` a variable's costs begin; shape (variables + 1,)."""
        return offsets(self.sizes)

    @cached_property
    def edge_sizes(self) -> Array:
        """By edge, the numbers of values of its two variables; shape (edges, 2)."""
        sizes: Array = self.sizes[self.ends].reshape(-1, 2)
        return sizes

    @cached_property
    def edge_starts(self) -> Array:
        """Where in `edges` an edge's costs begin; shape (edges + 1,)."""
        return offsets(self.edge_sizes[:, 0] * self.edge_sizes[:, 1])

    def own(self, variable: int) -> Array:
        """Return a variable's costs; shape (size,), a view."""
        costs: Array = self.unary[self.starts[variable] : self.starts[variable + 1]]
        return costs

    def table(self, edge: int) -> Array:
        """Return an edge's costs; shape (first size, second size), a view."""
        costs: Array = self.edges[self.edge_starts[edge] : self.edge_starts[edge + 1]]
        return costs.reshape(tuple(self.edge_sizes[edge]))

    @cached_property
    def incident(self) -> tuple[Array, Array]:
        """The edges of every variable: all of them variable by variable, and where a variable's begin."""
        both = self.ends.reshape(-1)
        order = np.argsort(both, kind="stable")
        return order // 2, np.searchsorted(both[order], np.arange(self.count + 1))

    @cached_property
    def span(self) -> int:
        """A number by which no two allowed assignments' costs differ more; exact, however large."""
        own = _spans(self.unary, self.starts)
        pairs = _spans(self.edges, self.edge_starts)
        return sum(map(int, own)) + sum(map(int, pairs))

    def restricted(self, variables: Array, rows: Array | None = None) -> Tables:
        """Return some of the variables; an edge or an item stays with its first variable or its holder.

        Parameters
        ----------
        variables
            Whether each stays; no edge joins one that does with one that does not.
        rows
            Whether each row of the memory stays; all do if None.
        """
        edges, items = variables[self.ends[:, 0]], variables[self.memory.holders]
        numbers = np.cumsum(variables) - 1
        memory = self.memory.restricted(items, np.ones(self.memory.rows, dtype=bool) if rows is None else rows)
        return self.replace(
            sizes=self.sizes[variables],
            unary=self.unary[np.repeat(variables, self.sizes)],
            ends=numbers[self.ends[edges]],
            edges=self.edges[np.repeat(edges, np.diff(self.edge_starts))],
            memory=replace(memory, holders=numbers[memory.holders]),
        )

    def terms(self, choices: Sequence[int] | Array) -> Array:
        """Return all costs that an assignment adds up: of its values, then of its pairs; not the constant."""
        chosen = np.asarray(choices, dtype=np.int64)
        first, second = chosen[self.ends[:, 0]], chosen[self.ends[:, 1]]
        pairs = self.edges[self.edge_starts[:-1] + first * self.edge_sizes[:, 1] + second]
        return np.concatenate([self.unary[self.starts[:-1] + chosen], pairs])

    def value(self, choices: Sequence[int] | Array) -> int:
        """Return the cost of an allowed assignment; exact, however large."""
        terms = self.terms(choices)
        return self.constant + (int((terms >> 31).sum()) << 31) + int((terms & (2**31 - 1)).sum())

    def allowed(self, choices: Sequence[int] | Array) -> bool:
        """Return whether no cost of an assignment is forbidden."""
        return bool((self.terms(choices) < FORBIDDEN).all())

    def fits(self, choices: Sequence[int] | Array) -> bool:
        """Return whether an assignment keeps within every row of the memory."""
        return bool((self.memory.used(np.asarray(choices, dtype=np.int64)) <= self.memory.room).all())

    def feasible(self, choices: Sequence[int] | Array) -> bool:
        """Return whether an assignment is allowed and fits."""
        return self.allowed(choices) and self.fits(choices)


def _spans(values: Array, starts: Array) -> Array:
    """Return by part the difference between its largest and its least allowed cost."""
    most = -least_of(np.where(values < FORBIDDEN, -values, FORBIDDEN), starts)
    spans: Array = np.maximum(most - least_of(values, starts), 0)
    return spans
