"""Factors over a few variables, and the elimination of one variable from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array, CostGraph, EdgeCost


CELLS = 2**20
"""Of a table over an eliminated variable and its neighbours, how many are there at a time."""


@dataclass(frozen=True, eq=False)
class Factor:
    """Costs by the values of the variables in `scope`, an axis each in that order."""

    scope: tuple[int, ...]
    values: Array

    def along(self, axes: tuple[int, ...]) -> Array:
        """Return the values with one axis for each of `axes`, of length 1 where not in the scope."""
        order = sorted(range(len(self.scope)), key=lambda i: axes.index(self.scope[i]))
        values = self.values.transpose(order)
        sizes = iter(values.shape)
        return values.reshape([next(sizes) if axis in self.scope else 1 for axis in axes])

    def row(self, variable: int, choices: Mapping[int, int]) -> Array:
        """Return the costs of a variable's values where all others are chosen; shape (size,)."""
        index = tuple(slice(None) if one == variable else choices[one] for one in self.scope)
        return self.values[index]


@dataclass(frozen=True)
class Pair:
    """A pairwise cost that stays an object, for its factored min-plus product."""

    first: int
    second: int
    cost: EdgeCost

    @property
    def scope(self) -> tuple[int, int]:
        """The two variables."""
        return self.first, self.second

    def other(self, variable: int) -> int:
        """Return the variable at the other end."""
        return self.second if variable == self.first else self.first

    def from_(self, variable: int) -> EdgeCost:
        """Return the cost with a given variable first."""
        return self.cost if variable == self.first else self.cost.transposed()

    def table(self, dtype: Any) -> Factor:
        """Return the cost as a table."""
        return Factor(self.scope, self.cost.dense(dtype))

    def row(self, variable: int, choices: Mapping[int, int], dtype: Any) -> Array:
        """Return the costs of a variable's values where the other is chosen; shape (size,)."""
        return self.from_(variable).column(choices[self.other(variable)], dtype)


@dataclass(frozen=True)
class Arithmetic:
    """Addition that saturates at the mark of what is forbidden.

    Parameters
    ----------
    dtype
        Of all tables.
    ceiling
        The mark, or None where everything is allowed and no sum can reach it.
    workers
        Threads for long tables.
    """

    dtype: Any
    ceiling: int | None
    workers: int = 1

    @staticmethod
    def of(graph: CostGraph, workers: int) -> Arithmetic:
        """Return a graph's arithmetic."""
        restricted = bool(graph.barred) or any(variable.mask is not None for variable in graph.variables)
        return Arithmetic(graph.dtype, graph.forbidden if restricted else None, workers)

    def clip(self, values: Array) -> Array:
        """Bring sums with something forbidden back to the mark."""
        return values if self.ceiling is None else np.minimum(values, self.ceiling)

    def add(self, left: Array, right: Array) -> Array:
        """Return the saturated sum."""
        return self.clip(left + right)


def local(graph: CostGraph, variable: int, maths: Arithmetic) -> Factor:
    """Return a variable's own costs, what is not allowed marked."""
    values = graph.unary_costs[variable].dense(maths.dtype)
    mask = graph.variables[variable].mask
    return Factor(
        (variable,), values if mask is None else np.where(mask, values, np.asarray(maths.ceiling, dtype=maths.dtype))
    )


def eliminate(
    variable: int, pairs: Sequence[Pair], tables: Sequence[Factor], sizes: Sequence[int], maths: Arithmetic
) -> Factor:
    """Return min over one variable of the sum of all factors that it occurs in.

    Where a pairwise cost is the only factor on the variable and some other one, the minimum is that
    cost's factored min-plus product of the sum of the rest; otherwise it runs over the values.

    Parameters
    ----------
    variable
        Occurs in every factor.
    pairs, tables
        The factors.
    sizes
        Of all variables.
    """
    scopes = [*(pair.scope for pair in pairs), *(table.scope for table in tables)]
    scope = tuple(sorted({x for one in scopes for x in one} - {variable}))
    pair = _alone(variable, pairs, tables)
    if pair is None:
        return Factor(scope, _sweep(variable, scope, [*(p.table(maths.dtype) for p in pairs), *tables], sizes, maths))
    other = pair.other(variable)
    rest = tuple(x for x in scope if x != other)
    factors = [*tables, *(p.table(maths.dtype) for p in pairs if p is not pair)]
    total = total_along((*rest, variable), factors, sizes, maths)
    values = maths.clip(pair.from_(variable).minplus(total, maths.workers))
    return Factor(scope, np.moveaxis(values, -1, scope.index(other)))


def total_along(axes: tuple[int, ...], tables: Sequence[Factor], sizes: Sequence[int], maths: Arithmetic) -> Array:
    """Return the saturated sum of tables over the given axes, all of them present."""
    shape = tuple(sizes[axis] for axis in axes)
    total = reduce(maths.add, (table.along(axes) for table in sorted(tables, key=lambda t: t.values.size)))
    return total if total.shape == shape else np.broadcast_to(total, shape)


def project(
    keep: tuple[int, ...],
    variables: Sequence[int],
    pairs: Sequence[Pair],
    tables: Sequence[Factor],
    sizes: Sequence[int],
    maths: Arithmetic,
) -> Array:
    """Return the least sum of all factors by the values of some variables, an axis each.

    Parameters
    ----------
    keep
        Which.
    variables
        All of the factors, in the order in which the others are minimised over.
    pairs, tables
        The factors.
    sizes
        Of all variables.
    """
    for x in (one for one in variables if one not in keep):
        with_x = [p for p in pairs if x in p.scope], [t for t in tables if x in t.scope]
        pairs = [p for p in pairs if x not in p.scope]
        tables = [*(t for t in tables if x not in t.scope), eliminate(x, *with_x, sizes, maths)]
    return total_along(keep, [*tables, *(pair.table(maths.dtype) for pair in pairs)], sizes, maths)


def _alone(variable: int, pairs: Sequence[Pair], tables: Sequence[Factor]) -> Pair | None:
    """Return the pair that is the only factor on the variable and its other end, the last if several."""
    taken = {x for table in tables for x in table.scope}
    ends = [pair.other(variable) for pair in pairs]
    found = [pair for pair, end in zip(pairs, ends, strict=True) if end not in taken and ends.count(end) == 1]
    return found[-1] if found else None


def _sweep(
    variable: int, scope: tuple[int, ...], tables: Sequence[Factor], sizes: Sequence[int], maths: Arithmetic
) -> Array:
    """Minimise some values at a time, so that no array is much larger than the result."""
    shape = tuple(sizes[x] for x in scope)
    parts = [table.along((variable, *scope)) for table in tables]
    step = max(1, CELLS // prod(shape))
    best: Array | None = None
    for start in range(0, sizes[variable], step):
        least = reduce(maths.add, (part[start : start + step] for part in parts)).min(axis=0)
        total = np.asarray(least, dtype=maths.dtype)  # without axes, too: NumPy takes a Python integer for 64 bits
        best = total if best is None else np.minimum(best, total)
    return np.broadcast_to(np.asarray(best, dtype=maths.dtype), shape)
