"""Matrices of the SuiteSparse collection, and how many iterations each variant took on them.

Both as published in S. Zhuang's thesis on communication in numerical methods (Universitat Politecnica de Catalunya,
2019; tables of matrices and of iterations, there with a barrier every 20 iterations where they are fused).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

PUBLISHED_FUSE: Final = 20
"""Iterations from one check of convergence to the next in the published counts."""


@dataclass(frozen=True)
class Matrix:
    """A matrix that systems were solved with.

    Parameters
    ----------
    name
        In the collection.
    rows, nonzeros
        Its size.
    density
        Nonzeros in per cent of all elements, as published: a text, for its digits are what is told.
    iterations
        By variant, as published.
    """

    name: str
    rows: int
    nonzeros: int
    density: str
    iterations: Mapping[str, int]

    @property
    def percent(self) -> Fraction:
        """Nonzeros of a hundred elements."""
        return Fraction(100 * self.nonzeros, self.rows**2)


_ORDER: Final = ("pcg", "chronopoulos-cg", "pipelined-cg", "gropp-cg", "ifcg1", "ifcg2")


def _matrix(name: str, rows: int, nonzeros: int, density: str, *iterations: int) -> Matrix:
    return Matrix(name, rows, nonzeros, density, MappingProxyType(dict(zip(_ORDER, iterations, strict=True))))


MATRICES: Final = MappingProxyType(
    {
        one.name: one
        for one in (
            _matrix("G3_circuit", 1_585_478, 7_660_826, "0.0003", 428, 428, 428, 428, 480, 480),
            _matrix("thermal2", 1_228_045, 8_580_313, "0.0006", 2076, 2076, 2077, 2076, 2080, 2080),
            _matrix("ecology2", 999_999, 4_995_991, "0.0005", 678, 678, 678, 678, 680, 680),
            _matrix("af_shell8", 504_855, 17_579_155, "0.0068", 676, 676, 676, 676, 680, 680),
            _matrix("G2_circuit", 150_102, 726_674, "0.003", 430, 430, 430, 430, 440, 440),
            _matrix("cfd2", 123_440, 3_085_406, "0.02", 563, 563, 563, 563, 580, 580),
            _matrix("consph", 83_334, 6_010_480, "0.087", 912, 911, 926, 911, 940, 940),
        )
    }
)
"""By name."""
