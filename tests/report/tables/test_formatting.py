"""Numbers as they are shown: significant digits, exact rounding, groups of three, units."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.report.numbers import exponent
from hypar_opt.report.tables import Column, Entry, number, scaled
from hypar_opt.report.tables.displayed import shown

FRACTIONS = st.fractions(min_value=Fraction(1, 10**9), max_value=10**15).filter(bool)


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (303_523_712, None, "303,523,712"),
        (Fraction(303_523_712, 10**9), 4, "0.3035"),
        (Fraction(10_899_456, 10**6), 4, "10.90"),  # a zero is a digit too
        (Fraction(99_996, 10_000), 4, "10.00"),  # rounded up to another power of ten
        (Fraction(35_175, 10_000), 4, "3.518"),  # half-way: to the even digit
        (Fraction(35_165, 10_000), 4, "3.516"),
        (1_234_567, 4, "1,235,000"),
        (12_345, 7, "12,345.00"),
        (Fraction(-1, 3), 3, "-0.333"),
        (Fraction(1, 3), None, "1/3"),
        (Fraction(1, 8), None, "0.125"),
        (Fraction(1, 10**7), 4, "1.000e-07"),
        (Fraction(12, 10**6), 2, "0.000012"),
        (10**15, 1, "1e+15"),
        (0, 4, "0"),
    ],
)
def test_numbers(value, digits, text):
    assert number(value, digits) == text


@given(FRACTIONS, st.integers(1, 12))
def test_rounding_is_off_by_half_a_digit_at_most(value, digits):
    text = number(value, digits).replace(",", "")
    unit = Fraction(10) ** (exponent(value) - digits + 1)
    assert abs(Fraction(text) - value) <= unit / 2


@given(FRACTIONS)
def test_exponents_are_exact(value):
    assert Fraction(10) ** exponent(value) <= value < Fraction(10) ** (exponent(value) + 1)


@pytest.mark.parametrize(
    ("values", "unit", "scale", "name"),
    [
        ([12_060_000, 303_523_712, 1_524_820_480], "B", 10**6, "MB"),
        ([12, 15, None, 0], "B", 1, "B"),
        ([Fraction(3, 1000)], "s", Fraction(1, 1000), "ms"),
        ([Fraction(3, 10**6)], "s", Fraction(1, 10**6), "µs"),
        ([Fraction(1, 10)], "B", 1, "B"),
        ([Fraction(1, 10**20)], "J", Fraction(1, 10**12), "pJ"),
        ([], "s", 1, "s"),
        ([10**9], "", 1, ""),
    ],
)
def test_the_unit_suits_the_value_in_the_middle(values, unit, scale, name):
    assert scaled(values, unit) == (scale, name)


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (Entry(1_994_958_720), "1.995"),
        (Entry(1_994_958_720, "about two"), "about two"),
        (Entry(None), "-"),
        (Entry(float("nan")), "-"),
        (Entry(1.5e9), "1.500"),
        (Entry("sfc"), "sfc"),
        (Entry(("sfc", "lenet-c")), "sfc, lenet-c"),
        (Entry({"batch": 4}), '{"batch": 4}'),
    ],
)
def test_what_is_shown_of_an_entry(entry, text):
    assert shown(Column("a", "a", "GB", 10**9, 4), entry) == text


def test_floats_are_never_shown_with_all_their_digits():
    assert shown(Column("a", "a"), Entry(0.1)) == "0.100000"
