"""Operators that are more than an expression of what one device has.

What exported programs need of it is copied into them, so that they stand alone.
"""

# Who reads a program knows JAX's arrays, and annotations would need imports there.
# ruff: noqa: ANN001, ANN002, ANN201, D401
# mypy: ignore-errors

import jax
import jax.numpy as jnp
from jax import lax

from hypar_opt.export.jax.runtime.conversions import all_reduce, keep, positions


def rows_of(table, indices, size, *cuts):
    """Rows of a part of a table for indices of the whole; zeros where another device has the row."""
    places = positions(size, *cuts)
    inverse = jnp.full(size, -1).at[places].set(jnp.arange(len(places)))[indices]
    return jnp.where((inverse >= 0)[..., None], table[inverse], 0)


def attention(q, k, v, width, groups, causal=False, places=None):
    """Softmax of scaled products, head by head, of queries whose places are given; `width` is a head's."""
    *lead, queries, _ = q.shape
    keys, heads = k.shape[-2], k.shape[-1] // width
    q = q.reshape(*lead, queries, heads, groups, width)
    k, v = (x.reshape(*lead, keys, heads, -1) for x in (k, v))
    scores = jnp.einsum("...qhgw,...khw->...hgqk", q, k) / width**0.5
    if causal:
        hidden = jnp.arange(keys) > places[:, None] + causal - 1
        scores = jnp.where(hidden, -jnp.inf, scores)
    mixed = jnp.einsum("...hgqk,...khw->...qhgw", jax.nn.softmax(scores), v)
    return mixed.reshape(*lead, queries, -1)


def mean_and_scale(x, dims, count, axes, centred, epsilon=1e-5):
    """What shifts and scales to a mean of 0 and squares of 1 over dimensions, here and along axes: `count` numbers."""
    sums = (
        [x.sum(dims, keepdims=True), (x * x).sum(dims, keepdims=True)]
        if centred
        else [(x * x).sum(dims, keepdims=True)]
    )
    sums = jnp.stack(sums) / count
    sums = all_reduce(sums, *axes) if axes else sums
    mean = sums[0] if centred else 0.0
    return mean, lax.rsqrt(sums[-1] - mean**2 + epsilon)


def unnormalised(error, made, scale, dims, count, axes, centred):
    """The gradient of what is normalised, by that of what was made of it."""
    sums = [(error * made).sum(dims, keepdims=True)]
    sums += [error.sum(dims, keepdims=True)] if centred else []
    sums = jnp.stack(sums) / count
    sums = all_reduce(sums, *axes) if axes else sums
    return scale * (error - made * sums[0] - (sums[1] if centred else 0.0))


def of_the_largest(error, x, most, dims, axes):
    """The gradient of what the largest over dimensions, here and along axes, is found in; equal ones share it."""
    found = (x == jnp.expand_dims(most, dims)).astype(x.dtype)
    return found * jnp.expand_dims(error / all_reduce(found.sum(dims), *axes), dims)


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
