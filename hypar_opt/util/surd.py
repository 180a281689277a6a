"""Numbers x + y sqrt(n), exactly: what the roots of polynomials of degree two are.

Own code, as the libraries that know algebraic numbers (sympy, Sage) are heavy, and sums over layers add up thousands.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import isqrt, lcm
from typing import Any, Final, NoReturn, Self

SQUARES_OF: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
"""Primes whose squares are taken out of roots; of others a root may keep some, as large numbers are hard to factor."""
_SPELT: Final = re.compile(
    r"(?P<open>\()?(?:(?P<first>-?[0-9]{1,4000}) ?(?P<sign>[+-]) ?|(?P<minus>-?))"
    r"(?:(?P<factor>[0-9]{1,4000})\*)?sqrt\((?P<root>[0-9]{1,4000})\)(?(open)\))(?:/(?P<below>[0-9]{1,4000}))?"
)


class Surd(Fraction):
    """x + y sqrt(n), no fraction; made by `surd`.

    Numbers of one root are added and multiplied; those of any roots are compared. It is a `Fraction` in that it goes
    where exact numbers go: fractions are computed and compared with it. It has no numerator: what asks for one fails.

    Parameters
    ----------
    rational, factor
        x and y; y is not 0.
    root
        n, no square.
    """

    __slots__ = ("factor", "rational", "root")
    rational: Fraction
    factor: Fraction
    root: int

    def __new__(cls, rational: Fraction, factor: Fraction, root: int) -> Self:
        """Return the number; of what a fraction has nothing is set, so that nothing can be read of it."""
        self = object.__new__(cls)
        self.rational, self.factor, self.root = rational, factor, root
        return self

    def __reduce__(self) -> tuple[type[Surd], tuple[Fraction, Fraction, int]]:
        return Surd, (self.rational, self.factor, self.root)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def numerator(self) -> NoReturn:
        """There is none."""
        raise TypeError(f"{self} is no fraction")

    @property
    def denominator(self) -> NoReturn:
        """There is none."""
        raise TypeError(f"{self} is no fraction")

    def __add__(self, other: Any) -> Fraction:  # type: ignore[override]
        first, second = self._parts(other)
        return surd(self.rational + first, self.factor + second, self.root)

    def __radd__(self, other: Any) -> Fraction:  # type: ignore[override]
        return self.__add__(other)

    def __neg__(self) -> Surd:
        return Surd(-self.rational, -self.factor, self.root)

    def __sub__(self, other: Any) -> Fraction:  # type: ignore[override]
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> Fraction:  # type: ignore[override]
        return self.__neg__().__add__(other)

    def __mul__(self, other: Any) -> Fraction:  # type: ignore[override]
        first, second = self._parts(other)
        both = self.rational * first + self.factor * second * self.root
        return surd(both, self.rational * second + self.factor * first, self.root)

    def __rmul__(self, other: Any) -> Fraction:  # type: ignore[override]
        return self.__mul__(other)

    def __truediv__(self, other: Any) -> Fraction:  # type: ignore[override]
        return self * (other.inverse if isinstance(other, Surd) else Fraction(1) / other)

    def __rtruediv__(self, other: Any) -> Fraction:  # type: ignore[override]
        return self.inverse.__mul__(other)

    def __pow__(self, power: int) -> Fraction:  # type: ignore[override]
        found: Fraction = Fraction(1)
        for _ in range(abs(power)):
            found = found * self
        return found if power >= 0 else 1 / found

    @property
    def inverse(self) -> Surd:
        """One over it."""
        norm = self.rational**2 - self._square
        return Surd(self.rational / norm, -self.factor / norm, self.root)

    @property
    def sign(self) -> int:
        """1 or -1."""
        signs = _sign(self.rational), _sign(self.factor)
        return signs[0] if signs[0] and self.rational**2 > self._square else signs[1]

    def __bool__(self) -> bool:
        return True

    def __abs__(self) -> Surd:
        return self if self.sign > 0 else -self

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Surd) and self._alone == other._alone

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self._alone)

    def __lt__(self, other: Any) -> bool:
        return self._against(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._against(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._against(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._against(other) >= 0

    def __trunc__(self) -> int:
        return self.__floor__() + (self < 0)

    def __int__(self) -> int:  # type: ignore[override]
        return self.__trunc__()

    def __round__(self, digits: int | None = None) -> int | Fraction:  # type: ignore[override]
        return round(self.close(), digits) if digits is not None else (2 * self + 1).__floor__() // 2

    def __floor__(self) -> int:
        below, first, factor = self._whole
        size = isqrt(factor**2 * self.root)  # the root itself is between this and one more
        return (first + (size if factor > 0 else -size - 1)) // below

    def __ceil__(self) -> int:
        return self.__floor__() + 1

    def __float__(self) -> float:
        return float(self.close())

    def close(self, bits: int = 200) -> Fraction:
        """Return the largest fraction below it with so many binary digits behind the point."""
        return Fraction((self * 2**bits).__floor__(), 2**bits)

    def __repr__(self) -> str:
        return f"Surd({self})"

    def __str__(self) -> str:
        below, first, factor = self._whole
        root = f"sqrt({self.root})" if abs(factor) == 1 else f"{abs(factor)}*sqrt({self.root})"
        joined = f"{first} {'-' if factor < 0 else '+'} {root}" if first else f"{'-' if factor < 0 else ''}{root}"
        if below == 1:
            return joined
        return f"({joined})/{below}" if first else f"{joined}/{below}"

    @property
    def _square(self) -> Fraction:
        """(y sqrt(n))^2, whose root alone can be written in several ways."""
        return self.factor**2 * self.root

    @property
    def _alone(self) -> tuple[Fraction, Fraction]:
        return self.rational, self._square * _sign(self.factor)

    @property
    def _whole(self) -> tuple[int, int, int]:
        """D, a and b of (a + b sqrt(n)) / D."""
        below = lcm(self.rational.denominator, self.factor.denominator)
        return below, int(self.rational * below), int(self.factor * below)

    def _parts(self, other: Fraction | int) -> tuple[Fraction, Fraction]:
        """Return another number as x and y of this one's root.

        Raises
        ------
        ArithmeticError
            If it is of another one.
        """
        if not isinstance(other, Surd):
            return Fraction(other), Fraction(0)
        if other.root == self.root:
            return other.rational, other.factor
        both = isqrt(self.root * other.root)
        if both**2 != self.root * other.root:
            raise ArithmeticError(f"sqrt({self.root}) and sqrt({other.root}) are not of one field")
        return other.rational, other.factor * Fraction(both, self.root)

    def _against(self, other: Fraction | float) -> int:
        """Return the sign of the difference."""
        if not isinstance(other, Surd):
            return Surd(self.rational - Fraction(other), self.factor, self.root).sign
        try:
            return _sign(self - other)
        except ArithmeticError:  # x + y sqrt(n) with u sqrt(m): by the signs, then by the squares
            left, right = Surd(self.rational - other.rational, self.factor, self.root), _sign(other.factor)
            if left.sign != right:
                return left.sign
            return right * _sign(left * left - other._square)


def surd(rational: Fraction, factor: Fraction, root: int) -> Fraction:
    """Return x + y sqrt(n): a fraction where it is one, with the squares of small numbers taken out of the root.

    Raises
    ------
    ValueError
        If the root is of a negative number.
    """
    if root < 0:
        raise ValueError(f"expected the root of a number of at least 0, got {root}")
    whole = isqrt(root)
    if not factor or whole**2 == root:
        return rational + factor * whole
    for prime in SQUARES_OF:
        while root % prime**2 == 0:
            root, factor = root // prime**2, factor * prime
    return Surd(rational, factor, root)


def roots(constant: Fraction, linear: Fraction, square: Fraction) -> tuple[Fraction, ...]:
    """Return where constant + linear x + square x^2 is 0, ascending; nothing where it is 0 everywhere."""
    if not square:
        return (-constant / linear,) if linear else ()
    inside = linear**2 - 4 * square * constant
    if inside < 0:
        return ()
    # sqrt(p/q) = sqrt(pq) / q
    width = surd(Fraction(0), Fraction(1, inside.denominator), inside.numerator * inside.denominator) / (2 * square)
    middle = -linear / (2 * square)
    return tuple(sorted({middle - width, middle + width}))


def read_surd(text: str) -> Fraction | None:
    """Return the number that a text such as `(3 + 2*sqrt(5))/7` is; None where it is none."""
    found = _SPELT.fullmatch(text)
    if found is None or not int(found["below"] or 1):
        return None
    below, sign = int(found["below"] or 1), -1 if "-" in (found["sign"], found["minus"]) else 1
    first, factor = Fraction(int(found["first"] or 0), below), Fraction(sign * int(found["factor"] or 1), below)
    if found["below"] and found["first"] and not found["open"]:
        return None  # a + sqrt(n)/d, which nothing writes
    return surd(first, factor, int(found["root"]))


def exact_number(value: float | Fraction) -> Fraction:
    """Return what is no exact number, or an integer, as a fraction, and any other exact number as it is."""
    return value if isinstance(value, Fraction) else Fraction(value)


def fraction_near(value: Fraction | float) -> Fraction:
    """Return a number as a fraction: itself where it is one, else close to it, for what is shown."""
    return value.close() if isinstance(value, Surd) else Fraction(value)


def _sign(value: Fraction | int) -> int:
    return value.sign if isinstance(value, Surd) else (value > 0) - (value < 0)
