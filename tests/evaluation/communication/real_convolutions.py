"""Training steps of small convolutions really computed on 2^H pieces with NumPy, in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np


def forward(x, w, groups):
    """Return F[l+1] of a convolution that keeps the map: x by sample, channel and position, w by filter first."""
    (batch, _, *size), (filters, _, *kernel) = x.shape, w.shape
    out = np.zeros((batch, groups, filters // groups, *size), dtype=np.int64)
    for (i, j), patch in _shifted(x, kernel):
        out += np.einsum("bgcyx,gfc->bgfyx", _grouped(patch, groups), _by_group(w[:, :, i, j], groups))
    return out.reshape(batch, filters, *size)


def backward(e, w, groups):
    """Return E[l]: the kernel turned round, filters and channels changed over."""
    turned = _by_group(w, groups)[..., ::-1, ::-1].swapaxes(1, 2)
    return forward(e, turned.reshape(-1, *turned.shape[2:]), groups)


def gradient(x, e, kernel, groups):
    """Return dW[l], by filter, channel of the group, and position."""
    errors = _grouped(e, groups)
    taps = [np.einsum("bgcyx,bgfyx->gfc", _grouped(patch, groups), errors) for _, patch in _shifted(x, kernel)]
    return np.stack(taps, axis=-1).reshape(e.shape[1], -1, *kernel)


def _shifted(x, kernel):
    high, wide = (k // 2 for k in kernel)
    padded = np.pad(x, ((0, 0), (0, 0), (high, high), (wide, wide)))
    for i, j in product(*map(range, kernel)):
        yield (i, j), padded[:, :, i : i + x.shape[2], j : j + x.shape[3]]


def _grouped(x, groups):
    return x.reshape(len(x), groups, -1, *x.shape[2:])


def _by_group(w, groups):
    return w.reshape(groups, -1, *w.shape[1:])


@dataclass(frozen=True)
class Piece:
    """What one of 2^H accelerators has of a convolution: masks over the batch, the channels and the filters."""

    samples: np.ndarray
    channels: np.ndarray
    filters: np.ndarray

    @staticmethod
    def of(word, leaf, batch, channels, filters, groups, bits):
        """Take at level h the half of the index whose bit number bits[h], from the top, is the leaf's."""
        masks = [np.ones(size, dtype=bool) for size in (batch, channels, filters)]
        split = {"d": (0,), "m": (1, 2) if groups > 1 else (1,), "o": (2,)}
        for h, letter in enumerate(word):
            for axis in split[letter]:
                size = len(masks[axis])
                masks[axis] &= (np.arange(size) * 2 ** (bits[h] + 1) // size) % 2 == leaf[h]
        return Piece(*masks)

    def read(self, x):
        """Return a tensor of the layer's input with what is not there as zero."""
        return x * self.samples[:, None, None, None] * self.channels[:, None, None]

    def written(self, y):
        """Return the same of its output."""
        return y * self.samples[:, None, None, None] * self.filters[:, None, None]

    def kernel(self, w, groups):
        """Return the filters that are there, with the channels that are: of whole groups all of each."""
        channels = np.ones(w.shape[1], dtype=bool) if groups > 1 else self.channels
        return w * self.filters[:, None, None, None] * channels[:, None, None]
