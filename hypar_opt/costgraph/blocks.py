"""The factored min-plus product of one long table, in blocks that stay in the processor's cache.

A table of k^H numbers is laid out as (k^top, k^bottom): the letters of the upper levels by row, those of
the lower by column. Blocks of columns are swept over the upper levels, blocks of rows (transposed, so that
NumPy's inner loops stay long) over the lower ones. Which goes first is the sweep's direction.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph.word_sums import growth

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph.sweep import Sweep
    from hypar_opt.costgraph.unary import Array

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
