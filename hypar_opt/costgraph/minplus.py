"""The min-plus product with a cost over words, factored level by level.

Every term of level h depends on the letters s_h and q_h and, at most, on the letters above h of one
of the two words. So the product that replaces the word s by the word q can replace one letter at a
time, and no intermediate table is larger than the words themselves:

* downwards (h = 1 .. H): before level h the table is indexed by q_1 .. q_(h-1), s_h .. s_H, so that
  terms may look at q's letters above;
* upwards (h = H .. 1): before level h it is indexed by s_1 .. s_h, q_(h+1) .. q_H, so that terms may
  look at s's letters above;
* where both kinds of terms occur (op under the accounting `receiver`), downwards with one more index:
  how many of the eliminated letters of s make the terms that look at s grow.

O(H k^H) time, times H in the last case. Long tables are worked on in blocks that stay in the
processor's cache (`blocks`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph.executor import Costs, Sweep, Work, letter_costs, replace_letter
from hypar_opt.costgraph.word_sums import growth

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hypar_opt.costgraph.edge import EdgeTerm
    from hypar_opt.costgraph.executor import Sweep
    from hypar_opt.costgraph.unary import Array
    from hypar_opt.costgraph.words import Words


LONG = 2**16
"""Tables shorter than this are swept whole."""
BLOCK = 2**16
"""Numbers in a block: half a mebibyte. Measured on VGG-E at H = 20: 2^16 to 2^18 alike, 2^14 twice as slow."""


def in_blocks(sweep: Sweep, message: Array, workers: int) -> Array:
    """Return the min-plus product of one message of shape (k^H,)."""
    k, k2, top = sweep.k, sweep.k2, sweep.levels // 2
    bottom = sweep.levels - top
    upper, lower = range(top), range(top, sweep.levels)

    def rows(block: slice, source: Array, target: Array) -> None:
        lead = _lead(sweep, top, block, source.dtype)
        target[block] = sweep.run(np.ascontiguousarray(source[block].T), lower, lead).T

    def columns(block: slice, source: Array, target: Array) -> None:
        target[:, block] = sweep.run(np.ascontiguousarray(source[:, block]), upper)

    table = message.reshape(k**top, k**bottom)
    if sweep.upwards:
        middle = np.empty((k**top, k2**bottom), dtype=message.dtype)
        result = np.empty((k2**top, k2**bottom), dtype=message.dtype)
        _each(rows, table, middle, len(table), table.shape[1], workers)
        _each(columns, middle, result, middle.shape[1], len(middle), workers)
    else:
        middle = np.empty((k2**top, k**bottom), dtype=message.dtype)
        result = np.empty((k2**top, k2**bottom), dtype=message.dtype)
        _each(columns, table, middle, table.shape[1], len(table), workers)
        _each(rows, middle, result, len(middle), middle.shape[1], workers)
    return result.reshape(1, -1)


def _lead(sweep: Sweep, top: int, block: slice, dtype: np.dtype[np.generic]) -> dict[tuple[bool, ...], Array] | None:
    """Return what the letters above a row make of its terms, for the terms that look at them."""
    found = {term.growing: growth(term.growing, top, dtype)[block] for term in sweep.terms if not term.free}
    return found or None


def _each(
    work: Callable[[slice, Array, Array], None],
    source: Array,
    target: Array,
    length: int,
    depth: int,
    workers: int,
) -> None:
    """Call the work for successive slices of `length`, each with about BLOCK numbers, on several threads."""
    width = max(1, BLOCK // depth)
    blocks = [slice(start, start + width) for start in range(0, length, width)]
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
    """Downwards, with a table for every count of the eliminated letters that make terms grow.

    Terms that grow with different letters are counted apart, so that a key has a count for each kind.
    """
    kinds = sorted({term.growing for term in looks_first})
    rest = [term for term in sweep.terms if term not in looks_first]
    k, k2, columns = sweep.k, sweep.k2, table.shape[1]
    steps = [tuple(int(kind[a]) for kind in kinds) for a in range(k)]
    tables: dict[tuple[int, ...], Array] = {(0,) * len(kinds): table}
    for h in range(sweep.levels):
        base = letter_costs(rest, h, h, table.dtype, shape=(k, k2))
        found: dict[tuple[int, ...], Array] = {}
        for counts, one in tables.items():
            costs = _at_counts(base, looks_first, h, dict(zip(kinds, counts, strict=True)))
            slots = one.reshape(k2**h, k, -1, columns)
            for step in sorted(set(steps)):
                letters = [a for a in range(k) if steps[a] == step]
                part = _replaced(slots[:, letters], [costs[a] for a in letters], k2)
                key = tuple(map(sum, zip(counts, step, strict=True)))
                found[key] = np.minimum(found[key], part) if key in found else part
        tables = found
    best, *others = tables.values()
    for other in others:
        best = np.minimum(best, other)
    return best.reshape(-1, columns)


def _at_counts(base: Costs, terms: Iterable[EdgeTerm], h: int, counts: Mapping[tuple[bool, ...], int]) -> Costs:
    """Add the terms whose growing letters above h were counted."""
    total = [list(row) for row in base]
    for term in terms:
        for row, shares in zip(total, term.share, strict=True):
            row[:] = [
                cost + (term.weights[h] * share << counts[term.growing])
                for cost, share in zip(row, shares, strict=True)
            ]
    return total


def _replaced(table: Array, costs: Costs, k2: int) -> Array:
    """Return `replace_letter` in an array of its own."""
    return replace_letter(table, costs, k2, Work.of(table.dtype, table.size * max(1, k2)))
