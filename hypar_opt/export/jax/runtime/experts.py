"""Routing of positions to experts.

What exported programs need of it is copied into them, so that they stand alone.
"""

# Who reads a program knows JAX's arrays, and annotations would need imports there.
# ruff: noqa: ANN001, ANN201, D401
# mypy: ignore-errors

import jax
import jax.numpy as jnp
from jax import lax


def route(shares, top, groups, capacity, places=None):
    """Which slot of which expert each position is sent to, [groups, positions, experts, capacity], of some experts.

    In each group of samples an expert takes the first positions that it is among the `top` of, as many as fit.
    """
    count = shares.shape[-1]
    shares = lax.stop_gradient(shares).reshape(groups, -1, count)
    chosen = jax.nn.one_hot(lax.top_k(shares, top)[1], count, dtype=shares.dtype).sum(-2)
    slot = jnp.cumsum(chosen, 1).astype(jnp.int32) - 1
    slots = jax.nn.one_hot(slot, capacity, dtype=shares.dtype) * chosen[..., None]
    return slots if places is None else slots[:, :, places]


def dispatched(x, slots):
    """What each expert gets, [experts, slots, features]."""
    x = x.reshape(*slots.shape[:2], -1)
    made = jnp.einsum("gpec,gpf->egcf", slots, x)
    return made.reshape(made.shape[0], -1, made.shape[-1])


def brought_back(made, shares, slots, places=None):
    """For each position the sum of what its experts say, by their shares; of some experts, their places among all."""
    lead, shares = shares.shape[:-1], shares.reshape(*slots.shape[:2], -1)
    shares = shares if places is None else shares[:, :, places]
    made = made.reshape(made.shape[0], slots.shape[0], slots.shape[3], -1)
    mixed = jnp.einsum("gpec,gpe,egcf->gpf", slots, shares, made)
    return mixed.reshape(*lead, -1)
