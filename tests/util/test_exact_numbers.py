"""Exact numbers as text: amounts with their units, and digits that show that numbers differ."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.report.numbers import in_component
from hypar_opt.util.numbers import amount, amounts_apart, decimal, digits_apart


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (10**20, "B", "100,000,000,000,000,000,000 B"),
        (Fraction(1234, 5), "s", "246.8 s"),
        (Fraction(1, 3), "s", "about 0.3333333333 s"),
        (Fraction("31.0710186246144"), "J", "31.0710186246144 J"),
        (Fraction("31.07101862461441"), "J", "about 31.07101862 J"),
        (Fraction(7, 2), "", "3.5"),
        (None, "J", "nothing"),
    ],
)
def test_an_amount_has_its_unit_and_no_long_fraction(value, unit, text):
    assert amount(value, unit) == text


def test_amounts_that_differ_look_different():
    third = Fraction(1, 3)
    assert amounts_apart(third, third + Fraction(1, 10**12), "s") == (
        "about 0.333333333333 s",
        "about 0.333333333334 s",
    )
    assert amounts_apart(third, third, "s") == ("about 0.3333333333 s",) * 2
    assert amounts_apart(third, Fraction(1), "s") == ("about 0.3333333333 s", "1 s")


@given(st.lists(st.fractions(), min_size=1, max_size=6))
def test_so_many_digits_are_needed_and_no_more(values):
    digits = digits_apart(values, decimal, 2)
    alike = [
        [one for one, other in pairwise(values) if one != other and decimal(one, n) == decimal(other, n)]
        for n in (digits, digits - 1)
    ]
    assert not alike[0]
    assert digits == 2 or alike[1]


@given(
    st.sampled_from(["communication", "hop-bytes", "time", "energy"]),
    st.fractions(min_value=0),
    st.fractions(min_value=0),
)
def test_quantities_can_be_told_apart_too(name, one, other):
    def shown(value, digits):
        return in_component(name, value, digits)

    digits = digits_apart([one, other], shown, 4)
    assert (shown(one, digits) == shown(other, digits)) == (one == other)
