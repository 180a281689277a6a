"""Exact numbers as text."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypar_opt.util.numbers import in_full


def test_digits_in_full_are_the_number():
    rng = Random(1)
    for _ in range(200):
        value = Fraction(rng.randint(-(10**7), 10**7), 10 ** rng.randint(0, 8))
        assert Fraction(in_full(value).replace(",", "")) == value
    assert [in_full(one) for one in (Fraction(-1, 2), -1234, Fraction(-1, 3), None)] == [
        "-0.5", "-1,234", "-1/3", "nothing",
    ]  # fmt: skip
