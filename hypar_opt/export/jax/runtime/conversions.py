"""Conversions of what one device has of a tensor into what it needs of it.

What exported programs need of it is copied into them, so that they stand alone.

A cut is an axis, a dimension and how many blocks of the dimension lie before the axis's digit: dimension 1 of [8, 12],
in two blocks of three parts each, cut by ("gpu", 1, 2), leaves [3, 8, 4]. What is filled up says how much there is
behind; what is dealt out, more (dealing.py).
"""

# Who reads a program knows JAX's arrays, and annotations would need imports there.
# ruff: noqa: ANN001, ANN002, ANN201, ANN202, D401
# mypy: ignore-errors

import jax
import jax.numpy as jnp
from jax import lax

AXES = {}  # a program has its own


def axes_of(cuts):
    """The axes of cuts."""
    return tuple(axis for axis, *_ in cuts)


def apart(x, cuts, fill=0):
    """Digits become dimensions of their own in front, in the order of the cuts; what is no part is filled up to one."""
    for number, (axis, dimension, before, *size) in enumerate(cuts):
        at = dimension + number
        if size:
            sides = [(0, -x.shape[at] % AXES[axis] if place == at else 0) for place in range(x.ndim)]
            x = jnp.pad(x, sides, constant_values=fill)
        x = x.reshape(*x.shape[:at], before, AXES[axis], -1, *x.shape[at + 1 :])
        x = jnp.moveaxis(x, at + 1, number)
        x = x.reshape(*x.shape[: at + 1], -1, *x.shape[at + 3 :])
    return x


def together(x, cuts):
    """The inverse of `apart`."""
    for number, (_, dimension, before, *size) in reversed(list(enumerate(cuts))):
        at = dimension + number + 1
        x = x.reshape(*x.shape[:at], before, -1, *x.shape[at + 1 :])
        x = jnp.moveaxis(x, number, at)
        x = x.reshape(*x.shape[: at - 1], -1, *x.shape[at + 2 :])
        if size:
            x = lax.slice_in_dim(x, 0, size[0], axis=at - 1)
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


def side_by_side(cuts):
    """The cuts of an array whose parts lie one behind the other; None where it does not lie otherwise."""
    is_so = all(before == 1 and not size for _, _, before, *size in cuts)
    return None if is_so else [(axis, dimension, 1) for axis, dimension, *_ in cuts]


def arranged(x, cuts):
    """Parts of the digits are brought together, as arrays are that a PartitionSpec describes; `x` is whole."""
    plain = side_by_side(cuts)
    return x if plain is None else together(apart(x, cuts), plain)


def restored(x, cuts):
    """The inverse of `arranged`."""
    plain = side_by_side(cuts)
    return x if plain is None else together(apart(x, plain), cuts)


def positions(size, *cuts):
    """Which places of a dimension a device has; what it is filled up with has the place behind the last."""
    if not cuts:
        return jnp.arange(size)
    parts = apart(jnp.arange(size), cuts, size)
    return lax.dynamic_index_in_dim(parts.reshape(-1, parts.shape[-1]), lax.axis_index(axes_of(cuts)), keepdims=False)


def filled(x, *dims, fill=0):
    """The same with `fill` in what dimensions are filled up with, each of which has its size and its cuts."""
    for dimension, size, *cuts in dims:
        inside = positions(size, *cuts) < size
        x = jnp.where(inside.reshape(-1, *[1] * (x.ndim - 1 - dimension)), x, fill)
    return x
