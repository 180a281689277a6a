"""What letters multiply the levels below by: whole numbers by level and letter, and their products."""

from __future__ import annotations

from math import gcd, prod
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph.unary import Array

Factors: TypeAlias = tuple[tuple[int, ...], ...]
"""By level and letter: what having the letter there multiplies every level below by, a whole number from 0."""


def times(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    """Return the products of numbers, pair by pair."""
    return tuple(a * b for a, b in zip(left, right, strict=True))


def reduced(factors: Factors, weights: Sequence[int]) -> tuple[Factors, tuple[int, ...]]:
    """Return factors and weights by level with the same products, with as many factors of 1 as there can be.

    What a level's letters have in common multiplies the weights below instead. The factors do not depend on the
    weights, so that costs which differ in these only still look at the same letters.
    """
    divisors = {level: gcd(*level) for level in set(factors)}  # few levels differ
    lean = {level: tuple(factor // (common or 1) for factor in level) for level, common in divisors.items()}
    above, below = 1, []
    for level, weight in zip(factors, weights, strict=True):
        below.append(weight * above)
        above *= divisors[level]
    # nothing is multiplied by the last level's factors, nor is anything left below a level of zeros
    last = next((h for h, level in enumerate(factors[:-1]) if not divisors[level]), max(0, len(factors) - 1))
    ones = tuple((1,) * len(level) for level in factors[last:])
    return (*(lean[level] for level in factors[:last]), *ones), tuple(below)


def cut_off(factors: Factors, below: Sequence[int | bool]) -> Factors:
    """Return the factors, or 1 where only zeros are below: factors of nothing need not fit what holds the numbers."""
    last = max((h for h, number in enumerate(below) if number), default=0)
    return (*factors[:last], *((1,) * len(level) for level in factors[last:]))


def all_ones(factors: Factors) -> bool:
    """Return whether no letter multiplies anything."""
    return all(factor == 1 for level in set(factors) for factor in level)


def product_of(factors: Factors, letters: Sequence[int]) -> int:
    """Return the product of the factors of letters, one a level from the root; what is longer is cut off."""
    return prod(level[letter] for level, letter in zip(factors, letters, strict=False))


def largest(factors: Factors, weights: Sequence[int]) -> int:
    """Return what no word's sum over the levels of weight x product of the factors above exceeds."""
    total, above = 0, 1
    for level, weight in zip(factors, weights, strict=True):
        total += weight * above
        above *= max(level)
    return total


def products(factors: Factors, dtype: Any) -> Array:
    """Return the product of the factors of every word of as many levels; shape (k^levels,)."""
    found = np.ones(1, dtype=dtype)
    for level in reversed(factors):
        found = np.multiply.outer(np.array(level, dtype=dtype), found).reshape(-1)
    return found


def products_by_level(kinds: Sequence[Factors], levels: int) -> Iterator[set[tuple[int, ...]]]:
    """Yield, for every level, the products that some letters above it have, of several kinds of factors at once."""
    found = {(1,) * len(kinds)}
    for h in range(levels):
        if h:
            steps = set(zip(*(kind[h - 1] for kind in kinds), strict=True)) or {()}
            found = {times(above, step) for above in found for step in steps}
        yield found
