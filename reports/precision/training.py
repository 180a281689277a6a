"""A small network trained with NumPy: norms of its weights behind every batch, and what fewer bits do to tensors."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

SEED = 2026
SIZES = (64, 64, 32, 10)
"""Features of the input, which are drawn, and of every layer behind it."""
BATCH = 64
BATCHES = 400
RATE = 0.1
DECAY = 0.0005
NOISE = 1.5
BITS = (8, 16, 24, 32)
EVERY = 50
"""So many batches lie between two at which errors are measured."""
LAYERS = tuple(f"fc{number}" for number in range(1, len(SIZES)))
TENSORS = ("gradient", "feature-map", "error")


def in_bits(values, bits):
    """Return 32-bit numbers of which the first bits are sent, the others being 0: whole bytes as ADT packs them."""
    words = values.astype(np.float32).view(np.uint32)
    return (words & np.uint32((2**bits - 1) << (32 - bits))).view(np.float32)


def lost(values, bits):
    """Return how far numbers in so many bits are from themselves: the norm of the difference by their own."""
    whole = values.astype(np.float32).astype(np.float64)
    return float(np.linalg.norm(whole - in_bits(values, bits)) / (np.linalg.norm(whole) or 1.0))


def batches(seed=SEED, count=BATCHES):
    """Yield samples and classes: a drawn picture of each class, and noise."""
    rng = np.random.default_rng(seed)
    pictures = rng.normal(size=(SIZES[-1], SIZES[0]))
    for _ in range(count):
        classes = rng.integers(SIZES[-1], size=BATCH)
        yield pictures[classes] + NOISE * rng.normal(size=(BATCH, SIZES[0])), classes


def trained(seed=SEED, count=BATCHES):
    """Train, and yield behind every batch its loss, the norms of the weights, and what every layer would send.

    What it sends, by layer: the gradient of its weights, its output, and the error of its input.
    """
    rng = np.random.default_rng(seed + 1)
    weights = [rng.normal(size=pair) * np.sqrt(2 / pair[0]) for pair in pairwise(SIZES)]
    for samples, classes in batches(seed, count):
        maps = [samples]
        for number, weight in enumerate(weights):
            out = maps[-1] @ weight
            maps.append(out if number == len(weights) - 1 else np.maximum(out, 0))
        shares = np.exp(maps[-1] - maps[-1].max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        loss = float(-np.log(shares[np.arange(BATCH), classes]).mean())
        error = (shares - np.eye(SIZES[-1])[classes]) / BATCH
        sent = {}
        for number in reversed(range(len(weights))):
            gradient, before = maps[number].T @ error, error @ weights[number].T
            sent[LAYERS[number]] = {"gradient": gradient, "feature-map": maps[number + 1], "error": before}
            weights[number] = weights[number] * (1 - RATE * DECAY) - RATE * gradient
            error = before * (maps[number] > 0)
        yield loss, {name: float(np.linalg.norm(one)) for name, one in zip(LAYERS, weights, strict=True)}, sent


def measured(seed=SEED, count=BATCHES, every=EVERY):
    """Return the losses, the norms by batch, and by layer, tensor and bits the mean of what is lost."""
    losses, norms, found = [], [], {}
    for batch, (loss, own, sent) in enumerate(trained(seed, count)):
        losses.append(loss)
        norms.append(own)
        if batch % every == every - 1:
            for name, tensors in sent.items():
                for tensor, values in tensors.items():
                    row = found.setdefault((name, tensor), [])
                    row.append([lost(values, bits) for bits in BITS])
    means = {key: [float(one) for one in np.mean(rows, axis=0)] for key, rows in found.items()}
    return losses, norms, means
