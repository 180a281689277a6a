"""What the leaves of the array really read of a boundary's tensors, each leaf's own boxes laid out.

Level h always takes the half that bit h of an index names. So what a leaf has of a tensor is the set of all
elements that agree with the leaf's address in some bits: (batch, h) for every level that split the batch, and
(channel, h) for every level that split the channels. Each bit halves the tensor, and what a leaf needs and
has is what agrees in the bits of both. Every leaf has the same counts, so that one stands for all 2^H.

An element that a leaf lacks is held nearest by the leaves that first part from it at the topmost level whose
bit the element misses: that is the level at which it is read.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Bits: TypeAlias = frozenset[tuple[str, int]]
"""The bits of an element's address that a box fixes: dimension and level."""
READ_AS: Final[Mapping[str, str]] = {"d": "batch", "m": "channel"}
WRITTEN_AS: Final[Mapping[str, str]] = {"d": "batch", "o": "channel"}


def boundary(elements: int, words: tuple[str, str], *, as_read: bool = False) -> tuple[Fraction, ...]:
    """Return the elements of F[l+1] and E[l+1] that all leaves together read remotely, by level.

    Parameters
    ----------
    elements, words, as_read
        As of `by_tensor`.
    """
    forward, backward = by_tensor(elements, words, as_read=as_read)
    return tuple(feature + error for feature, error in zip(forward, backward, strict=True))


def by_tensor(
    elements: int, words: tuple[str, str], *, as_read: bool = False
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return the elements of F[l+1], and those of E[l+1], that all leaves together read remotely, by level.

    Parameters
    ----------
    elements
        Of the tensor.
    words
        The strategies of the layer that writes F[l+1] and of the one that reads it.
    as_read
        Whether the former leaves its output as its input lies: a join, or a grouped convolution.
    """
    written = _bits(words[0], READ_AS if as_read else WRITTEN_AS)
    read = _bits(words[1], READ_AS)
    levels = len(words[0])
    forward = tuple(_lacking(elements, read, written, h, levels) for h in range(levels))
    return forward, tuple(_lacking(elements, written, read, h, levels) for h in range(levels))


def _bits(word: str, dimension: Mapping[str, str]) -> Bits:
    return frozenset((dimension[letter], h) for h, letter in enumerate(word) if letter in dimension)


def _lacking(elements: int, needed: Bits, had: Bits, h: int, levels: int) -> Fraction:
    """Return what is needed, agrees with what is had at all levels above h, and not at h; over all leaves."""
    above = needed | {bit for bit in had if bit[1] < h}
    here = above | {bit for bit in had if bit[1] == h}
    return (elements << levels) * (Fraction(1, 2 ** len(above)) - Fraction(1, 2 ** len(here)))
