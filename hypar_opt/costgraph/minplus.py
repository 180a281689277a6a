"""The min-plus product with a cost over words, factored level by level.

Every term of level h depends on the letters s_h and q_h and, at most, on the letters above h of one
of the two words. So the product that replaces the word s by the word q can replace one letter at a
time, and no intermediate table is larger than the words themselves:

* downwards (h = 1 .. H): before level h the table is indexed by q_1 .. q_(h-1), s_h .. s_H, so that
  terms may look at q's letters above;
* upwards (h = H .. 1): before level h it is indexed by s_1 .. s_h, q_(h+1) .. q_H, so that terms may
  look at s's letters above;
* where both kinds of terms occur (op under the accounting `receiver`), downwards with one more index:
  the product of the factors of the eliminated letters of s, for the terms that look at s.

O(H k^H) time, times the number of different products in the last case: H where all factors are 1 or 2.
Long tables are worked on in blocks that stay in the processor's cache (`blocks`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hypar_opt.costgraph.factors import all_ones, products, times
from hypar_opt.costgraph.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hypar_opt.costgraph.edge import EdgeTerm
    from hypar_opt.costgraph.factors import Factors
    from hypar_opt.costgraph.unary import Array


LONG = 2**16
"""Tables shorter than this are swept whole."""
BLOCK = 2**16
"""Numbers in a block: half a mebibyte. Measured on VGG-E at H = 20: 2^16 to 2^18 alike, 2^14 twice as slow."""
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

    def run(self, table: Array, levels: range, lead: dict[Factors, Array] | None = None) -> Array:
        """Replace the letters of some successive levels.

        Parameters
        ----------
        table
            Shape (k^levels, columns): the letters of these levels, whatever else there is.
        levels
            From 0.
        lead
            By `EdgeTerm.factors`: what the letters above these levels make of each column's terms.

        Returns
        -------
        Shape (k'^levels, columns).
        """
        k, k2 = self.k, self.k2
        columns = table.shape[1]
        work = Workspace.of(table.dtype, columns * max(k, k2) ** len(levels))
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
class Workspace:
    """Arrays to work in, used in turn, so that a sweep allocates nothing on its way."""

    results: list[Array]
    spare: Array

    @staticmethod
    def of(dtype: np.dtype[np.generic], size: int) -> Workspace:
        """Return arrays for tables of up to `size` numbers."""
        return Workspace([np.empty(size, dtype), np.empty(size, dtype)], np.empty(size, dtype))

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
    lead: dict[Factors, Array] | None = None,
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
            within = term.factors[h - above : h]
            factor = factor if all_ones(within) else factor * products(within, dtype)[:, None, None]
            factor = factor if lead is None else factor * lead[term.factors]
        for row, shares in zip(total, term.share, strict=True):
            row[:] = [cost + share * factor if share else cost for cost, share in zip(row, shares, strict=True)]
    return total


def replace_letter(table: Array, costs: Costs, k2: int, work: Workspace) -> Array:
    """Return `min over a of table[:, a] + cost[a][b]`; (P, k, S, columns) to (P, k', S, columns)."""
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


def in_blocks(sweep: Sweep, message: Array, workers: int) -> Array:
    """Return the min-plus product of one message of shape (k^H,)."""
    k, k2, top = sweep.k, sweep.k2, sweep.levels // 2
    bottom = sweep.levels - top
    upper, lower = range(top), range(top, sweep.levels)

    def rows(block: slice, source: Array, target: Array) -> None:
        # what the letters above a row make of its terms, for the terms that look at them
        looks = [one for one in sweep.terms if not one.free and any(one.weights[top:])]
        lead = {one.factors: products(one.factors[:top], source.dtype)[block] for one in looks}
        target[block] = sweep.run(np.ascontiguousarray(source[block].T), lower, lead or None).T

    def columns(block: slice, source: Array, target: Array) -> None:
        target[:, block] = sweep.run(np.ascontiguousarray(source[:, block]), upper)

    table = message.reshape(k**top, k**bottom)
    middle = np.empty((k**top, k2**bottom) if sweep.upwards else (k2**top, k**bottom), dtype=message.dtype)
    result = np.empty((k2**top, k2**bottom), dtype=message.dtype)
    first, second = ((rows, 0), (columns, 1)) if sweep.upwards else ((columns, 1), (rows, 0))
    _each(*first, table, middle, workers)
    _each(*second, middle, result, workers)
    return result.reshape(1, -1)


def _each(work: Callable[[slice, Array, Array], None], axis: int, source: Array, target: Array, workers: int) -> None:
    """Call the work for successive slices along an axis, each with about BLOCK numbers, on several threads."""
    width = max(1, BLOCK // source.shape[1 - axis])
    blocks = [slice(start, start + width) for start in range(0, source.shape[axis], width)]
    if workers == 1:
        for block in blocks:
            work(block, source, target)
        return
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda block: work(block, source, target), blocks))


def minplus(terms: Sequence[EdgeTerm], first: Words, second: Words, message: Array, workers: int = 1) -> Array:
    """Return the minimum over the first word of message + cost.

    Parameters
    ----------
    terms
        The cost is their sum.
    first, second
        The words s that are replaced, and the words q that replace them.
    message
        Shape (..., k^H).
    workers
        Threads for long tables.

    Returns
    -------
    Shape (..., k'^H), of the message's dtype.
    """
    batch = message.reshape(-1, first.size)
    looks_first = [term for term in terms if not term.free and term.side == 0]
    looks_second = [term for term in terms if not term.free and term.side == 1]
    sweep = Sweep(tuple(terms), len(first.alphabet), len(second.alphabet), first.length, bool(looks_first))
    if looks_first and looks_second:
        result = _counted(sweep, batch.T, looks_first).T
    elif len(batch) == 1 and min(first.size, second.size) >= LONG and batch.dtype != object:
        result = in_blocks(sweep, batch[0], workers)
    else:
        result = sweep.run(batch.T, range(sweep.levels)).T
    return result.reshape(*message.shape[:-1], second.size)


def _counted(sweep: Sweep, table: Array, looks_first: Sequence[EdgeTerm]) -> Array:
    """Downwards, with a table for every product of the eliminated letters' factors.

    Terms with different factors are counted apart, so that a key has a product for each kind.
    """
    kinds = sorted({term.factors for term in looks_first})
    rest = [term for term in sweep.terms if term not in looks_first]
    k, k2, columns = sweep.k, sweep.k2, table.shape[1]
    tables: dict[tuple[int, ...], Array] = {(1,) * len(kinds): table}
    for h in range(sweep.levels):
        steps = [tuple(kind[h][a] for kind in kinds) for a in range(k)]
        base = letter_costs(rest, h, h, table.dtype, shape=(k, k2))
        found: dict[tuple[int, ...], Array] = {}
        for above, one in tables.items():
            costs = _below(base, looks_first, h, dict(zip(kinds, above, strict=True)))
            slots = one.reshape(k2**h, k, -1, columns)
            for step in sorted(set(steps)):
                letters = [a for a in range(k) if steps[a] == step]
                own = slots[:, letters]
                space = Workspace.of(own.dtype, own.size * max(1, k2))  # as the results are kept
                part = replace_letter(own, [costs[a] for a in letters], k2, space)
                key = times(above, step)
                found[key] = np.minimum(found[key], part) if key in found else part
        tables = found
    return reduce(np.minimum, tables.values()).reshape(-1, columns)


def _below(base: Costs, terms: Iterable[EdgeTerm], h: int, above: Mapping[Factors, int]) -> Costs:
    """Add the terms whose letters above h are gone; by factors, the product that these had."""
    total = [list(row) for row in base]
    for term in terms:
        for row, shares in zip(total, term.share, strict=True):
            number = term.weights[h] * above[term.factors]
            row[:] = [cost + share * number for cost, share in zip(row, shares, strict=True)]
    return total
