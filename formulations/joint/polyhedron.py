"""The vertices of a polyhedron `{w : w >= least, a . w >= b for every cut}` with no a below 0, cut by cut.

The double description method on the cone over the polyhedron: a generator (w, t) is the vertex w / t, or for
t = 0 the direction w. As no a is negative, the directions of the polyhedron are those of the orthant, whatever the
cuts. A cut `a . w - b t >= 0` keeps the generators on its side, and where an edge of the cone leads from one
kept to one cut off, puts a generator where the edge meets the cut. Two generators span an edge if no third one is
tight wherever both are. Integers throughout, every generator divided by its common divisor.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Vector: TypeAlias = "tuple[Fraction, ...]"
MAX_LEVELS = 6
"""Dimensions, for those who need the optimum: all vertices are computed."""


@dataclass(frozen=True)
class Generator:
    """A ray of the cone.

    Parameters
    ----------
    coordinates
        w, then t.
    tight
        The constraints that hold with equality, as bits: the least of every level, t >= 0, then the cuts.
    """

    coordinates: tuple[int, ...]
    tight: int

    @property
    def vertex(self) -> Vector | None:
        """The vertex, or None for a direction."""
        *direction, scale = self.coordinates
        return tuple(Fraction(part, scale) for part in direction) if scale else None


@dataclass(frozen=True)
class Polyhedron:
    """All weights that satisfy what is known of them.

    Parameters
    ----------
    generators
        Its vertices and directions.
    constraints
        How many there are.
    """

    generators: tuple[Generator, ...]
    constraints: int

    @staticmethod
    def above(least: Sequence[int]) -> Polyhedron:
        """Return the orthant above a point."""
        count = len(least)
        every = (1 << count) - 1
        corner = Generator((*least, 1), every)
        unit = [tuple(int(i == j) for i in range(count + 1)) for j in range(count)]
        ways = [Generator(one, every ^ 1 << i | 1 << count) for i, one in enumerate(unit)]
        return Polyhedron((corner, *ways), count + 1)

    @property
    def vertices(self) -> tuple[Vector, ...]:
        """All of them."""
        return tuple(one.vertex for one in self.generators if one.vertex is not None)

    def cut(self, normal: Sequence[int], least: int) -> Polyhedron:
        """Return what of it has normal . w >= least, for a normal without negative entries.

        Raises
        ------
        ValueError
            If an entry is negative, or nothing is left.
        """
        if min(normal, default=0) < 0:
            raise ValueError(f"expected a normal without negative entries, got {tuple(normal)}")
        if not any(normal) and least > 0:
            raise ValueError(f"nothing has 0 >= {least}")
        row, bit = (*normal, -least), 1 << self.constraints
        sides = [(one, sum(map(int.__mul__, row, one.coordinates))) for one in self.generators]
        kept = [Generator(one.coordinates, one.tight | (0 if side else bit)) for one, side in sides if side >= 0]
        return Polyhedron((*kept, *(self._met(sides, bit))), self.constraints + 1)

    def _met(self, sides: Sequence[tuple[Generator, int]], bit: int) -> Iterator[Generator]:
        """Yield the generators at which edges of the cone meet the cut."""
        inside = [(one, side) for one, side in sides if side > 0]
        outside = [(one, side) for one, side in sides if side < 0]
        for kept, above in inside:
            for lost, below in outside:
                if self._is_edge(kept, lost):
                    pairs = zip(kept.coordinates, lost.coordinates, strict=True)
                    met = [above * there - below * here for here, there in pairs]
                    divisor = gcd(*met)
                    yield Generator(tuple(part // divisor for part in met), kept.tight & lost.tight | bit)

    def _is_edge(self, first: Generator, second: Generator) -> bool:
        common = first.tight & second.tight
        if common.bit_count() < len(first.coordinates) - 2:
            return False
        return not any(
            common & third.tight == common for third in self.generators if third is not first and third is not second
        )
