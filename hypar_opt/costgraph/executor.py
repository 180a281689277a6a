"""The replacement of one word's letters by another's, one level after the other."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hypar_opt.costgraph.word_sums import growth

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.costgraph.edge import EdgeTerm
    from hypar_opt.costgraph.unary import Array

Costs: TypeAlias = "list[list[int | Array]]"
"""By first letter and second letter: a number, or an array that broadcasts over (prefix, suffix, column)."""


@dataclass(frozen=True)
class Sweep:
    """The replacement of one letter after the other.

    Parameters
    ----------
    terms
        Those that look at letters above all look at the same word.
    k, k2
        Numbers of letters of the word that is replaced, and of the other.
    levels
        H.
    upwards
        Whether the letters above are those of the word that is replaced.
    """

    terms: tuple[EdgeTerm, ...]
    k: int
    k2: int
    levels: int
    upwards: bool

    def run(self, table: Array, levels: range, lead: dict[tuple[bool, ...], Array] | None = None) -> Array:
        """Replace the letters of some successive levels.

        Parameters
        ----------
        table
            Shape (k^levels, columns): the letters of these levels, whatever else there is.
        levels
            From 0.
        lead
            By `EdgeTerm.growing`: what the letters above these levels make of each column's terms.

        Returns
        -------
        Shape (k'^levels, columns).
        """
        k, k2 = self.k, self.k2
        columns = table.shape[1]
        work = Work.of(table.dtype, columns * max(k, k2) ** len(levels))
        # where no level differs from another, the first one's costs are all levels'
        alike = all(term.free and len(set(term.weights)) == 1 for term in self.terms)
        costs: Costs | None = None
        for h in reversed(levels) if self.upwards else levels:
            prefixes = (k if self.upwards else k2) ** (h - levels.start)
            if costs is None or not alike:
                costs = letter_costs(self.terms, h, h - levels.start, table.dtype, lead, shape=(k, k2))
            table = replace_letter(table.reshape(prefixes, k, -1, columns), costs, k2, work)
        return table.reshape(-1, columns)


@dataclass(frozen=True, eq=False)
class Work:
    """Arrays to work in, used in turn, so that a sweep allocates nothing on its way."""

    results: list[Array]
    spare: Array

    @staticmethod
    def of(dtype: np.dtype[np.generic], size: int) -> Work:
        """Return arrays for tables of up to `size` numbers."""
        return Work([np.empty(size, dtype), np.empty(size, dtype)], np.empty(size, dtype))

    def result(self, shape: tuple[int, ...]) -> Array:
        """Return the array that does not hold the last result."""
        self.results.reverse()
        return self.results[0][: prod(shape)].reshape(shape)

    def scratch(self, like: Array) -> Array:
        """Return an array for a sum on the way."""
        return self.spare[: like.size].reshape(like.shape)


def letter_costs(
    terms: Iterable[EdgeTerm],
    h: int,
    above: int,
    dtype: np.dtype[np.generic],
    lead: dict[tuple[bool, ...], Array] | None = None,
    *,
    shape: tuple[int, int],
) -> Costs:
    """Return each letter pair's cost at level h, of which `above` levels' letters are in the table's rows."""
    total: Costs = [[0] * shape[1] for _ in range(shape[0])]
    for term in terms:
        factor: int | Array = term.weights[h]
        if not factor:
            continue  # shares that count for nothing need not fit what holds the costs
        if not term.free:
            factor = factor * growth(term.growing, above, dtype)[:, None, None]
            factor = factor if lead is None else factor * lead[term.growing]
        for row, shares in zip(total, term.share, strict=True):
            row[:] = [cost + share * factor if share else cost for cost, share in zip(row, shares, strict=True)]
    return total


def replace_letter(table: Array, costs: Costs, k2: int, work: Work) -> Array:
    """Return min over a of table[:, a] + cost[a][b]; (P, k, S, columns) to (P, k', S, columns)."""
    prefixes, k, suffixes, columns = table.shape
    result = work.result((prefixes, k2, suffixes, columns))
    for b in range(k2):
        best, column = result[:, b], [costs[a][b] for a in range(k)]
        common = column[0] if all(isinstance(x, int) and x == column[0] for x in column) else None
        added = [0] * k if common is not None else column
        least = _sum(table[:, 0], added[0], best)
        for a in range(1, k):
            least = np.minimum(least, _sum(table[:, a], added[a], work.scratch(best)), out=best)
        if least is not best:
            best[...] = least
        if common is not None and not _is_zero(common):
            np.add(best, common, out=best)
    return result


def _sum(values: Array, cost: int | Array, out: Array) -> Array:
    """Return the sum, in `out` where there is anything to add."""
    return values if _is_zero(cost) else np.add(values, cost, out=out)


def _is_zero(cost: int | Array) -> bool:
    return isinstance(cost, int) and cost == 0
