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

O(H k^H) time, times H in the last case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.costgraph.edge import EdgeTerm, WordEdge
    from hypar_opt.costgraph.unary import Array

Costs: TypeAlias = "list[list[Array]]"
"""By first letter and second letter: an array that broadcasts over (prefixes, suffixes)."""


def minplus(edge: WordEdge, message: Array) -> Array:
    """Return the minimum over the first word of message + cost.

    Parameters
    ----------
    edge
        The cost.
    message
        Shape (..., k^H).

    Returns
    -------
    Shape (..., k'^H), of the message's dtype.
    """
    batch = message.reshape(-1, edge.first.size)
    looks_first = [term for term in edge.terms if not term.free and term.side == 0]
    looks_second = [term for term in edge.terms if not term.free and term.side == 1]
    if looks_first and looks_second:
        result = _counted(edge, batch, looks_first)
    else:
        result = _plain(edge, batch, upwards=bool(looks_first))
    return result.reshape(*message.shape[:-1], edge.second.size)


def _plain(edge: WordEdge, batch: Array, *, upwards: bool) -> Array:
    """Replace one letter a level; the prefix is of the first word upwards, of the second downwards."""
    k, k2, levels = len(edge.first.alphabet), len(edge.second.alphabet), edge.first.length
    table = batch
    for h in reversed(range(levels)) if upwards else range(levels):
        prefixes = (k if upwards else k2) ** h
        costs = _costs(edge.terms, h, prefixes, batch.dtype)
        table = _replace(table.reshape(len(batch), prefixes, k, -1), costs, k2)
    return table.reshape(len(batch), -1)


def _counted(edge: WordEdge, batch: Array, looks_first: Sequence[EdgeTerm]) -> Array:
    """Downwards, with a table for every count of growing letters of the first word so far."""
    (growing,) = {term.growing for term in looks_first}
    rest = [term for term in edge.terms if term not in looks_first]
    k, k2 = len(edge.first.alphabet), len(edge.second.alphabet)
    tables: dict[int, Array] = {0: batch}
    for h in range(edge.first.length):
        base = _costs(rest, h, k2**h, batch.dtype)
        found: dict[int, Array] = {}
        for count, table in tables.items():
            own = [[_at_count(looks_first, h, a, b, count) for b in range(k2)] for a in range(k)]
            costs = [[base[a][b] + own[a][b] for b in range(k2)] for a in range(k)]
            slots = table.reshape(len(batch), k2**h, k, -1)
            for grows in sorted(set(growing)):
                letters = [a for a in range(k) if growing[a] == grows]
                part = _replace(slots[:, :, letters], [costs[a] for a in letters], k2)
                key = count + int(grows)
                found[key] = np.minimum(found[key], part) if key in found else part
        tables = found
    best, *others = tables.values()
    for other in others:
        best = np.minimum(best, other)
    return best.reshape(len(batch), -1)


def _at_count(terms: Iterable[EdgeTerm], h: int, a: int, b: int, count: int) -> int:
    return sum(term.weights[h] * term.share[a][b] << count for term in terms)


def _costs(terms: Iterable[EdgeTerm], h: int, prefixes: int, dtype: np.dtype[np.generic]) -> Costs:
    """Return each letter pair's cost at level h: shape (1, 1), or (prefixes, 1) where letters above count."""
    total = np.zeros((1, 1, 1, 1), dtype=dtype)
    for term in terms:
        share = (np.array(term.share, dtype=object) * term.weights[h]).astype(dtype)[:, :, None, None]
        total = total + (share if term.free else share * growth(term.growing, h, dtype)[:, None])
    return [list(row) for row in total]


def growth(growing: Sequence[bool], levels: int, dtype: np.dtype[np.generic]) -> Array:
    """Return 2^(growing letters) of every word of so many levels; shape (k^levels,)."""
    values = np.ones(1, dtype=dtype)
    for _ in range(levels):
        values = np.concatenate([values << 1 if grows else values for grows in growing])
    return values


def _replace(table: Array, costs: Costs, k2: int) -> Array:
    """Return min over a of table[..., a, ...] + cost[a][b]; (B, P, k, S) to (B, P, k', S)."""
    n_batch, prefixes, _, suffixes = table.shape
    result = np.empty((n_batch, prefixes, k2, suffixes), dtype=table.dtype)
    for b in range(k2):
        best = result[:, :, b]
        np.add(table[:, :, 0], costs[0][b], out=best)
        for a in range(1, len(costs)):
            np.minimum(best, table[:, :, a] + costs[a][b], out=best)
    return result
