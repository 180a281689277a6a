"""Rows of neighbours, which windows need that slide over parts.

What exported programs need of it is copied into them, so that they stand alone.
"""

# Who reads a program knows JAX's arrays, and annotations would need imports there.
# ruff: noqa: ANN001, ANN002, ANN201, D401
# mypy: ignore-errors

import itertools

import jax.numpy as jnp
from jax import lax

from hypar_opt.export.jax.runtime.conversions import arranged, positions


def pieces(own, starts, length, runs=(), rows=None):
    """Which rows parts give to each other, and keep: by distance, first row and count, pairs of giver and taker.

    Where not all rows are read, `runs` are first rows, counted from a part's start, and how many from there on; where
    the last parts are filled up, there are so many `rows` in all.
    """
    found, rows = {}, rows or own * len(starts)
    for taker, start in enumerate(starts[: -(-rows // own)]):
        for giver, (skipped, size) in itertools.product(range(len(starts)), runs or [(0, length)]):
            first = max(start + skipped, giver * own) - giver * own
            count = min(start + skipped + size, (giver + 1) * own, rows) - giver * own - first
            if count > 0:
                found.setdefault((giver - taker, first, count), []).append((giver, taker))
    return found


def margins(own, starts, length):
    """How many rows devices have before and behind their own at most."""
    before = max(0, *(part * own - start for part, start in enumerate(starts)))
    behind = max(0, *(start + length - (part + 1) * own for part, start in enumerate(starts)))
    return before, behind


def exchanges(shape, windows):
    """What is permuted, corners by themselves: where it is in the giver's and the taker's array, and who they are."""
    for pieces_of in itertools.product(
        *(pieces(shape[dim], starts, length, *runs).items() for dim, _, starts, length, *runs in windows)
    ):
        if all(distance == 0 for (distance, _, _), _ in pieces_of):
            continue
        given, taken, pairs = [slice(None)] * len(shape), [slice(None)] * len(shape), [(0, 0)]
        for (dim, _, starts, length, *_), ((distance, first, count), own_pairs) in zip(windows, pieces_of, strict=True):
            own, (before, _) = shape[dim], margins(shape[dim], starts, length)
            given[dim] = slice(first, first + count)
            taken[dim] = slice(distance * own + first + before, distance * own + first + before + count)
            pairs = [(g * len(starts) + i, t * len(starts) + j) for g, t in pairs for i, j in own_pairs]
        yield tuple(given), tuple(taken), pairs


def part_of(axes):
    """Which part a device has of a dimension."""
    return lax.axis_index(axes)


def first_row(own, window):
    """Where on each device the rows begin that it needs, among those that it has with margins."""
    _, axes, starts, length, *_ = window
    before, _ = margins(own, starts, length)
    return jnp.array([start - part * own + before for part, start in enumerate(starts)])[part_of(axes)]


def widened(x, fill, *windows):
    """Rows from `starts[k]` on for the k-th device of axes; what it has not come from neighbours, others are `fill`.

    A window is a dimension, the axes that split it, starts, how many rows there are to the last one that is needed,
    and which of them are if not all.
    """
    axes = tuple(axis for _, those, *_ in windows for axis in those)
    sides, own = [(0, 0)] * x.ndim, x.shape
    for dim, _, starts, length, *_ in windows:
        sides[dim] = margins(own[dim], starts, length)
    wide = jnp.pad(x, sides)
    for given, taken, pairs in exchanges(own, windows):
        wide = wide.at[taken].add(lax.ppermute(x[given], axes, pairs))
    for window in windows:
        dim, those, starts, length, *more = window
        wide = lax.dynamic_slice_in_dim(wide, first_row(own[dim], window), length, dim)
        if fill:
            rows = jnp.array(starts)[part_of(those)] + jnp.arange(length)
            inside = (rows >= 0) & (rows < (more[1] if more[1:] else own[dim] * len(starts)))
            wide = jnp.where(inside.reshape(-1, *[1] * (x.ndim - 1 - dim)), wide, fill)
    return wide


def narrowed(x, own, *windows):
    """The transpose of `widened`: what belongs to neighbours goes back and is added up."""
    axes = tuple(axis for _, those, *_ in windows for axis in those)
    shape, kept, at = list(x.shape), [slice(None)] * x.ndim, [0] * x.ndim
    for window in windows:
        dim, _, starts, length, *_ = window
        before, behind = margins(own[dim], starts, length)
        shape[dim], kept[dim] = before + own[dim] + behind, slice(before, before + own[dim])
        at[dim] = first_row(own[dim], window)
    wide = lax.dynamic_update_slice(jnp.zeros(shape, x.dtype), x, at)
    found = wide[tuple(kept)]
    for given, taken, pairs in exchanges(own, windows):
        found = found.at[given].add(lax.ppermute(wide[taken], axes, [(taker, giver) for giver, taker in pairs]))
    return found


def upsampled(x, dimension, factor, parts=1, *cuts):
    """Weighted means of neighbouring rows, centres kept; at the ends the first and the last are their own neighbours.

    Of a dimension in parts a row before and one behind are there.
    """
    if parts == 1:
        x = jnp.pad(x, [(int(axis == dimension),) * 2 for axis in range(x.ndim)], mode="edge")
    else:
        part, rows = positions(parts, *cuts)[0], jnp.arange(x.shape[dimension])
        rows = jnp.clip(rows, jnp.where(part == 0, 1, 0), len(rows) - 1 - jnp.where(part == parts - 1, 1, 0))
        x = jnp.take(x, rows, axis=dimension)
    own, found = x.shape[dimension] - 2, []
    before, here, behind = (lax.slice_in_dim(x, first, first + own, axis=dimension) for first in range(3))
    for place in range(factor):
        off = (place + 0.5) / factor - 0.5
        found.append((1 - abs(off)) * here + abs(off) * (before if off < 0 else behind))
    shape = [size * factor if axis == dimension else size for axis, size in enumerate(here.shape)]
    return jnp.stack(found, dimension + 1).reshape(shape)


def overlapping(x, dimension, starts, length, fill):
    """Of a whole array, the rows that each part needs, one part behind the other: as inputs are loaded."""
    own = x.shape[dimension] // len(starts)
    before, behind = margins(own, starts, length)
    sides = [(0, 0)] * x.ndim
    sides[dimension] = (before, behind)
    wide = jnp.pad(x, sides, constant_values=fill)
    parts = [lax.slice_in_dim(wide, start + before, start + before + length, axis=dimension) for start in starts]
    return jnp.concatenate(parts, axis=dimension)


def laid(x, cuts, windows):
    """A whole array as the devices are given it."""
    x = arranged(x, cuts)
    for dimension, starts, length, fill in windows:
        x = overlapping(x, dimension, starts, length, fill)
    return x
