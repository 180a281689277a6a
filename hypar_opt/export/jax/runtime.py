"""What exported programs are made of besides their operators: the text of what they need is copied into them.

A cut is an axis, a dimension and how many blocks of the dimension lie before the axis's digit: dimension 1 of [8, 12] in
two blocks with three parts each, cut by ("gpu", 1, 2), leaves [3, 8, 4].
"""

# The functions stand alone in exported files, whose readers know JAX's arrays: annotations would need imports there.
# ruff: noqa: ANN001, ANN002, ANN202, ANN201, D103, D400, D205
# mypy: ignore-errors

import itertools

import jax
import jax.numpy as jnp
from jax import lax

AXES = {}  # an exported file has its own


def axes_of(cuts):
    return tuple(axis for axis, _, _ in cuts)


def apart(x, cuts):
    """Digits become dimensions of their own in front, in the order of the cuts."""
    for number, (axis, dimension, before) in enumerate(cuts):
        at = dimension + number
        x = x.reshape(*x.shape[:at], before, AXES[axis], -1, *x.shape[at + 1 :])
        x = jnp.moveaxis(x, at + 1, number)
        x = x.reshape(*x.shape[: at + 1], -1, *x.shape[at + 3 :])
    return x


def together(x, cuts):
    """The inverse of `apart`."""
    for number, (axis, dimension, before) in reversed(list(enumerate(cuts))):
        at = dimension + number + 1
        x = x.reshape(*x.shape[:at], before, -1, *x.shape[at + 1 :])
        x = jnp.moveaxis(x, number, at)
        x = x.reshape(*x.shape[: at - 1], -1, *x.shape[at + 2 :])
    return x


def grouped(x, cuts):
    """Digits become one dimension in front."""
    x = apart(x, cuts)
    return x.reshape(-1, *x.shape[len(cuts) :])


def ungrouped(x, cuts):
    """The inverse of `grouped`."""
    return together(x.reshape(*(AXES[axis] for axis in axes_of(cuts)), *x.shape[1:]), cuts)


def cut_off(x, *cuts):
    """Every device keeps its own part."""
    return lax.dynamic_index_in_dim(grouped(x, cuts), lax.axis_index(axes_of(cuts)), keepdims=False)


def reduce_scatter(x, *cuts):
    """Partial sums are added up, every device getting one part."""
    return lax.psum_scatter(grouped(x, cuts), axes_of(cuts))


def all_gather(x, *cuts):
    """Parts become whole."""
    return ungrouped(lax.all_gather(x, axes_of(cuts)), cuts)


def all_to_all(x, cuts, into):
    """Parts along some dimensions become parts along others."""
    return ungrouped(lax.all_to_all(grouped(x, cuts), axes_of(cuts), 0, 0, tiled=True), into)


def all_reduce(x, *axes):
    """Partial sums are added up, and all get them."""
    return lax.psum(x, axes)


def embed(x, *cuts):
    """Parts become summands of the whole: zeros stand where other devices have something."""
    group = 1
    for axis in axes_of(cuts):
        group *= AXES[axis]
    whole = jnp.zeros((group, *x.shape), x.dtype)
    return ungrouped(lax.dynamic_update_index_in_dim(whole, x, lax.axis_index(axes_of(cuts)), 0), cuts)


def keep(x, *axes):
    """Of what all have, the first device's alone becomes a summand."""
    return jnp.where(lax.axis_index(axes) == 0, x, jnp.zeros_like(x))


def again(x):
    """Keep the compiler from taking what was made of it before."""
    return lax.optimization_barrier(x)


def gradients(function, error, *operands, of):
    """Return the gradients of some operands of a function of what lies on one device."""

    def varied(*some):
        every = list(operands)
        for place, one in zip(of, some, strict=True):
            every[place] = one
        return function(*every)

    return jax.vjp(varied, *(operands[place] for place in of))[1](error)


def arranged(x, cuts):
    """Parts of the digits are brought together, as arrays are that a PartitionSpec describes; `x` is whole."""
    return together(apart(x, cuts), [(axis, dimension, 1) for axis, dimension, _ in cuts])


def restored(x, cuts):
    """The inverse of `arranged`."""
    return together(apart(x, [(axis, dimension, 1) for axis, dimension, _ in cuts]), cuts)


def pieces(own, starts, length):
    """Which rows parts give to each other: by distance, first row and count, pairs of giver and taker."""
    found = {(0, 0, own): [(part, part) for part in range(len(starts))]}
    for taker, start in enumerate(starts):
        for giver in range(len(starts)):
            first = max(start, giver * own) - giver * own
            count = min(start + length, (giver + 1) * own) - giver * own - first
            if giver != taker and count > 0:
                found.setdefault((giver - taker, first, count), []).append((giver, taker))
    return found


def margins(own, starts, length):
    """How many rows devices have before and behind their own at most."""
    before = max(0, *(part * own - start for part, start in enumerate(starts)))
    behind = max(0, *(start + length - (part + 1) * own for part, start in enumerate(starts)))
    return before, behind


def exchanges(shape, windows):
    """What is permuted, corners by themselves: where it is in the giver's and in the taker's array, and who they are."""
    for pieces_of in itertools.product(
        *(pieces(shape[dim], starts, length).items() for dim, _, starts, length in windows)
    ):
        if all(distance == 0 for (distance, _, _), _ in pieces_of):
            continue
        given, taken, pairs = [slice(None)] * len(shape), [slice(None)] * len(shape), [(0, 0)]
        for (dim, _, starts, length), ((distance, first, count), own_pairs) in zip(windows, pieces_of, strict=True):
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
    _, axes, starts, length = window
    before, _ = margins(own, starts, length)
    return jnp.array([start - part * own + before for part, start in enumerate(starts)])[part_of(axes)]


def widened(x, fill, *windows):
    """Rows from `starts[k]` on for the k-th device of axes; what it has not come from neighbours, others are `fill`.

    A window is a dimension, the axes that split it, starts, and how many rows are needed.
    """
    axes = tuple(axis for _, those, _, _ in windows for axis in those)
    sides, own = [(0, 0)] * x.ndim, x.shape
    for dim, _, starts, length in windows:
        sides[dim] = margins(own[dim], starts, length)
    wide = jnp.pad(x, sides)
    for given, taken, pairs in exchanges(own, windows):
        wide = wide.at[taken].add(lax.ppermute(x[given], axes, pairs))
    for window in windows:
        dim, those, starts, length = window
        wide = lax.dynamic_slice_in_dim(wide, first_row(own[dim], window), length, dim)
        if fill:
            rows = jnp.array(starts)[part_of(those)] + jnp.arange(length)
            inside = (rows >= 0) & (rows < own[dim] * len(starts))
            wide = jnp.where(inside.reshape(-1, *[1] * (x.ndim - 1 - dim)), wide, fill)
    return wide


def narrowed(x, own, *windows):
    """The transpose of `widened`: what belongs to neighbours goes back and is added up."""
    axes = tuple(axis for _, those, _, _ in windows for axis in those)
    shape, kept, at = list(x.shape), [slice(None)] * x.ndim, [0] * x.ndim
    for window in windows:
        dim, _, starts, length = window
        before, behind = margins(own[dim], starts, length)
        shape[dim], kept[dim] = before + own[dim] + behind, slice(before, before + own[dim])
        at[dim] = first_row(own[dim], window)
    wide = lax.dynamic_update_slice(jnp.zeros(shape, x.dtype), x, at)
    found = wide[tuple(kept)]
    for given, taken, pairs in exchanges(own, windows):
        found = found.at[given].add(lax.ppermute(wide[taken], axes, [(taker, giver) for giver, taker in pairs]))
    return found


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


def positions(size, *cuts):
    """Which places of a dimension a device has."""
    return cut_off(jnp.arange(size), *cuts) if cuts else jnp.arange(size)


def rows_of(table, indices, size, *cuts):
    """Rows of a part of a table for indices of the whole; zeros where another device has the row."""
    places = positions(size, *cuts)
    inverse = jnp.full(size, -1).at[places].set(jnp.arange(len(places)))[indices]
    return jnp.where((inverse >= 0)[..., None], table[inverse], 0)


def attention(q, k, v, width, groups, causal=False, places=None):
    """Softmax of scaled products, head by head, of queries whose places are given; `width` is a head's."""
    *lead, queries, features = q.shape
    keys, heads = k.shape[-2], k.shape[-1] // width
    q = q.reshape(*lead, queries, heads, groups, width)
    k, v = (x.reshape(*lead, keys, heads, -1) for x in (k, v))
    scores = jnp.einsum("...qhgw,...khw->...hgqk", q, k) / width**0.5
    if causal:
        hidden = jnp.arange(keys) > places[:, None] + causal - 1
        scores = jnp.where(hidden, -jnp.inf, scores)
    mixed = jnp.einsum("...hgqk,...khw->...qhgw", jax.nn.softmax(scores), v)
    return mixed.reshape(*lead, queries, -1)


def normalised(x, dims, axes, centred, epsilon=1e-5):
    """Shifted and scaled so that the mean over dimensions, here and along axes, is 0 and that of squares 1."""
    count = 1
    for dimension in dims:
        count *= x.shape[dimension]
    for axis in axes:
        count *= AXES[axis]
    sums = [x.sum(dims, keepdims=True), (x * x).sum(dims, keepdims=True)] if centred else [(x * x).sum(dims, keepdims=True)]
    sums = jnp.stack(sums) / count
    sums = all_reduce(sums, *axes) if axes else sums
    mean = sums[0] if centred else 0.0
    scale = lax.rsqrt(sums[-1] - mean**2 + epsilon)
    return (x - mean) * scale, scale


def unnormalised(error, made, scale, dims, axes, centred):
    """The gradient of what `normalised` reads, by that of what it made."""
    count = 1
    for dimension in dims:
        count *= made.shape[dimension]
    for axis in axes:
        count *= AXES[axis]
    sums = [(error * made).sum(dims, keepdims=True)]
    sums += [error.sum(dims, keepdims=True)] if centred else []
    sums = jnp.stack(sums) / count
    sums = all_reduce(sums, *axes) if axes else sums
    return scale * (error - made * sums[0] - (sums[1] if centred else 0.0))


def softmax(x, dimension, axes):
    """Over a dimension, here and along axes."""
    most = x.max(dimension, keepdims=True)
    most = lax.pmax(most, axes) if axes else most
    x = jnp.exp(x - most)
    total = x.sum(dimension, keepdims=True)
    return x / (all_reduce(total, *axes) if axes else total)


def unsoftmax(error, made, dimension, axes):
    """The gradient of what `softmax` reads, by that of what it made."""
    total = (error * made).sum(dimension, keepdims=True)
    return made * (error - (all_reduce(total, *axes) if axes else total))


def cross_entropy(x, classes, dimension, axes, places):
    """Each position's loss, a summand of each device along axes, and what the classes' shares are off."""
    most = x.max(dimension, keepdims=True)
    most = lax.pmax(lax.stop_gradient(most), axes) if axes else most
    shares = jnp.exp(x - most)
    total = shares.sum(dimension, keepdims=True)
    total = all_reduce(total, *axes) if axes else total
    right = jnp.expand_dims(classes, dimension) == places.reshape(-1, *[1] * (x.ndim - 1 - dimension % x.ndim))
    picked = jnp.where(right, x, 0).sum(dimension)
    level = (most + jnp.log(total)).squeeze(dimension)
    return (keep(level, *axes) if axes else level) - picked, shares / total - right
