"""What a boundary costs by how often each pair of letters occurs, whichever levels these are of.

Under `leaf-exact` what the leaves read is a product over levels, and what partial sums take depends on the number of
each letter alone: to permute the levels of all layers alike changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

LETTERS: Final = "dmo"
"""Batch, inputs, outputs: the letters of linear layers, in the order in which they are counted."""
Counts: TypeAlias = tuple[int, int, int]
"""How many levels have each letter."""
Pairs: TypeAlias = tuple[Counts, Counts, Counts]
"""How many levels have each pair of letters: a row a letter of the layer before."""
_LEFT: Final[Mapping[str, str]] = MappingProxyType({"d": "B", "m": "R", "o": "C"})
_NEEDED: Final[Mapping[str, str]] = MappingProxyType({"d": "B", "m": "C", "o": "R"})


def counts(levels: int) -> Iterator[Counts]:
    """Yield how so many levels can be shared among the letters."""
    for first, second in product(range(levels + 1), repeat=2):
        if first + second <= levels:
            yield first, second, levels - first - second


def halvings(has: str, needs: str) -> tuple[int, int]:
    """Return how often a level halves what a side needs of a tensor, and what it needs and has (docs/model.md).

    Parameters
    ----------
    has, needs
        B, cut along the batch; C, along channels; R, whole.
    """
    return int(needs != "R"), (has != "R") + (needs not in ("R", has))


_HALVINGS: Final = tuple(
    (halvings(_LEFT[before], _NEEDED[behind]), halvings(_NEEDED[behind], _LEFT[before]))
    for before, behind in product(LETTERS, repeat=2)
)
"""By pair of letters, forward and backward."""


@dataclass(frozen=True)
class Passage:
    """The pairs of letters at a boundary, and what all leaves read there, forward and backward.

    Parameters
    ----------
    pairs
        By the letters of the layer before, and by those of the layer behind.
    share
        Of the tensor, what all leaves together read of it and of its error.
    """

    pairs: Pairs
    share: Fraction


def passage(pairs: Pairs) -> Passage:
    """Return what all leaves read: 2^H (product of needs less product of what is held), both ways (docs/model.md)."""
    times = sum(pairs, ())
    depth = sum(times)
    total = 0  # in units of 2^-depth, as no level halves anything more than twice
    for way in (0, 1):
        need = sum(count * each[way][0] for count, each in zip(times, _HALVINGS, strict=True))
        have = sum(count * each[way][1] for count, each in zip(times, _HALVINGS, strict=True))
        total += (1 << 2 * depth - need) - (1 << 2 * depth - have)
    return Passage(pairs, Fraction(total, 1 << depth))


@lru_cache(maxsize=16)
def passages(levels: int) -> Mapping[tuple[Counts, Counts], Passage]:
    """Return by the counts of two neighbours the cheapest way to pair their letters; the first of equal ones."""
    found: dict[tuple[Counts, Counts], Passage] = {}
    for before in counts(levels):
        for pairs in _paired(before):
            first, second, third = map(sum, zip(*pairs, strict=True))
            behind = first, second, third
            one = passage(pairs)
            best = found.get((before, behind))
            if best is None or one.share < best.share:
                found[before, behind] = one
    return MappingProxyType(found)


def _paired(before: Counts) -> Iterator[Pairs]:
    yield from product(*(tuple(counts(count)) for count in before))
