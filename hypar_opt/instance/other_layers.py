"""Layers that there are none of here, by what frameworks call them, and what can be written instead of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Substitute:
    """What can be written instead of layers that there are none of; docs/limits.md says what it leaves out.

    Parameters
    ----------
    names
        Of the layers, in small letters, without what is no letter or digit.
    instead
        What to do.
    """

    names: frozenset[str]
    instead: str


SUBSTITUTES: Final = (
    Substitute(
        frozenset({"upsample", "upsampling", "upsampling2d", "interpolate", "resize", "unpool"}),
        "write a pool with kernel 1, stride 1 and as pad half of what the map grows by",
    ),
    Substitute(
        frozenset({"convtranspose", "convtranspose2d", "convtransposed", "transposedconv", "transposeconv",
                   "transposedconvolution", "deconv", "deconvolution"}),
        "write a conv of the same filters and kernel, stride 1, with pad and dilation that give the same map",
    ),
    Substitute(
        frozenset({"attention", "selfattention", "crossattention", "multiheadattention", "mha"}),
        "write convs with kernel 1 for q, k, v and the projection, and an add of q, k and v between them",
    ),
    Substitute(
        frozenset({"embedding", "embed"}),
        "write a conv with kernel 1 that reads the input [words, positions, 1], or leave it out",
    ),
    Substitute(
        frozenset({"norm", "normalisation", "normalization", "batchnorm", "batchnorm2d", "batchnormalization", "bn",
                   "layernorm", "groupnorm", "instancenorm", "rmsnorm", "lrn", "dropout", "softmax", "relu", "gelu",
                   "sigmoid", "tanh", "silu"}),
        "write activation: {}, or leave it out",
    ),
    Substitute(
        frozenset({"conv3d"}),
        "write a conv whose height is depth x height, with the kernel's and the stride's alike",
    ),
    Substitute(frozenset({"dense", "fc", "fullyconnected", "gemm"}), "write linear"),
    Substitute(frozenset({"lstm", "gru", "rnn", "recurrent", "einsum", "matmul", "bmm"}), "write a strategy graph"),
)  # fmt: skip


def instead_of(kind: str) -> str | None:
    """Return what to do without a kind of layer, as the end of a message; None where nothing is known of it."""
    plain = "".join(one for one in kind[:100].lower() if one.isalnum())
    found = next((one.instead for one in SUBSTITUTES if plain in one.names), None)
    return found and f"; {found}: docs/limits.md"
