"""Means of printed numbers: each a record by its spelling in claims files.

Every mean m of n numbers is given by m' = p^(1 / d), where m' grows with m, and p with each number: so that it is
judged without a root.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.studies.claims.printed import geometric_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Numbers = Sequence[Fraction]
PER_CENT: Final = 100
HALF: Final = Fraction(1, 2)


@dataclass(frozen=True)
class NumberMean:
    """A mean.

    Parameters
    ----------
    name, summary
        As it is spelt, and what it is.
    of
        Its value: exact, or to 40 digits where it is a root.
    power
        Of the numbers: p.
    transformed
        Of a value: m'.
    is_root
        Whether d is how many numbers there are; else it is 1.
    least
        What numbers have to be more than; None where any will do.
    """

    name: str
    summary: str
    of: Callable[[Numbers], Fraction]
    power: Callable[[Numbers], Fraction]
    transformed: Callable[[Fraction], Fraction] = lambda value: value
    is_root: bool = False
    least: Fraction | None = None

    def meets(self, low: Numbers, high: Numbers, value: tuple[Fraction, Fraction]) -> bool:
        """Return whether what the mean may be and what a value may be overlap, both ends included."""
        degree = len(low) if self.is_root else 1
        least, most = (self.transformed(end) for end in value)
        return max(least, Fraction(0)) ** degree <= self.power(high) and self.power(low) <= most**degree


def _mean(numbers: Numbers) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def _harmonic(numbers: Numbers) -> Fraction:
    return len(numbers) / sum((1 / one for one in numbers), Fraction(0))


def _median(numbers: Numbers) -> Fraction:
    ordered = sorted(numbers)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) * HALF


def _factor(percent: Fraction) -> Fraction:
    return 1 + percent / PER_CENT


def _factors(numbers: Numbers) -> list[Fraction]:
    return [_factor(one) for one in numbers]


def _percent(factor: Fraction) -> Fraction:
    return PER_CENT * (factor - 1)


def _saved(percent: Fraction) -> Fraction:
    """Return the percentage of the time that is saved by what is so many per cent faster."""
    return PER_CENT * (1 - 1 / _factor(percent))


_NONE: Final = Fraction(0)
_MEANS: Final = (
    NumberMean("arithmetic", "the arithmetic mean", _mean, _mean),
    NumberMean("harmonic", "the harmonic mean", _harmonic, _harmonic, least=_NONE),
    NumberMean(
        "geometric",
        "the geometric mean",
        geometric_mean,
        lambda numbers: prod(numbers, start=Fraction(1)),
        is_root=True,
        least=_NONE,
    ),
    NumberMean("median", "the median", _median, _median),
    NumberMean(
        "geometric-of-gains",
        "of percentages that are gains the geometric mean of 1 + g / 100, less 1",
        lambda numbers: _percent(geometric_mean(_factors(numbers))),
        lambda numbers: prod(_factors(numbers), start=Fraction(1)),
        _factor,
        is_root=True,
        least=Fraction(-PER_CENT),
    ),
    NumberMean(
        "harmonic-of-gains",
        "of percentages that are gains the harmonic mean of 1 + g / 100, less 1: of all runs together, each as long",
        lambda numbers: _percent(_harmonic(_factors(numbers))),
        lambda numbers: _harmonic(_factors(numbers)),
        _factor,
        least=Fraction(-PER_CENT),
    ),
    NumberMean(
        "time-saved",
        "of percentages that are gains the arithmetic mean of the time that each saves",
        lambda numbers: _mean([_saved(one) for one in numbers]),
        lambda numbers: _mean([_saved(one) for one in numbers]),
        least=Fraction(-PER_CENT),
    ),
)
MEANS: Final[Mapping[str, NumberMean]] = MappingProxyType({one.name: one for one in _MEANS})
"""By name."""
