"""Dimensions that are dealt out to two axes, which cut them into no equal parts.

What exported programs need of it is copied into them, so that they stand alone: these functions instead of those of the
same names where something is dealt out. A cut of it has the axis, the dimension, 1, how much there is without the
digit, how much in all, to which axes it is dealt, and which of them have dealt already.
"""

# Who reads a program knows JAX's arrays, and annotations would need imports there.
# ruff: noqa: ANN001, ANN201, D401
# mypy: ignore-errors

import jax.numpy as jnp
import numpy as np
from jax import lax

from hypar_opt.export.jax.runtime.conversions import AXES


def dealt(axis, size, axes, there):
    """What goes to each place of an axis, [there, part x place], and back, [there, place]; one behind is nothing."""
    first, second = (AXES[one] for one in axes)
    digits = np.arange(size) % first, (np.arange(size) + np.arange(size) // np.lcm(first, second)) % second
    digits = dict(zip(axes, digits, strict=True))
    here = [AXES[one] for one in there]
    left, own = (-(-size // np.prod(those, dtype=int)) for those in (here, [*here, AXES[axis]]))
    parts = np.full((*here, AXES[axis], own), left)
    back = np.full((*here, left), AXES[axis] * own)
    for place in np.ndindex(*here):
        is_here = np.ones(size, dtype=bool)
        for one, at in zip(there, place, strict=True):
            is_here &= digits[one] == at
        found = digits[axis][is_here]
        for part in range(AXES[axis]):
            (mine,) = np.nonzero(found == part)
            parts[(*place, part, slice(len(mine)))] = mine
            back[(*place, mine)] = part * own + np.arange(len(mine))
    return parts.reshape(*here, -1), back


def taken(x, at, table, there, before, dimension, fill=0):
    """Places of a dimension of an array by a table; `before` are cuts that are dimensions in front already."""
    in_front, table = [(axis, of) for axis, of, *_ in before], jnp.asarray(table)
    shape = [1] * len(in_front)
    for axis in there:  # one or none
        if (axis, dimension) in in_front:
            shape[in_front.index((axis, dimension))] = AXES[axis]
        else:
            table = lax.dynamic_index_in_dim(table, lax.axis_index(axis), keepdims=False)
    table = table.reshape(*shape, *[1] * (at - len(shape)), -1, *[1] * (x.ndim - 1 - at))
    sides = [(0, int(place == at)) for place in range(x.ndim)]
    return jnp.take_along_axis(jnp.pad(x, sides, constant_values=fill), table, at)


def apart(x, cuts, fill=0):
    """Digits become dimensions of their own in front, in the order of the cuts; what is no part is filled up to one."""
    for number, (axis, dimension, before, *size) in enumerate(cuts):
        at = dimension + number
        if size[1:]:
            parts, _ = dealt(axis, *size[1:])
            x = taken(x, at, parts, size[3], cuts[:number], dimension, fill)
        elif size:
            sides = [(0, -x.shape[at] % AXES[axis] if place == at else 0) for place in range(x.ndim)]
            x = jnp.pad(x, sides, constant_values=fill)
        x = x.reshape(*x.shape[:at], before, AXES[axis], -1, *x.shape[at + 1 :])
        x = jnp.moveaxis(x, at + 1, number)
        x = x.reshape(*x.shape[: at + 1], -1, *x.shape[at + 3 :])
    return x


def together(x, cuts):
    """The inverse of `apart`."""
    for number, (axis, dimension, before, *size) in reversed(list(enumerate(cuts))):
        at = dimension + number + 1
        x = x.reshape(*x.shape[:at], before, -1, *x.shape[at + 1 :])
        x = jnp.moveaxis(x, number, at)
        x = x.reshape(*x.shape[: at - 1], -1, *x.shape[at + 2 :])
        if size[1:]:
            x = taken(x, at - 1, dealt(axis, *size[1:])[1], size[3], cuts[:number], dimension)
        elif size:
            x = lax.slice_in_dim(x, 0, size[0], axis=at - 1)
    return x
