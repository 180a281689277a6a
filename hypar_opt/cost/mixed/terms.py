"""Terms of costs over words with rational weights, and the integers that they become over one unit.

At level h a term is weights[h] x share x the product over the levels above of factors by level and letter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

from hypar_opt.costgraph import EdgeTerm, UnaryTerm

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.costgraph.factors import Factors


@dataclass(frozen=True)
class RationalTerm:
    """A term.

    Parameters
    ----------
    table
        By letter of the first word and of the second; of a unary term one row.
    side
        Whose letters above count.
    factors, weights
        By level.
    """

    table: tuple[tuple[int, ...], ...]
    side: int
    factors: Factors
    weights: tuple[Fraction, ...]


def weighed(
    table: Sequence[Sequence[Fraction]], side: int, factors: Factors, weights: Sequence[Fraction]
) -> RationalTerm | None:
    """Return a term with the smallest integers in its table; None where it is 0."""
    unit = lcm(*(one.denominator for row in table for one in row))
    whole = [[int(one * unit) for one in row] for row in table]
    common = gcd(*(one for row in whole for one in row))
    if not common or not any(weights):
        return None
    smallest = tuple(tuple(one // common for one in row) for row in whole)
    return RationalTerm(smallest, side, factors, tuple(Fraction(common, unit) * one for one in weights))


@dataclass
class Ledger:
    """All terms of a graph, by where they are charged.

    Parameters
    ----------
    unary, edges
        By position of the layer, and of the boundary.
    """

    unary: dict[int, list[RationalTerm]] = field(default_factory=dict)
    edges: dict[int, list[RationalTerm]] = field(default_factory=dict)

    def charge(self, into: dict[int, list[RationalTerm]], place: int, terms: Iterable[RationalTerm | None]) -> None:
        """Note what is not 0, terms that differ in their weights only as one."""
        found = into.setdefault(place, [])
        for term in terms:
            if term is None:
                continue
            like = next((i for i, one in enumerate(found) if _alike(one, term)), None)
            if like is None:
                found.append(term)
            else:
                summed = tuple(a + b for a, b in zip(found[like].weights, term.weights, strict=True))
                found[like] = RationalTerm(term.table, term.side, term.factors, summed)

    @property
    def unit(self) -> Fraction:
        """The largest number of which all weights are multiples."""
        weights = [
            one for terms in (*self.unary.values(), *self.edges.values()) for term in terms for one in term.weights
        ]
        below = lcm(*(one.denominator for one in weights))
        above = gcd(*(int(one * below) for one in weights))
        return Fraction(above or 1, below)

    def unary_terms(self, place: int, unit: Fraction) -> tuple[UnaryTerm, ...]:
        """Return a layer's terms in whole units."""
        return tuple(UnaryTerm(term.table[0], term.factors, _whole(term, unit)) for term in self.unary.get(place, ()))

    def edge_terms(self, place: int, unit: Fraction) -> tuple[EdgeTerm, ...]:
        """Return a boundary's terms in whole units."""
        return tuple(
            EdgeTerm(term.table, term.side, term.factors, _whole(term, unit)) for term in self.edges.get(place, ())
        )


def _alike(one: RationalTerm, other: RationalTerm) -> bool:
    return (one.table, one.side, one.factors) == (other.table, other.side, other.factors)


def _whole(term: RationalTerm, unit: Fraction) -> tuple[int, ...]:
    return tuple(int(one / unit) for one in term.weights)
